import { Code } from "@connectrpc/connect";
import type { VademecumError } from "./errors.js";

/** The retry policy of clients/service-config.json, which clients with gRPC's own retries read. */
export const retryPolicy = {
  maxAttempts: 4,
  initialBackoffMs: 100,
  maxBackoffMs: 2_000,
  backoffMultiplier: 2,
} as const;

/**
 * Waits before attempt `attempt + 1`, if the error allows another one; resolves with whether it does.
 * Safe for every call of this package: each mutation carries an idempotency key.
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
    // As gRPC does it: a fifth more or less, so that clients do not come back all at once.
    const timer = setTimeout(done, backoffMs * (0.8 + 0.4 * Math.random()));
    signal.addEventListener("abort", done);
  });
  return !signal.aborted;
}
