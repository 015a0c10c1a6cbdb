import { open, rm } from "node:fs/promises";
import type { Command } from "commander";
import { errorText } from "../../core/model/errors.js";
import type { KeyChange } from "../../credentials/change-credentials.js";
import { CommandFailure, type CommandIo, printLine } from "../command-io.js";
import { printable } from "../printable.js";

/** Where and how a new key is printed. */
export interface KeyOutput {
  readonly json?: boolean;
  readonly output?: string;
}

/** Adds the options of `KeyOutput`. */
export function addKeyOutput(command: Command): Command {
  return command
    .option("--json", "Print the name, id and key as one line of JSON.")
    .option(
      "--output <file>",
      "Write the key to a new file that only you can read. A file of `>` may be readable for others.",
    );
}

/** A place for a key. */
export interface KeyPlace {
  /** Writes the key. */
  write(line: string): Promise<void>;
  /** Removes the file if nothing was written. */
  discard(): Promise<void>;
}

/**
 * Opens the place for a key before the key is made.
 *
 * @throws CommandFailure when the file exists or cannot be made
 */
export async function openKeyPlace({ stdout }: CommandIo, path?: string): Promise<KeyPlace> {
  if (path === undefined)
    return { write: (line) => printLine(stdout, line), discard: async () => undefined };
  const file = await open(path, "wx", 0o600).catch((error: NodeJS.ErrnoException) => {
    const why = error.code === "EEXIST" ? "it exists; name a new file" : errorText(error);
    throw new CommandFailure(`--output: cannot write '${printable(path)}': ${why}`, 2);
  });
  return {
    async write(line) {
      await file.writeFile(`${line}\n`);
      await file.sync();
      await file.close();
    },
    async discard() {
      await file.close();
      await rm(path);
    },
  };
}

/** Prints a new key: the key alone, so that a script can keep it. */
export async function printKey(
  { stderr }: CommandIo,
  place: KeyPlace,
  name: string,
  { id, key, expireTime }: KeyChange,
  { json = false, output }: KeyOutput,
): Promise<void> {
  if (json) {
    await place.write(JSON.stringify({ name, id, key, expire_time: expireTime }));
    return;
  }
  const expiry = expireTime === undefined ? "does not expire" : `expires at ${expireTime}`;
  stderr.write(`The key ${id} of '${name}'. It ${expiry}.\n`);
  stderr.write(
    output === undefined
      ? "It is shown only now; keep it in a safe place:\n"
      : `It is only in ${printable(output)}.\n`,
  );
  await place.write(key);
}
