import { VademecumError } from "../../core/model/errors.js";

/** Returns the UNAVAILABLE (WRITES_HELD) error for a write of a scope that is held. */
export function writesHeld(): VademecumError {
  return new VademecumError(
    "UNAVAILABLE",
    "WRITES_HELD",
    "writes of this user or run are held while it moves to another server; nothing was written, " +
      "try again in a second",
    { retryAfterMs: 1000 },
  );
}

/**
 * Returns the FAILED_PRECONDITION (MOVED) error for any use of a scope that has moved to another
 * server.
 */
export function moved(address: string): VademecumError {
  return new VademecumError(
    "FAILED_PRECONDITION",
    "MOVED",
    `this user or run has moved to ${address}; repeat the call there`,
    { metadata: { address } },
  );
}

/** Returns the FAILED_PRECONDITION (NOT_HELD) error for a hold that has ended. */
export function notHeld(): VademecumError {
  return new VademecumError(
    "FAILED_PRECONDITION",
    "NOT_HELD",
    "the hold has ended, so writes may have come since; begin a new hold and copy the changes again",
  );
}
