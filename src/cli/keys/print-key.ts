import { type CommandIo, printLine } from "../command-io.js";

/** A new key, shown once. */
export interface ShownKey {
  readonly name: string;
  readonly id: string;
  readonly key: string;
}

/** Prints a new key: the key alone on standard output, so that a script can keep it. */
export async function printKey(
  { stdout, stderr }: CommandIo,
  { name, id, key }: ShownKey,
  asJson: boolean,
): Promise<void> {
  if (asJson) {
    await printLine(stdout, JSON.stringify({ name, id, key }));
    return;
  }
  stderr.write(`The key ${id} of '${name}'. It is shown only now; keep it in a safe place:\n`);
  await printLine(stdout, key);
}
