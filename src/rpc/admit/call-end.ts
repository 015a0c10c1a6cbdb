import { VademecumError } from "../../core/model/errors.js";

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

/**
 * The error of every call that its client cancelled. All calls share it, because an error with its
 * stack costs about 40 µs to create.
 */
export const callEnded = new VademecumError("CANCELLED", "CALL_ENDED", "the call was cancelled");
