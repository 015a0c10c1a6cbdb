import { compareInstants, type Instant } from "./instant.js";
import type { Memory } from "./memory.js";

/** Whether searches and listings return a memory: not expired, and not superseded unless that is asked for. */
export function isVisible(memory: Memory, now: Instant, includeSuperseded: boolean): boolean {
  return !isExpired(memory, now) && (includeSuperseded || memory.supersededBy === undefined);
}

/** Whether a memory's time is up, so that no read returns it. */
export function isExpired({ expireTime }: Memory, now: Instant): boolean {
  return expireTime !== undefined && compareInstants(expireTime, now) <= 0;
}
