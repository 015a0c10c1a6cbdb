import { setTimeout as delay } from "node:timers/promises";
import { nativeGrpc } from "../../e2e/harness/protocols.js";
import { createRunClient } from "../../e2e/harness/run-client.js";
import type { ServerProcess } from "./server-process.js";

const pollMs = 50;

/** Time in which a server must accept writes again, in milliseconds. */
const recoveryMaxMs = 60_000;

/**
 * Waits until a server accepts writes again. Returns the time that it took in milliseconds, or
 * `undefined` if it does not.
 */
export async function untilWritable(server: ServerProcess): Promise<number | undefined> {
  const began = performance.now();
  const connection = nativeGrpc.connect(server);
  const run = createRunClient(connection, "is it writable");
  try {
    while (performance.now() - began < recoveryMaxMs) {
      try {
        await run.write("key", "value");
        await run.delete("key");
        return performance.now() - began;
      } catch {
        await delay(pollMs);
      }
    }
    return undefined;
  } finally {
    connection.close();
  }
}
