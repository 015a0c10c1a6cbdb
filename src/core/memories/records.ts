import { instantOfMillis } from "../model/instant.js";
import type { Memory } from "../model/memory.js";
import type { Namespace } from "../model/namespace.js";
import type { Transaction, VectorProfile } from "../ports/store.js";
import { timelineKey } from "../requests/timeline.js";
import { vectorTableOf } from "../vectors/collection.js";
import { profileKey, putVector, type StoredVector } from "../vectors/vectors.js";

/** Writes a new memory with all that belongs to it. `profile`: that of the namespace so far. REQUIRES: its id is not in use. */
export function insertMemory(
  tx: Transaction,
  namespace: Namespace,
  memory: Memory,
  stored: StoredVector | undefined,
  profile: VectorProfile | undefined,
): void {
  tx.put("memories", namespace, memory.id, memory);
  tx.put("timeline", namespace, timelineKey(memory), null);
  putVector(tx, namespace, memory.id, stored, profile);
}

/** The memory with changed fields, as the next version. */
export function changedMemory(memory: Memory, changes: Partial<Memory>, nowMs: number): Memory {
  return { ...memory, ...changes, updateTime: instantOfMillis(nowMs), version: memory.version + 1 };
}

/** Deletes a memory with all that belongs to it, and closes the gap in its chain: what it had superseded is superseded by what superseded it, or current again. */
export async function removeMemory(
  tx: Transaction,
  namespace: Namespace,
  memory: Memory,
  nowMs: number,
): Promise<void> {
  tx.delete("memories", namespace, memory.id);
  tx.delete(vectorTableOf(await tx.get("profiles", namespace, profileKey)), namespace, memory.id);
  tx.delete("timeline", namespace, timelineKey(memory));
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

/** The memory at the other end of a link, if it is there and links back. */
async function neighbour(
  tx: Transaction,
  namespace: Namespace,
  id: string | undefined,
  linksBack: (found: Memory) => boolean,
): Promise<Memory | undefined> {
  const found = id === undefined ? undefined : await tx.get("memories", namespace, id);
  return found !== undefined && linksBack(found) ? found : undefined;
}
