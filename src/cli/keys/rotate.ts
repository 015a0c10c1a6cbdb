import { Command, Option } from "commander";
import { type Rotation, rotateKey } from "../../credentials/change-credentials.js";
import type { CommandIo } from "../command-io.js";
import { keyLifetime, lifetime } from "../option-values.js";
import { addCredentialsOption, changeCredentials, credentialsPath } from "./credentials-option.js";
import { addKeyOutput, type KeyOutput, openKeyPlace, printKey } from "./print-key.js";

const dayMs = 24 * 3_600_000;

const examples = `
Examples:
  $ vademecum keys rotate assistant
  $ vademecum keys rotate assistant --overlap 7d --expires 90d

A principal has at most two keys: the new key and the key that it replaces. Earlier keys stop
working immediately. The new key has the lifetime of the key that it replaces: if that key expires
90 days after its creation, so does the new key.`;

interface RotateOptions extends KeyOutput {
  readonly overlap: number;
  readonly expires?: number;
}

/** Creates the command `keys rotate`, which gives a principal a new key and prints it once. */
export function rotateKeyCommand(io: CommandIo): Command {
  const command = new Command("rotate")
    .argument("<name>", "The name of the principal.")
    .description("Give a principal a new key. The current key stays valid for a while.")
    .addOption(
      new Option("--overlap <duration>", "How long the current key stays valid.")
        .argParser(lifetime)
        .default(dayMs, "24h"),
    )
    .option(
      "--expires <duration>",
      "How long the new key works, such as 90d, or never. Default: the current key's lifetime.",
      keyLifetime,
    )
    .addHelpText("after", examples);
  addKeyOutput(command);
  addCredentialsOption(command);
  return command.action(async (name: string) => {
    const options = command.opts<RotateOptions>();
    const { overlap, expires } = options;
    const times = { nowMs: Date.now(), lifetimeMs: expires };
    let made: Rotation | undefined;
    const path = credentialsPath(command, io);
    const place = await openKeyPlace(io, options.output);
    await changeCredentials(path, (credentials) => {
      made = rotateKey(credentials, name, overlap, times);
      return made.credentials;
    }).catch(async (error: unknown) => {
      await place.discard();
      throw error;
    });
    if (made === undefined) return;
    if (!made.hadKey && expires === undefined) {
      io.stderr.write(
        `'${name}' had no key whose lifetime the new key could take, so the new key does not expire. ` +
          "To give it a lifetime, run the command again with --expires.\n",
      );
    }
    await printKey(io, place, name, made, options);
  });
}
