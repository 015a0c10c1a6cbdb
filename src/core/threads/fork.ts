import { mutateGrowing } from "../memories/namespace-growth.js";
import { insertMemory } from "../memories/records.js";
import { requireUnused } from "../memories/write-draft.js";
import { VademecumError } from "../model/errors.js";
import { instantOfMillis } from "../model/instant.js";
import { happenedAt, type Memory } from "../model/memory.js";
import { writerOf } from "../model/writer.js";
import type { Call } from "../ports/call.js";
import type { Reader, Transaction } from "../ports/store.js";
import { commitSeqOf } from "../requests/commit-seq.js";
import { createPause } from "../requests/pause.js";
import { vectorTableOf } from "../vectors/collection.js";
import { profileKey } from "../vectors/vectors.js";
import { writesAllowed } from "../vectors/write-gate.js";
import type { ForkedThread, ForkThreadInput, ThreadServiceParts } from "./service.js";
import { isShown, requireTurnKey, threadTooLong, threadTurnsMax, turnsOf } from "./turns.js";

/** Maximum size of the contents that one call copies, in bytes of UTF-8. */
const copiedBytesMax = 16 * 1024 * 1024;

/** The stored reply to a fork. */
interface ForkReply {
  /** A turn of the new thread, whose name the reply must not keep after ClearThread. */
  readonly turnId: string;
  readonly turnCount: number;
  readonly version: number;
  readonly seq: number;
}

/** Copies the first turns of a thread into a new one, in one transaction. */
export async function forkThread(
  parts: ThreadServiceParts,
  input: ForkThreadInput,
  call: Call,
): Promise<ForkedThread> {
  const { namespace, newThreadId } = input;
  const nowMs = parts.clock.nowMs();
  await writesAllowed(parts.gate, namespace, call);
  const mutation = {
    ...{ rpc: "ForkThread", target: namespace, input, nowMs, allowance: call.allowance },
    stands: async (tx: Reader, { turnId }: ForkReply) =>
      (await tx.get("threads", namespace, newThreadId)) !== undefined ||
      (await tx.get("memories", namespace, turnId))?.threadId !== undefined,
  };
  const { result, head } = await mutateGrowing<ForkReply>(parts, mutation, async (tx) => {
    if ((await tx.get("threads", namespace, newThreadId)) !== undefined) throw exists(newThreadId);
    const turnIds = await copyTurns(tx, parts, input, nowMs, call);
    const [turnId] = turnIds;
    if (turnId === undefined) throw notFound(input.threadId);
    const thread = await tx.get("threads", namespace, newThreadId);
    const turnCount = turnIds.length;
    return { turnId, turnCount, version: thread?.version ?? 0, seq: tx.head.seq + 1 };
  });
  const { turnCount, version, seq } = result;
  return { turnCount, version, commitSeq: commitSeqOf({ ...head, seq }, namespace.userId) };
}

/** Copies turns, and returns the ids of the copies. */
async function copyTurns(
  tx: Transaction,
  { ids }: Pick<ThreadServiceParts, "ids">,
  input: ForkThreadInput,
  nowMs: number,
  call: Call,
): Promise<readonly string[]> {
  const { lastId } = input;
  if (lastId !== undefined) await requireTurnKey(tx, input, lastId);
  const now = instantOfMillis(nowMs);
  const timeMs = tx.commitTimeMs(nowMs);
  const pause = createPause();
  let bytes = 0;
  const turns: Memory[] = [];
  for await (const turn of turnsOf(tx, input)) {
    call.throwIfEnded();
    if (await isShown(tx, input, turn, now)) turns.push(turn);
    bytes += Buffer.byteLength(turn.content);
    requireSize(turns.length, bytes);
    if (turn.id === lastId) break;
  }
  const copies: string[] = [];
  for (const turn of turns) {
    const id = ids.next(timeMs);
    await copyTurn(tx, input, turn, id, timeMs, call);
    copies.push(id);
    await pause();
  }
  return copies;
}

async function copyTurn(
  tx: Transaction,
  { namespace, newThreadId }: ForkThreadInput,
  turn: Memory,
  id: string,
  timeMs: number,
  { principal }: Call,
): Promise<void> {
  const { supersedes: _, supersededBy: __, writtenBy: ___, ...others } = turn;
  const { externalId: ____, history: _____, ...fields } = others;
  const createTime = instantOfMillis(timeMs);
  const copy: Memory = {
    ...fields,
    ...writerOf(principal.name),
    ...{ id, threadId: newThreadId, eventTime: happenedAt(turn), version: 1 },
    ...{ createTime, updateTime: createTime },
  };
  await requireUnused(tx, namespace, id);
  const profile = await tx.get("profiles", namespace, profileKey);
  const vector = await tx.get(vectorTableOf(profile), namespace, turn.id);
  const stored = vector && profile && { vector, profile };
  await insertMemory(tx, namespace, copy, stored, profile);
}

function requireSize(turns: number, bytes: number): void {
  if (turns <= threadTurnsMax && bytes <= copiedBytesMax) return;
  throw threadTooLong(
    `has more than ${threadTurnsMax} turns or 16 MiB of content to copy`,
    "copy fewer turns with last_id, or append the turns that you need to a new thread",
  );
}

function exists(threadId: string): VademecumError {
  return new VademecumError(
    "FAILED_PRECONDITION",
    "THREAD_EXISTS",
    `thread '${threadId}' has turns already; choose another id, or clear the thread first`,
    { field: "new_thread_id" },
  );
}

function notFound(threadId: string): VademecumError {
  return new VademecumError("NOT_FOUND", "THREAD_NOT_FOUND", `thread '${threadId}' not found`, {
    field: "thread_id",
  });
}
