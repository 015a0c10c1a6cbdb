import { Code, ConnectError } from "@connectrpc/connect";
import { VademecumError } from "./errors.js";

/** These values are the same as in clients/service-config.json. */
const retryPolicy = {
  maxAttempts: 4,
  initialBackoffMs: 100,
  maxBackoffMs: 2_000,
  backoffMultiplier: 2,
} as const;

/**
 * Decides whether and when one failed call is retried:
 *
 * - WRITES_HELD (UNAVAILABLE): the data of the user is moving to another server, so the server
 *   takes no writes. The call is retried until its deadline.
 * - UNAVAILABLE for any other reason: the fourth such failure of a call is final.
 * - QUOTA_EXCEEDED (RESOURCE_EXHAUSTED): no retry, because waiting does not free a quota.
 * - RESOURCE_EXHAUSTED for any other reason: if the server names a delay, the call is retried until
 *   its deadline.
 * - All other errors: no retry.
 *
 * Retries are safe because each mutation carries an idempotency key.
 */
export class Retries {
  readonly #signal: AbortSignal;
  readonly #remainingMs: () => number;
  #backoffMs: number = retryPolicy.initialBackoffMs;
  /** Number of failures with UNAVAILABLE. WRITES_HELD does not count. */
  #outages = 0;

  /**
   * @param signal ends the pauses of an aborted call
   * @param remainingMs returns the time until the deadline, which limits all attempts together
   */
  constructor(signal: AbortSignal, remainingMs: () => number) {
    this.#signal = signal;
    this.#remainingMs = remainingMs;
  }

  /**
   * Counts a failed attempt. If the call may be retried, waits until the next attempt and resolves
   * with true. Otherwise resolves with false, and the call fails with the error.
   *
   * @throws CANCELLED with the reason of the abort when the call is aborted before a retry
   */
  async waitAfter(error: VademecumError): Promise<boolean> {
    if (!this.#allows(error)) return false;
    const pauseMs = this.#nextPauseMs(error);
    if (pauseMs >= this.#remainingMs()) return false;
    if (!this.#signal.aborted) await this.#pause(pauseMs);
    if (this.#signal.aborted)
      throw new VademecumError(ConnectError.from(this.#signal.reason, Code.Canceled));
    return true;
  }

  /** Resolves after a pause, or when the call is aborted. */
  #pause(pauseMs: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.#signal.removeEventListener("abort", done);
        resolve();
      };
      const timer = setTimeout(done, pauseMs);
      this.#signal.addEventListener("abort", done);
    });
  }

  #allows({ code, reason, retryAfterMs }: VademecumError): boolean {
    if (reason === "WRITES_HELD") return true;
    if (code === Code.Unavailable) {
      this.#outages += 1;
      return this.#outages < retryPolicy.maxAttempts;
    }
    return (
      code === Code.ResourceExhausted && retryAfterMs !== undefined && reason !== "QUOTA_EXCEEDED"
    );
  }

  /**
   * Returns the pause before the next attempt, at least the delay that the server names. Jitter
   * spreads the retries of many clients.
   */
  #nextPauseMs({ retryAfterMs = 0 }: VademecumError): number {
    const backoffMs = this.#backoffMs;
    const { maxBackoffMs, backoffMultiplier } = retryPolicy;
    this.#backoffMs = Math.min(maxBackoffMs, backoffMs * backoffMultiplier);
    return Math.max(
      backoffMs * (0.8 + 0.4 * Math.random()),
      // A timer may fire up to a millisecond early.
      Math.ceil(retryAfterMs * (1 + 0.2 * Math.random())) + 1,
    );
  }
}
