import { Command } from "commander";
import type { StoredPrincipal } from "../../credentials/credentials.js";
import { type CommandIo, printLine } from "../command-io.js";
import { printable } from "../printable.js";
import { addCredentialsOption, credentialsPath, readCredentials } from "./credentials-option.js";
import { grantsText } from "./grants-text.js";

/** Creates the command `keys list`, which shows the principals and their keys, without secrets. */
export function listKeysCommand(io: CommandIo): Command {
  const command = new Command("list")
    .description("Show the principals, what each may do, and their keys without the secrets.")
    .option("--json", "Print a line of JSON for each principal.");
  addCredentialsOption(command);
  return command.action(async () => {
    const { principals } = await readCredentials(credentialsPath(command, io));
    const { json } = command.opts<{ json?: boolean }>();
    for (const principal of principals)
      await printLine(
        io.stdout,
        json === true ? JSON.stringify(withoutHashes(principal)) : printable(textOf(principal)),
      );
  });
}

function withoutHashes({ keys = [], ...principal }: StoredPrincipal): object {
  return { ...principal, keys: keys.map(({ sha256: _hash, ...key }) => key) };
}

function textOf(principal: StoredPrincipal): string {
  const { name, disabled = false, keys = [], certificates = [] } = principal;
  return [
    `${name}${disabled ? " (disabled)" : ""}`,
    ...grantsText(principal),
    ...keys.map(
      ({ id, create_time: created, expire_time: expires }) =>
        `  key ${id}, created ${created}, ${expires === undefined ? "does not expire" : `expires ${expires}`}`,
    ),
    ...certificates.map((certificate) => `  certificate ${certificate}`),
  ].join("\n");
}
