import type { Table } from "../core/ports/store.js";
import type { Usage } from "../core/ports/usage.js";

export const noUsage: Usage = { memories: 0, bytes: 0 };

/**
 * Tables whose records do not count towards the usage. They hold stored replies and positions of
 * webhooks, which go by themselves. If they counted, even a deletion would add bytes, because it
 * writes them.
 */
const uncountedTables: ReadonlySet<Table> = new Set<Table>([
  "replies",
  "replyExpiries",
  "deliveries",
]);

/** Returns the bytes that a record of a table adds to the usage. */
export function recordBytes(table: Table, key: string, valueBytes: number): number {
  return isUncounted(table) ? 0 : storedBytes(key, valueBytes);
}

/** Whether the records of a table add nothing to the usage. */
export function isUncounted(table: Table): boolean {
  return uncountedTables.has(table);
}

/** Returns the bytes that a record of any table adds to the total of its account. */
export function storedBytes(key: string, valueBytes: number): number {
  return Buffer.byteLength(key) + valueBytes;
}

/** Returns a usage after a change. Positive numbers add, negative numbers subtract. */
export function changeUsage(
  { memories, bytes }: Usage,
  memoriesMore: number,
  bytesMore: number,
): Usage {
  // Records that reappear after damage are not in the counts, so deleting them could make a count
  // negative.
  return {
    memories: Math.max(0, memories + memoriesMore),
    bytes: Math.max(0, bytes + bytesMore),
  };
}
