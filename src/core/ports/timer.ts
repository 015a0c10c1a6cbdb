/** Calls functions after a delay. */
export interface Timer {
  /**
   * Calls `run` once after `delayMs` milliseconds. Returns a function that cancels it. A pending
   * timer does not keep the process alive.
   */
  after(delayMs: number, run: () => void): () => void;
}
