import { VademecumError } from "../../core/model/errors.js";

/** UNAVAILABLE (WRITES_HELD) for a write of a scope that is held. */
export function writesHeld(): VademecumError {
  return new VademecumError(
    "UNAVAILABLE",
    "WRITES_HELD",
    "writes of this user or run are held while it moves to another server; nothing was written, " +
      "try again in a second",
    { retryAfterMs: 1000 },
  );
}

/** FAILED_PRECONDITION (MOVED) for any use of a scope that has moved to another server. */
export function moved(address: string): VademecumError {
  return new VademecumError(
    "FAILED_PRECONDITION",
    "MOVED",
    `this user or run has moved to ${address}; repeat the call there`,
    { metadata: { address } },
  );
}

/** FAILED_PRECONDITION (NOT_HELD) for a hold that has ended. */
export function notHeld(): VademecumError {
  return new VademecumError(
    "FAILED_PRECONDITION",
    "NOT_HELD",
    "the hold has ended, so writes may have come since; begin a new hold and copy the changes again",
  );
}
