import { compareInstants, type Instant } from "./instant.js";
import type { Memory } from "./memory.js";

/** Returns the memory of an id in the same namespace, or `undefined` if there is none. */
export type FindMemory = (id: string) => Memory | undefined;

/**
 * Whether searches and listings return a memory. The memory must not have expired. Without
 * `includeSuperseded`, it must have no current successor either.
 */
export function isVisible(
  memory: Memory,
  now: Instant,
  includeSuperseded: boolean,
  find: FindMemory,
): boolean {
  return (
    !isExpired(memory, now) &&
    (includeSuperseded || currentSuccessor(memory, now, find) === undefined)
  );
}

/** Whether a memory has expired. No read returns an expired memory. */
export function isExpired({ expireTime }: Memory, now: Instant): boolean {
  return expireTime !== undefined && compareInstants(expireTime, now) <= 0;
}

/**
 * Returns the current successor of a memory: the next memory of its chain that has not expired.
 * Expired memories in the chain are skipped. Returns `undefined` if the memory is current.
 */
export function currentSuccessor(
  memory: Memory,
  now: Instant,
  find: FindMemory,
): Memory | undefined {
  let successor = successorOf(memory, find);
  while (successor !== undefined && isExpired(successor, now))
    successor = successorOf(successor, find);
  return successor;
}

function successorOf({ supersededBy }: Memory, find: FindMemory): Memory | undefined {
  return supersededBy === undefined ? undefined : find(supersededBy);
}
