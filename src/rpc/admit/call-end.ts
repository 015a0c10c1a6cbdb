/** A call that may end while it waits. */
export interface EndingCall {
  /**
   * Calls `listener` with the reason when the call ends. If the call has already ended, calls
   * `listener` soon after.
   *
   * @returns a function that removes the listener
   */
  onEnd(listener: (reason: Error) => void): () => void;
}
