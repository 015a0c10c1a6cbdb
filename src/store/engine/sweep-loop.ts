/** Runs the sweeps of a store in the background, one after another. */
export class SweepLoop {
  #running: Promise<void> | undefined;
  #isWoken = false;
  #isStopped = false;
  /** Why the last sweep ended early. */
  #failure: { readonly error: unknown } | undefined;

  /**
   * @param sweepAll removes the records of all cleared places. It ends early once `isStopped`
   * @param onError called when a sweep has failed. The next call of `wake` tries again
   */
  constructor(
    private readonly sweepAll: () => Promise<void>,
    private readonly onError: (error: unknown) => void,
  ) {}

  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Starts a sweep. A running sweep looks for cleared places once more before it ends. */
  wake(): void {
    this.#isWoken = true;
    if (!this.#isStopped) this.#running ??= this.#run();
  }

  /**
   * Resolves when all places that were cleared before the call are swept. Rethrows the error of a
   * sweep.
   */
  async settled(): Promise<void> {
    this.wake();
    await this.#running;
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  /** Stops sweeping. Resolves when no sweep runs. The next opening of the store sweeps the rest. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#isWoken && !this.#isStopped) {
      this.#isWoken = false;
      this.#failure = undefined;
      await this.sweepAll().catch((error: unknown) => {
        this.#failure = { error };
        this.onError(error);
      });
    }
    // No `await` since the last check of `#isWoken`, so no call of `wake` was missed.
    this.#running = undefined;
  }
}
