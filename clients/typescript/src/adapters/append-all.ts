import type { Threads } from "../handles/threads.js";
import { requestsOf } from "./requests-of.js";

/** A turn to store: a turn of `threads.appendTurns`. */
export type NewTurn = NonNullable<Parameters<Threads["appendTurns"]>[0]["turns"]>[number];

/**
 * Stores any number of turns at the end of a thread, in as few calls of AppendTurns as their sizes
 * allow, one after another. Each call is one atomic step: up to 500 turns with 900 KB.
 *
 * @param idempotencyKey makes a retry safe for 24 hours: 1 to 120 bytes. Default: new keys
 */
export async function appendAll(
  threads: Threads,
  threadId: string,
  turns: readonly NewTurn[],
  idempotencyKey?: string,
): Promise<void> {
  for (const [index, request] of requestsOf(turns).entries()) {
    const key =
      idempotencyKey === undefined ? {} : { idempotencyKey: `${idempotencyKey}/${index}` };
    await threads.appendTurns({ threadId, turns: request, ...key });
  }
}
