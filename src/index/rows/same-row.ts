import { compareInstants } from "../../core/model/instant.js";
import { happenedAt, type Memory } from "../../core/model/memory.js";

/** Whether a changed memory keeps its row: its texts and its position in the thread are equal. */
export function isSameRow(before: Memory, after: Memory): boolean {
  return (
    before.content === after.content &&
    before.kind === after.kind &&
    before.tags.length === after.tags.length &&
    before.tags.every((tag, at) => tag === after.tags[at]) &&
    before.threadId === after.threadId &&
    before.restricted === after.restricted &&
    before.memoryType === after.memoryType &&
    (before.eventTime === undefined) === (after.eventTime === undefined) &&
    compareInstants(happenedAt(before), happenedAt(after)) === 0
  );
}
