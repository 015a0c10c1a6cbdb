import { setTimeout as wait } from "node:timers/promises";
import pRetry from "p-retry";
import type { Log } from "../../core/ports/log.js";
import { EndpointFailure } from "./endpoint-failure.js";

/** When a failed request is made again. */
export interface RetryPolicy {
  /** Requests after the first. */
  readonly retries: number;
  /** Wait before the first retry, in milliseconds. Each further one is twice as long; all are lengthened by a random share of up to 1. */
  readonly minDelayMs: number;
  /** The longest wait that an endpoint may ask for (`Retry-After`), in milliseconds. If it asks for more, the caller is told so at once. */
  readonly maxRetryAfterMs: number;
}

/** About four seconds in all: callers wait for 30 by default, and know best whether to try on. */
export const defaultRetryPolicy: RetryPolicy = {
  retries: 3,
  minDelayMs: 400,
  maxRetryAfterMs: 10_000,
};

/** Makes a request until it succeeds, as often as the policy says. Waits at least as long as the endpoint asks. @throws the last EndpointFailure; the signal's reason */
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
      log("warn", "the embedding endpoint failed", { what: error.what, attempt: attemptNumber });
      if (retriesLeft > 0 && canWait(error))
        await wait(error.retryAfterMs ?? 0, undefined, { signal });
    },
  });
}
