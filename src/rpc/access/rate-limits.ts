import { LRUCache } from "lru-cache";
import { VademecumError } from "../../core/model/errors.js";
import { accountOf, type Principal } from "../../core/model/principal.js";

/**
 * Limits the calls and bytes of each principal per second. Does not limit a principal without
 * limits.
 */
export interface RateLimits {
  /**
   * Counts a call.
   *
   * @throws RESOURCE_EXHAUSTED (RATE_EXCEEDED) with the time until the next call may come
   */
  countCall(principal: Principal): void;
  /**
   * Counts the bytes of a request. One request may be larger than the limit of a whole second. The
   * next request then has to wait until the average is within the limit again.
   *
   * @throws RESOURCE_EXHAUSTED (RATE_EXCEEDED) with the time until the next request may come
   */
  countBytes(principal: Principal, bytes: number): void;
}

/** Maximum number of principals with buckets. An evicted principal starts with full buckets. */
const principalsMax = 10_000;

/**
 * A token bucket, which fills at a steady rate up to its size. One request may take the content
 * of the bucket below zero.
 */
interface Bucket {
  content: number;
  filledMs: number;
}

/**
 * Creates limits by token buckets: one for the calls of a principal, one for its bytes.
 *
 * @param nowMs returns the milliseconds of a monotonic clock
 */
export function createRateLimits(nowMs: () => number): RateLimits {
  const buckets = new LRUCache<string, Bucket>({ max: 2 * principalsMax });
  const take = (key: string, amount: number, perSecond: number, size: number): void => {
    const now = nowMs();
    const bucket = buckets.get(key) ?? { content: size, filledMs: now };
    const filled = bucket.content + ((now - bucket.filledMs) * perSecond) / 1000;
    bucket.content = Math.min(size, filled);
    bucket.filledMs = now;
    buckets.set(key, bucket);
    // A call needs a whole token. A request of any size may pass once the bucket holds one byte.
    const needed = Math.min(amount, 1);
    if (bucket.content < needed)
      throw rateExceeded(Math.ceil(((needed - bucket.content) * 1000) / perSecond));
    bucket.content -= amount;
  };
  return {
    countCall(principal) {
      const { callsPerSecond, burst } = principal.limits ?? {};
      if (callsPerSecond === undefined) return;
      take(
        `calls ${accountOf(principal)}`,
        1,
        callsPerSecond,
        Math.max(1, burst ?? callsPerSecond),
      );
    },
    countBytes(principal, bytes) {
      const { bytesPerSecond } = principal.limits ?? {};
      if (bytesPerSecond === undefined) return;
      take(`bytes ${accountOf(principal)}`, bytes, bytesPerSecond, Math.max(1, bytesPerSecond));
    },
  };
}

function rateExceeded(retryAfterMs: number): VademecumError {
  return new VademecumError(
    "RESOURCE_EXHAUSTED",
    "RATE_EXCEEDED",
    `your credentials have used up their rate; retry in ${retryAfterMs} ms`,
    { retryAfterMs },
  );
}
