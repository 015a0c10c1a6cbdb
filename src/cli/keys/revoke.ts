import { Command } from "commander";
import { type Revocation, revoke } from "../../credentials/change-credentials.js";
import { type CommandIo, printLine } from "../command-io.js";
import { addCredentialsOption, changeCredentials, credentialsPath } from "./credentials-option.js";

const examples = `
Examples:
  $ vademecum keys revoke 3f9c02d1a8b7e645
  $ vademecum keys revoke assistant

The server refuses a revoked key within 5 seconds, or immediately after SIGHUP. It also ends the
open streams of the key. The principal stays in the file; \`keys rotate\` gives it a new key.`;

/**
 * Creates the command `keys revoke`, which removes one key, or all keys and certificates of a
 * principal.
 */
export function revokeKeyCommand(io: CommandIo): Command {
  const command = new Command("revoke")
    .argument("<name|id>", "The id of a key, or the name of a principal.")
    .description("Remove one key, or all keys and certificates of a principal.")
    .addHelpText("after", examples);
  addCredentialsOption(command);
  return command.action(async (nameOrId: string) => {
    let done: Revocation | undefined;
    await changeCredentials(credentialsPath(command, io), (credentials) => {
      done = revoke(credentials, nameOrId);
      return done.credentials;
    });
    const { name = nameOrId, keyIds = [] } = done ?? {};
    const keys = keyIds.length === 0 ? "It had no key" : `Revoked ${keyIds.join(" and ")}`;
    await printLine(io.stdout, `${keys} (${name}).`);
  });
}
