import { instantOfMillis } from "../model/instant.js";
import { happenedAt, type Memory } from "../model/memory.js";
import type { Namespace } from "../model/namespace.js";
import { threadTurnKey } from "../model/record-keys.js";
import { threadOf } from "../model/thread.js";
import type { Transaction } from "../ports/store.js";

/** A change of a memory, which may be a turn before it, after it, or both. */
export interface TurnChange {
  /** `undefined`: the memory is new. */
  readonly before: Memory | undefined;
  /** `undefined`: the memory is deleted. */
  readonly after: Memory | undefined;
}

/**
 * Writes the records of the threads that a change of a memory concerns. Every write of a memory
 * calls it, except writes that only change links of supersession. Reads nothing if the memory is no
 * turn. `timeMs` is the time of the transaction.
 */
export async function noteTurnChange(
  tx: Transaction,
  namespace: Namespace,
  { before, after }: TurnChange,
  timeMs: number,
): Promise<void> {
  const from = before && threadOf(before);
  const to = after && threadOf(after);
  if (from !== undefined) tx.delete("threadTurns", namespace, keyIn(from, before as Memory));
  if (to !== undefined) tx.put("threadTurns", namespace, keyIn(to, after as Memory), null);
  if (from === to) {
    if (to !== undefined) await changeThread(tx, namespace, to, 0, timeMs);
    return;
  }
  if (from !== undefined) await changeThread(tx, namespace, from, -1, timeMs);
  if (to !== undefined) await changeThread(tx, namespace, to, 1, timeMs);
}

/** Returns the key of a turn in `threadTurns`. */
export function turnKeyOf(turn: Memory & { readonly threadId: string }): string {
  return keyIn(turn.threadId, turn);
}

function keyIn(threadId: string, turn: Memory): string {
  return threadTurnKey(threadId, happenedAt(turn), turn.id);
}

async function changeThread(
  tx: Transaction,
  namespace: Namespace,
  threadId: string,
  growth: number,
  timeMs: number,
): Promise<void> {
  const thread = await tx.get("threads", namespace, threadId);
  const turnCount = (thread?.turnCount ?? 0) + growth;
  if (turnCount <= 0) {
    tx.delete("threads", namespace, threadId);
    return;
  }
  const updateTime = instantOfMillis(timeMs);
  const commit = tx.head.seq + 1;
  const last = thread?.version ?? 0;
  tx.put("threads", namespace, threadId, {
    turnCount,
    // Not the last version plus one: a thread that was deleted would then repeat its versions.
    version: last <= commit ? commit : last + 1,
    createTime: thread?.createTime ?? updateTime,
    updateTime,
  });
}
