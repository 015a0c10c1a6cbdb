import { setTimeout as delay } from "node:timers/promises";

/** Maximum number of attempts of work that fails for a temporary reason. */
const attemptsMax = 12;

/** Time since the start of the first attempt, in milliseconds. A later failure is not retried. */
const retryMs = 15_000;

/**
 * The pause before the second attempt. Each later pause is twice as long, up to `longestPauseMs`.
 */
const firstPauseMs = 20;
const longestPauseMs = 1_000;

/** Counts the attempts of one piece of work. */
export class Attempts {
  #count = 1;
  readonly #began = performance.now();

  /** Waits before the next attempt. Returns false if no further attempt should follow. */
  async next(): Promise<boolean> {
    if (this.#count >= attemptsMax || performance.now() - this.#began > retryMs) return false;
    const pauseMs = Math.min(firstPauseMs * 2 ** (this.#count - 1), longestPauseMs);
    this.#count++;
    // Pauses vary, so that servers that failed together do not retry together.
    await delay(pauseMs * (0.5 + Math.random() / 2));
    return true;
  }
}

/** Runs `work` again, with growing pauses, while it fails for a temporary reason. */
export async function retrying<T>(
  isPassing: (error: unknown) => boolean,
  work: () => Promise<T>,
): Promise<T> {
  const attempts = new Attempts();
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isPassing(error) || !(await attempts.next())) throw error;
    }
  }
}
