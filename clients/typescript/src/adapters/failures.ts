/** What happens when the memory fails: the agent fails too, or it goes on without memory. */
export type OnError = "throw" | "continue";

/** Runs work of the memory, and handles its failures. */
export class Failures {
  readonly #onError: OnError;
  readonly #warn: (message: string) => void;
  #isReported = false;

  /**
   * @param warn reports the first failure with "continue". Default: a warning of Node with the name
   *   `VademecumWarning`; in web pages, nothing
   */
  constructor(onError: OnError, warn: (message: string) => void = emitWarning) {
    this.#onError = onError;
    this.#warn = warn;
  }

  /** Returns the result of `work`. With "continue", a failure gives `undefined`. */
  async handle<T>(work: () => Promise<T>): Promise<T | undefined> {
    if (this.#onError === "throw") return work();
    try {
      return await work();
    } catch (error) {
      if (!this.#isReported)
        this.#warn(
          `The agent goes on without memory, and further failures are not reported: ${String(error)}`,
        );
      this.#isReported = true;
      return undefined;
    }
  }
}

function emitWarning(message: string): void {
  if ("process" in globalThis) process.emitWarning(message, "VademecumWarning");
}
