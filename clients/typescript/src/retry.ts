import { Code } from "@connectrpc/connect";
import type { VademecumError } from "./errors.js";

/** These values are the same as in clients/service-config.json. */
const retryPolicy = {
  maxAttempts: 4,
  initialBackoffMs: 100,
  maxBackoffMs: 2_000,
  backoffMultiplier: 2,
} as const;

/**
 * Decides whether a failed call is retried. If so, waits until the next attempt and resolves with
 * true. Otherwise resolves with false.
 *
 * - UNAVAILABLE: the call is tried at most four times.
 * - RESOURCE_EXHAUSTED: if the server names a delay, the call is retried until its deadline.
 * - QUOTA_EXCEEDED: no retry, because waiting does not free a quota.
 * - All other errors: no retry.
 *
 * Retries are safe because each mutation carries an idempotency key.
 *
 * @param attempt number of failed attempts so far
 * @param remainingMs time until the deadline of the call; a longer pause means no retry
 */
export async function waitForRetry(
  error: VademecumError,
  attempt: number,
  signal: AbortSignal,
  remainingMs: number,
): Promise<boolean> {
  const pauseMs = pauseBefore(error, attempt);
  if (!isRetried(error, attempt) || signal.aborted || pauseMs >= remainingMs) return false;
  await new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, pauseMs);
    signal.addEventListener("abort", done);
  });
  return !signal.aborted;
}

function isRetried({ code, reason, retryAfterMs }: VademecumError, attempt: number): boolean {
  if (code === Code.Unavailable) return attempt < retryPolicy.maxAttempts;
  return (
    code === Code.ResourceExhausted && retryAfterMs !== undefined && reason !== "QUOTA_EXCEEDED"
  );
}

/**
 * Returns the pause before the next attempt, at least the delay that the server names. Jitter
 * spreads the retries of many clients.
 */
function pauseBefore({ retryAfterMs = 0 }: VademecumError, attempt: number): number {
  const { initialBackoffMs, maxBackoffMs, backoffMultiplier } = retryPolicy;
  const backoffMs = Math.min(maxBackoffMs, initialBackoffMs * backoffMultiplier ** (attempt - 1));
  return Math.max(
    backoffMs * (0.8 + 0.4 * Math.random()),
    // A timer may fire up to a millisecond early.
    Math.ceil(retryAfterMs * (1 + 0.2 * Math.random())) + 1,
  );
}
