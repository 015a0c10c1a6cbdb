import { Command } from "commander";
import type { CommandIo } from "./command-io.js";
import { checkKeyCommand } from "./keys/check.js";
import { createKeyCommand } from "./keys/create.js";
import { listKeysCommand } from "./keys/list.js";
import { revokeKeyCommand } from "./keys/revoke.js";
import { rotateKeyCommand } from "./keys/rotate.js";

const examples = `
Examples:
  $ export VADEMECUM_CREDENTIALS=/etc/vademecum/credentials.json
  $ vademecum keys create assistant --role writer --user 'ann' --agent '*' --run '*'
  $ vademecum keys list`;

/** Creates the command `keys`, which manages the API keys of a server. */
export function keysCommand(io: CommandIo): Command {
  const command = new Command("keys").description(
    "Manage the API keys in the credentials file of a server.",
  );
  for (const subcommand of [
    createKeyCommand(io),
    rotateKeyCommand(io),
    revokeKeyCommand(io),
    listKeysCommand(io),
    checkKeyCommand(io),
  ])
    command.addCommand(subcommand);
  return command.addHelpText("after", examples);
}
