import { VademecumError } from "../model/errors.js";
import type { Quota } from "../model/quota.js";
import type { Transaction, Usage } from "../ports/store.js";

/**
 * An update that shortens a text can still lengthen its records by this many bytes: the new time
 * and version may take a few bytes more. So growth of at most this size passes, until the user is
 * `slackBytes` above the quota. Every new record is larger than this size.
 */
const bookkeepingBytes = 32;
const slackBytes = 64 * 1024;

/**
 * Runs `write`, and checks that the user is within the quota afterwards. A user may already exceed
 * the quota, because it was lowered. Only growth is refused.
 *
 * @throws RESOURCE_EXHAUSTED (QUOTA_EXCEEDED) when the user holds more than before and more than
 *   the quota allows
 */
export async function withinQuota<T>(
  tx: Transaction,
  userId: string,
  quota: Quota,
  write: () => Promise<T>,
): Promise<T> {
  const before = await tx.usage();
  const result = await write();
  requireQuota(userId, quota, before, await tx.usage());
  return result;
}

function requireQuota(userId: string, quota: Quota, before: Usage, after: Usage): void {
  const { memories = Infinity, bytes = Infinity } = quota;
  if (after.memories > memories && after.memories > before.memories)
    throw quotaExceeded(userId, "memories", after.memories, memories);
  const growthBytes = after.bytes - before.bytes;
  const isBookkeeping = growthBytes <= bookkeepingBytes && after.bytes <= bytes + slackBytes;
  if (after.bytes > bytes && growthBytes > 0 && !isBookkeeping)
    throw quotaExceeded(userId, "bytes", after.bytes, bytes);
}

function quotaExceeded(
  userId: string,
  unit: keyof Usage,
  wanted: number,
  allowed: number,
): VademecumError {
  const description = `the user would hold ${wanted} ${unit}; the quota is ${allowed}`;
  return new VademecumError(
    "RESOURCE_EXHAUSTED",
    "QUOTA_EXCEEDED",
    `${description}. Delete what is no longer needed, or ask the operator for a larger quota`,
    {
      quotas: [{ subject: `user:${userId}`, description }],
      metadata: { quota: unit, limit: String(allowed) },
    },
  );
}
