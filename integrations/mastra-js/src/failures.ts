/** What happens when the memory fails: the run fails too, or the agent goes on without memory. */
export type OnError = "throw" | "continue";

/** Runs work of the memory, and handles its failures. */
export class Failures {
  #isReported = false;

  constructor(private readonly onError: OnError) {}

  /** Returns the result of `work`. With "continue", a failure gives `undefined`. */
  async handle<T>(work: () => Promise<T>): Promise<T | undefined> {
    if (this.onError === "throw") return work();
    try {
      return await work();
    } catch (error) {
      if (!this.#isReported)
        process.emitWarning(
          `The agent goes on without memory, and further failures are not reported: ${String(error)}`,
          "VademecumWarning",
        );
      this.#isReported = true;
      return undefined;
    }
  }
}
