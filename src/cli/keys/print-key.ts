import type { KeyChange } from "../../credentials/change-credentials.js";
import { type CommandIo, printLine } from "../command-io.js";

/** Prints a new key: the key alone on standard output, so that a script can keep it. */
export async function printKey(
  { stdout, stderr }: CommandIo,
  name: string,
  { id, key, expireTime }: KeyChange,
  asJson: boolean,
): Promise<void> {
  if (asJson) {
    await printLine(stdout, JSON.stringify({ name, id, key, expire_time: expireTime }));
    return;
  }
  const expiry = expireTime === undefined ? "does not expire" : `expires at ${expireTime}`;
  stderr.write(`The key ${id} of '${name}'. It ${expiry}.\n`);
  stderr.write("It is shown only now; keep it in a safe place:\n");
  await printLine(stdout, key);
}
