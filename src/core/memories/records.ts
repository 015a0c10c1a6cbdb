import { invalidField } from "../model/errors.js";
import {
  compareInstants,
  type Instant,
  instantOfMillis,
  millisOfInstant,
} from "../model/instant.js";
import type { Memory } from "../model/memory.js";
import type { Namespace } from "../model/namespace.js";
import { timelineKey } from "../model/record-keys.js";
import { isExpired } from "../model/visibility.js";
import type { Reader, Transaction, VectorProfile } from "../ports/store.js";
import { type Deletion, removeTextsAbout } from "../proposal-records/remove-texts.js";
import { createPause } from "../requests/pause.js";
import { vectorTableOf } from "../vectors/collection.js";
import { profileKey, putVector, type StoredVector } from "../vectors/vectors.js";
import { noteTurnChange } from "./thread-records.js";
import { removeVersions } from "./versions.js";

/**
 * Writes a new memory with its timeline entry, its place in its thread, its external id and its
 * vector. `profile` is the namespace's profile before the write. Requires: the ids are not in use,
 * and the time of the transaction is the memory's `createTime`.
 */
export async function insertMemory(
  tx: Transaction,
  namespace: Namespace,
  memory: Memory,
  stored: StoredVector | undefined,
  profile: VectorProfile | undefined,
): Promise<void> {
  tx.put("memories", namespace, memory.id, memory);
  tx.put("timeline", namespace, timelineKey(memory), null);
  if (memory.externalId !== undefined)
    tx.put("externalIds", namespace, memory.externalId, memory.id);
  putVector(tx, namespace, memory.id, stored, profile);
  const timeMs = millisOfInstant(memory.createTime);
  await noteTurnChange(tx, namespace, { before: undefined, after: memory }, timeMs);
}

/**
 * Refuses to store a memory that no read would return.
 *
 * @throws INVALID_ARGUMENT (INVALID_FIELD) when the time of expiry is not in the future
 */
export function requireFuture(expireTime: Instant | undefined, nowMs: number): void {
  if (expireTime === undefined || compareInstants(expireTime, instantOfMillis(nowMs)) > 0) return;
  throw invalidField(
    "expire_time",
    `must be later than the server's time, ${new Date(nowMs).toISOString()}; ` +
      "leave it out if the memory should not expire",
  );
}

/** Returns the next version of a memory, with changed fields. */
export function changedMemory(memory: Memory, changes: Partial<Memory>, nowMs: number): Memory {
  return { ...memory, ...changes, updateTime: instantOfMillis(nowMs), version: memory.version + 1 };
}

/** Reads the current successor of a memory from the store. See `currentSuccessor`. */
export async function storedSuccessor(
  reader: Pick<Reader, "get">,
  namespace: Namespace,
  { supersededBy }: Memory,
  now: Instant,
): Promise<Memory | undefined> {
  for (let id = supersededBy; id !== undefined; ) {
    const successor = await reader.get("memories", namespace, id);
    if (successor === undefined || !isExpired(successor, now)) return successor;
    id = successor.supersededBy;
  }
  return undefined;
}

/**
 * Deletes memories, with the texts of all proposals about them. Ignores ids that do not exist.
 * Returns the number of memories deleted. Requires: `deletion.userId` is the user of the namespace.
 */
export async function removeMemories(
  deletion: Deletion,
  namespace: Namespace,
  ids: ReadonlySet<string>,
): Promise<number> {
  const { tx, nowMs } = deletion;
  const timeMs = tx.commitTimeMs(nowMs);
  let removed = 0;
  const pause = createPause();
  for (const id of ids) {
    await pause();
    // Read one after the other: removing a memory may change the links of the next memory.
    const memory = await tx.get("memories", namespace, id);
    if (memory === undefined) continue;
    await removeMemory(tx, namespace, memory, timeMs);
    removed += 1;
  }
  await removeTextsAbout(deletion, { kind: "memories", agentId: namespace.agentId, ids });
  return removed;
}

/**
 * Deletes a memory with its timeline entry, its place in its thread, its earlier versions, its
 * external id and its vector. Then links its neighbours in the chain of supersession: the successor
 * now supersedes the predecessor. Without a successor, the predecessor becomes current again.
 */
async function removeMemory(
  tx: Transaction,
  namespace: Namespace,
  memory: Memory,
  nowMs: number,
): Promise<void> {
  tx.delete("memories", namespace, memory.id);
  tx.delete(vectorTableOf(await tx.get("profiles", namespace, profileKey)), namespace, memory.id);
  tx.delete("timeline", namespace, timelineKey(memory));
  await noteTurnChange(tx, namespace, { before: memory, after: undefined }, nowMs);
  removeVersions(tx, namespace, memory);
  tx.delete("memoryUses", namespace, memory.id);
  if (memory.externalId !== undefined) tx.delete("externalIds", namespace, memory.externalId);
  const older = await neighbour(
    tx,
    namespace,
    memory.supersedes,
    (found) => found.supersededBy === memory.id,
  );
  const newer = await neighbour(
    tx,
    namespace,
    memory.supersededBy,
    (found) => found.supersedes === memory.id,
  );
  if (older !== undefined) {
    const { supersededBy: _, ...current } = older;
    const link = newer === undefined ? {} : { supersededBy: newer.id };
    tx.put("memories", namespace, older.id, changedMemory(current, link, nowMs));
  }
  if (newer !== undefined) {
    const { supersedes: _, ...first } = newer;
    const link = older === undefined ? {} : { supersedes: older.id };
    tx.put("memories", namespace, newer.id, changedMemory(first, link, nowMs));
  }
}

/** Returns the memory at the other end of a link, if it exists and links back. */
async function neighbour(
  tx: Transaction,
  namespace: Namespace,
  id: string | undefined,
  linksBack: (found: Memory) => boolean,
): Promise<Memory | undefined> {
  const found = id === undefined ? undefined : await tx.get("memories", namespace, id);
  return found !== undefined && linksBack(found) ? found : undefined;
}
