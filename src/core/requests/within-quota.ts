import { VademecumError } from "../model/errors.js";
import type { Scope } from "../model/namespace.js";
import type { Quota } from "../model/quota.js";
import { idOf } from "../model/slot-range.js";
import type { Transaction } from "../ports/store.js";
import type { Usage } from "../ports/usage.js";

/**
 * Growth of at most this size, in bytes, passes although the user or run is above the quota. Even
 * an update that shortens a text may grow the record, because the new time and version may take a
 * few bytes more. Every new record is larger than this size.
 */
export const bookkeepingBytes = 32;

/** If the user or run is more than this number of bytes above the quota, no growth passes. */
const slackBytes = 64 * 1024;

/**
 * Runs `write`, and checks that the user or run is within the quota afterwards. It may already
 * exceed a quota that was lowered, so only growth is refused. Requires: `tx` has written nothing.
 *
 * @throws RESOURCE_EXHAUSTED (QUOTA_EXCEEDED) when the user or run would hold more than before and
 *   more than the quota allows
 */
export async function withinQuota<T>(
  tx: Transaction,
  scope: Scope,
  quota: Quota,
  write: () => Promise<T>,
): Promise<T> {
  const result = await write();
  // Most calls are far below the quota, and need no look-up.
  if (allows(quota, tx.usageAtMost())) return result;
  const after = await tx.usage();
  if (!allows(quota, after)) requireNoGrowth(scope, quota, await tx.usageBefore(), after);
  return result;
}

function allows({ memories = Infinity, bytes = Infinity }: Quota, usage: Usage): boolean {
  return usage.memories <= memories && usage.bytes <= bytes;
}

function requireNoGrowth(scope: Scope, quota: Quota, before: Usage, after: Usage): void {
  const { memories = Infinity, bytes = Infinity } = quota;
  if (after.memories > memories && after.memories > before.memories)
    throw quotaExceeded(scope, "memories", after.memories, memories);
  const growthBytes = after.bytes - before.bytes;
  const isBookkeeping = growthBytes <= bookkeepingBytes && after.bytes <= bytes + slackBytes;
  if (after.bytes > bytes && growthBytes > 0 && !isBookkeeping)
    throw quotaExceeded(scope, "bytes", after.bytes, bytes);
}

function quotaExceeded(
  scope: Scope,
  unit: keyof Usage,
  wanted: number,
  allowed: number,
): VademecumError {
  const description = `the ${scope.kind} would hold ${wanted} ${unit}; the quota is ${allowed}`;
  return new VademecumError(
    "RESOURCE_EXHAUSTED",
    "QUOTA_EXCEEDED",
    `${description}. Delete what is no longer needed, or ask the operator for a larger quota`,
    {
      quotas: [{ subject: `${scope.kind}:${idOf(scope)}`, description }],
      metadata: { quota: unit, limit: String(allowed) },
    },
  );
}
