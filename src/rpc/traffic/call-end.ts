/** A call that may end while it waits. */
export interface EndingCall {
  /**
   * Calls `listener` with the reason when the call ends, or soon if it has ended already.
   *
   * @returns a function that removes the listener
   */
  onEnd(listener: (reason: Error) => void): () => void;
}
