import { setMaxListeners } from "node:events";

/** Makes the vectors of texts. Returns one promise for each text, in the order of the texts. */
export type MakeVectors = (
  texts: readonly string[],
  signal: AbortSignal,
) => readonly Promise<Float32Array>[];

/** A text whose vector is being made, and the calls that wait for it. */
interface PendingText {
  readonly vector: Promise<Float32Array>;
  readonly group: Group;
}

/** Texts that one call began to embed. */
interface Group {
  readonly controller: AbortController;
  waiting: number;
}

/**
 * Makes the vector of a text once for all calls that need it at the same time.
 *
 * The work continues while any call waits for any of the texts that were begun together. It stops
 * when the last of these calls leaves.
 */
export class VectorsInFlight {
  readonly #pending = new Map<string, PendingText>();
  readonly #make: MakeVectors;

  constructor(make: MakeVectors) {
    this.#make = make;
  }

  /**
   * Returns one vector for each text, in the order of the texts. Rejects with the signal's reason
   * as soon as the signal aborts. Rethrows the error of the first text that fails.
   */
  async embed(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]> {
    signal.throwIfAborted();
    this.#begin([...new Set(texts)].filter((text) => !this.#pending.has(text)));
    const pending = texts.map((text) => this.#pending.get(text) as PendingText);
    const groups = new Set(pending.map(({ group }) => group));
    for (const group of groups) group.waiting += 1;
    let onAbort = () => {};
    const aborted = new Promise<never>((_, reject) => {
      onAbort = () => reject(signal.reason as Error);
    });
    // A stream has one signal for all its texts, and Node warns about more than ten listeners.
    setMaxListeners(0, signal);
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      return await Promise.race([Promise.all(pending.map(({ vector }) => vector)), aborted]);
    } finally {
      signal.removeEventListener("abort", onAbort);
      for (const group of groups) this.#leave(group);
    }
  }

  #begin(texts: readonly string[]): void {
    if (texts.length === 0) return;
    const group: Group = { controller: new AbortController(), waiting: 0 };
    const vectors = this.#make(texts, group.controller.signal);
    for (const [at, text] of texts.entries()) {
      const vector = vectors[at] as Promise<Float32Array>;
      const pending = { vector, group };
      this.#pending.set(text, pending);
      const forget = () => {
        if (this.#pending.get(text) === pending) this.#pending.delete(text);
      };
      vector.then(forget, forget);
    }
  }

  #leave(group: Group): void {
    group.waiting -= 1;
    if (group.waiting > 0) return;
    // No later call may wait for work that is about to be stopped.
    for (const [text, pending] of this.#pending)
      if (pending.group === group) this.#pending.delete(text);
    group.controller.abort();
  }
}
