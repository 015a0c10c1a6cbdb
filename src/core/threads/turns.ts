import { storedSuccessor } from "../memories/records.js";
import { turnKeyOf } from "../memories/thread-records.js";
import { memoryNotFound, VademecumError } from "../model/errors.js";
import type { Instant } from "../model/instant.js";
import type { Memory } from "../model/memory.js";
import { idOfThreadTurnKey, threadTurnPrefix } from "../model/record-keys.js";
import { threadOf } from "../model/thread.js";
import { isExpired } from "../model/visibility.js";
import type { Reader } from "../ports/store.js";
import { greatestCharacter } from "../requests/key-prefix.js";
import { createPause } from "../requests/pause.js";
import type { ThreadName } from "./service.js";

/** Maximum number of turns that one call deletes or copies: a comfortable size for one write. */
export const threadTurnsMax = 10_000;

/** Iterates over the turns of a thread in their order. `reverse`: from the last one. */
export async function* turnsOf(
  reader: Reader,
  { namespace, threadId }: ThreadName,
  { reverse = false }: { readonly reverse?: boolean } = {},
): AsyncGenerator<Memory> {
  const prefix = threadTurnPrefix(threadId);
  const after = reverse ? prefix + greatestCharacter : prefix;
  const pause = createPause();
  for await (const [key] of reader.scan("threadTurns", namespace, { reverse, after })) {
    if (!key.startsWith(prefix)) return;
    const turn = await reader.get("memories", namespace, idOfThreadTurnKey(threadId, key));
    if (turn !== undefined) yield turn;
    await pause();
  }
}

/** Whether reads of a thread return a turn: it has not expired and is not superseded. */
export async function isShown(
  reader: Reader,
  { namespace }: ThreadName,
  turn: Memory,
  now: Instant,
): Promise<boolean> {
  return (
    !isExpired(turn, now) && (await storedSuccessor(reader, namespace, turn, now)) === undefined
  );
}

/**
 * Returns the key of a turn in `threadTurns`.
 *
 * @throws NOT_FOUND (MEMORY_NOT_FOUND) when the thread has no such turn
 */
export async function requireTurnKey(
  reader: Reader,
  { namespace, threadId }: ThreadName,
  id: string,
): Promise<string> {
  const turn = await reader.get("memories", namespace, id);
  if (turn === undefined || threadOf(turn) !== threadId) throw memoryNotFound(id);
  return turnKeyOf({ ...turn, threadId });
}

/** Returns the error for a thread that is too long for one call. */
export function threadTooLong(problem: string, remedy: string): VademecumError {
  return new VademecumError("FAILED_PRECONDITION", "THREAD_TOO_LONG", `${problem}; ${remedy}`, {
    field: "thread_id",
  });
}
