import { setTimeout as wait } from "node:timers/promises";
import pRetry from "p-retry";
import type { Log } from "../../core/ports/log.js";
import { EndpointFailure } from "./endpoint-failure.js";

/** When to retry a failed request. */
export interface RetryPolicy {
  /** Maximum number of retries. */
  readonly retries: number;
  /**
   * Wait before the first retry, in milliseconds. Each further wait is twice as long. A random time
   * is added to each wait, at most the wait itself.
   */
  readonly minDelayMs: number;
  /**
   * The longest wait of an endpoint (`Retry-After`) that is respected, in milliseconds. If the
   * endpoint asks for more, the call fails immediately and passes the wait on to the caller.
   */
  readonly maxRetryAfterMs: number;
}

/**
 * The waits take about four seconds in all. Callers wait for 30 seconds by default, and know best
 * whether to retry.
 */
export const defaultRetryPolicy: RetryPolicy = {
  retries: 3,
  minDelayMs: 400,
  maxRetryAfterMs: 10_000,
};

/**
 * Makes a request and retries it by the policy. Waits at least as long as the endpoint asks. Throws
 * the last `EndpointFailure`, or the signal's reason.
 */
export function withRetries<T>(
  request: () => Promise<T>,
  policy: RetryPolicy,
  signal: AbortSignal,
  log: Log,
): Promise<T> {
  const { retries, minDelayMs, maxRetryAfterMs } = policy;
  const canWait = (error: Error) =>
    error instanceof EndpointFailure &&
    error.remedy === "wait" &&
    (error.retryAfterMs ?? 0) <= maxRetryAfterMs;
  return pRetry(request, {
    retries,
    minTimeout: minDelayMs,
    randomize: true,
    signal,
    shouldRetry: ({ error }) => canWait(error),
    async onFailedAttempt({ error, attemptNumber, retriesLeft }) {
      if (!(error instanceof EndpointFailure)) return;
      log("warn", "the embedding endpoint failed", { what: error.event, attempt: attemptNumber });
      if (retriesLeft > 0 && canWait(error))
        await wait(error.retryAfterMs ?? 0, undefined, { signal });
    },
  });
}
