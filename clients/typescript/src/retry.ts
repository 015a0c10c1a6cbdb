import { Code } from "@connectrpc/connect";
import type { VademecumError } from "./errors.js";

/** The values of clients/service-config.json. */
const retryPolicy = {
  maxAttempts: 4,
  initialBackoffMs: 100,
  maxBackoffMs: 2_000,
  backoffMultiplier: 2,
} as const;

/**
 * Waits before attempt `attempt + 1` if the error allows a retry. Resolves with false if the error
 * does not allow one.
 *
 * A call that fails with UNAVAILABLE is tried at most four times. A call that fails with
 * RESOURCE_EXHAUSTED is retried until its deadline if the service names a delay. An exhausted quota
 * is not retried, because waiting does not help. Retries are safe for every call of this package,
 * because each mutation carries an idempotency key.
 *
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
 * Returns the pause before the next attempt. Jitter keeps clients from all returning at the same
 * time. The pause is never shorter than the delay that the service names.
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
