import { instantOfMillis } from "../instant.js";
import type { Memory } from "../memory.js";
import type { Namespace } from "../namespace.js";
import type { Transaction } from "../store.js";
import { timelineKey } from "../timeline.js";
import { profileKey, type StoredVector } from "../vectors.js";

/** Writes a new memory with all that belongs to it. REQUIRES: its id is not in use. */
export function insertMemory(tx: Transaction, namespace: Namespace, memory: Memory, stored: StoredVector | undefined): void {
  tx.put("memories", namespace, memory.id, memory);
  tx.put("timeline", namespace, timelineKey(memory), null);
  putVector(tx, namespace, memory.id, stored);
}

/** Gives a memory its vector, or none. */
export function putVector(tx: Transaction, namespace: Namespace, id: string, stored: StoredVector | undefined): void {
  if (stored === undefined) {
    tx.delete("vectors", namespace, id);
    return;
  }
  tx.put("vectors", namespace, id, stored.vector);
  tx.put("profiles", namespace, profileKey, stored.profile);
}

/** The memory with changed fields, as the next version. */
export function changedMemory(memory: Memory, changes: Partial<Memory>, nowMs: number): Memory {
  return { ...memory, ...changes, updateTime: instantOfMillis(nowMs), version: memory.version + 1 };
}

/** Deletes a memory with all that belongs to it; a memory that it had superseded is current again. */
export async function removeMemory(tx: Transaction, namespace: Namespace, memory: Memory, nowMs: number): Promise<void> {
  tx.delete("memories", namespace, memory.id);
  tx.delete("vectors", namespace, memory.id);
  tx.delete("timeline", namespace, timelineKey(memory));
  if (memory.supersedes === undefined) return;
  const superseded = await tx.get("memories", namespace, memory.supersedes);
  if (superseded?.supersededBy !== memory.id) return;
  const { supersededBy: _, ...current } = superseded;
  tx.put("memories", namespace, current.id, changedMemory(current, {}, nowMs));
}
