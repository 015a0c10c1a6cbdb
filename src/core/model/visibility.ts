import { compareInstants, type Instant } from "./instant.js";
import type { Memory } from "./memory.js";

/**
 * Whether searches and listings may return a memory. Expired memories are never returned,
 * superseded ones only with `includeSuperseded`.
 */
export function isVisible(memory: Memory, now: Instant, includeSuperseded: boolean): boolean {
  return !isExpired(memory, now) && (includeSuperseded || memory.supersededBy === undefined);
}

/** Whether a memory has expired. No read returns an expired memory. */
export function isExpired({ expireTime }: Memory, now: Instant): boolean {
  return expireTime !== undefined && compareInstants(expireTime, now) <= 0;
}
