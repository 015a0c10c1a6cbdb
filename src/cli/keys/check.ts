import { text } from "node:stream/consumers";
import { Command } from "commander";
import type { Principal } from "../../core/model/principal.js";
import { createKeyAuthenticator } from "../../credentials/key-authenticator.js";
import { CommandFailure, type CommandIo, printLine } from "../command-io.js";
import { printable } from "../printable.js";
import { addCredentialsOption, credentialsPath, readCredentials } from "./credentials-option.js";
import { grantsText } from "./grants-text.js";

const examples = `
Example:
  $ vademecum keys check < key.txt

The exit code is 0 for a valid key, else 1.`;

/** Creates the command `keys check`, which says what the key on standard input may do. */
export function checkKeyCommand(io: CommandIo): Command {
  const command = new Command("check")
    .description("Read a key from standard input, and say what it may do.")
    .option("--json", "Print the answer as one line of JSON.")
    .addHelpText("after", examples);
  addCredentialsOption(command);
  return command.action(async () => {
    const credentials = await readCredentials(credentialsPath(command, io));
    if (io.stdin.isTTY === true)
      throw new CommandFailure("give the key on standard input, such as `< key.txt`", 2);
    const key = (await text(io.stdin)).trim();
    const principal = createKeyAuthenticator(credentials, { nowMs: Date.now }).ofKey(key);
    if (principal === undefined)
      throw new CommandFailure(
        "the key is not valid: unknown, mistyped, expired, revoked or disabled",
      );
    const { json } = command.opts<{ json?: boolean }>();
    await printLine(
      io.stdout,
      json === true ? JSON.stringify(grantsOf(principal)) : printable(textOf(principal)),
    );
  });
}

function grantsOf({ roles, ...principal }: Principal): object {
  return { ...principal, roles: [...roles] };
}

function textOf(principal: Principal): string {
  const { name, tenant, roles, ...lists } = principal;
  const grants = { ...lists, roles: [...roles], ...(tenant === "" ? {} : { tenant }) };
  return [`The key is valid, and stands for ${name}.`, ...grantsText(grants)].join("\n");
}
