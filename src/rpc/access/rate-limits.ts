import { LRUCache } from "lru-cache";
import { VademecumError } from "../../core/model/errors.js";
import { identityOf, type Principal } from "../../core/model/principal.js";

/** Limits how much each principal may ask for in a time. A principal without limits is not slowed. */
export interface RateLimits {
  /**
   * Counts a call.
   *
   * @throws RESOURCE_EXHAUSTED (RATE_EXCEEDED) with the time until the next call may come
   */
  countCall(principal: Principal): void;
  /**
   * Counts the bytes of a request. A request may be larger than one second's share: the principal
   * then waits until the average is right again.
   *
   * @throws RESOURCE_EXHAUSTED (RATE_EXCEEDED) with the time until the next request may come
   */
  countBytes(principal: Principal, bytes: number): void;
}

/** Principals whose use is kept. A principal that is forgotten starts with a full bucket. */
const principalsMax = 10_000;

/**
 * A token bucket. It fills at a steady rate up to its size. Its content may fall below zero, by one
 * request.
 */
interface Bucket {
  content: number;
  filledMs: number;
}

/**
 * Creates limits by token buckets: one for the calls of a principal, one for its bytes.
 *
 * @param nowMs milliseconds of a clock that never jumps
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
    // A call needs a whole token. Bytes need only that no earlier request is still to be made up.
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
        `calls ${identityOf(principal)}`,
        1,
        callsPerSecond,
        Math.max(1, burst ?? callsPerSecond),
      );
    },
    countBytes(principal, bytes) {
      const { bytesPerSecond } = principal.limits ?? {};
      if (bytesPerSecond === undefined) return;
      take(`bytes ${identityOf(principal)}`, bytes, bytesPerSecond, Math.max(1, bytesPerSecond));
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
