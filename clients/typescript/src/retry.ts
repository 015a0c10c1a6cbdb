import { Code } from "@connectrpc/connect";
import type { VademecumError } from "./errors.js";

/** The retry policy of clients/service-config.json, which gRPC clients read from that file. */
export const retryPolicy = {
  maxAttempts: 4,
  initialBackoffMs: 100,
  maxBackoffMs: 2_000,
  backoffMultiplier: 2,
} as const;

/**
 * Waits before attempt `attempt + 1` if the error allows a retry. Resolves with whether it does.
 *
 * Retries are safe for every call of this package, because each mutation carries an idempotency
 * key.
 */
export async function waitForRetry(
  error: VademecumError,
  attempt: number,
  signal: AbortSignal,
): Promise<boolean> {
  if (error.code !== Code.Unavailable || attempt >= retryPolicy.maxAttempts || signal.aborted)
    return false;
  const backoffMs = Math.min(
    retryPolicy.maxBackoffMs,
    retryPolicy.initialBackoffMs * retryPolicy.backoffMultiplier ** (attempt - 1),
  );
  await new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    // gRPC's jitter of ±20 %, so that clients do not all return at once.
    const timer = setTimeout(done, backoffMs * (0.8 + 0.4 * Math.random()));
    signal.addEventListener("abort", done);
  });
  return !signal.aborted;
}
