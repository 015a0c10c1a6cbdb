/**
 * Runs pieces of work one after another. Use it for work that takes turns with other calls and
 * needs much RAM. Otherwise many calls would need that RAM at the same time.
 */
export class WorkQueue {
  /** Settles when all earlier work is done. Never rejects. */
  #earlier: Promise<unknown> = Promise.resolve();

  /** Runs `work` after all earlier work, even if earlier work fails. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#earlier.then(work);
    this.#earlier = done.catch(() => undefined);
    return done;
  }
}
