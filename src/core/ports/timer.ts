/** Calls functions later. */
export interface Timer {
  /** Calls `run` once, in so many milliseconds; never when the function that it returns was called before. Keeps no process alive. */
  after(delayMs: number, run: () => void): () => void;
}
