import { compareInstants, type Instant, millisOfInstant } from "../model/instant.js";
import type { Memory } from "../model/memory.js";

/** Key of a memory in the `timeline` table: keys in byte order are memories in the order of `create_time`, then id. */
export function timelineKey({
  createTime,
  id,
}: {
  readonly createTime: Instant;
  readonly id: string;
}): string {
  // 12 hexadecimal digits hold milliseconds until the year 10889.
  return `${millisOfInstant(createTime).toString(16).padStart(12, "0")}${id}`;
}

/** The id in a timeline key. */
export function idOfTimelineKey(key: string): string {
  return key.slice(12);
}

/** Orders memories newest first: by `create_time`, then id, both descending. Zero only for a memory and itself. */
export function compareNewestFirst(a: Memory, b: Memory): number {
  return compareInstants(b.createTime, a.createTime) || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0);
}
