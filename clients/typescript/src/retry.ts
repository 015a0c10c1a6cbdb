import { Code } from "@connectrpc/connect";
import type { VademecumError } from "./errors.js";

/** The figures of clients/service-config.json. */
const retryPolicy = {
  maxAttempts: 4,
  initialBackoffMs: 100,
  maxBackoffMs: 2_000,
  backoffMultiplier: 2,
} as const;

/**
 * Waits before attempt `attempt + 1` if the error allows a retry. Resolves with whether it does.
 *
 * UNAVAILABLE is tried four times in all. RESOURCE_EXHAUSTED is tried until the deadline, if the
 * service says when; an exhausted quota is not, because waiting does not help. Retries are safe for
 * every call of this package, because each mutation carries an idempotency key.
 *
 * @param remainingMs time until the deadline of the call; a pause that ends later is not made
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

/** With jitter, so that clients do not all return at once. Never before the service's time. */
function pauseBefore({ retryAfterMs = 0 }: VademecumError, attempt: number): number {
  const { initialBackoffMs, maxBackoffMs, backoffMultiplier } = retryPolicy;
  const backoffMs = Math.min(maxBackoffMs, initialBackoffMs * backoffMultiplier ** (attempt - 1));
  return Math.max(
    backoffMs * (0.8 + 0.4 * Math.random()),
    // A timer may fire up to a millisecond early.
    Math.ceil(retryAfterMs * (1 + 0.2 * Math.random())) + 1,
  );
}
