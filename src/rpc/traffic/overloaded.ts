import { VademecumError } from "../../core/model/errors.js";

/** Returns the error of a call that exceeds the calls in flight and those that wait. */
export function overloaded(what: string, retryAfterMs: number): VademecumError {
  return new VademecumError(
    "RESOURCE_EXHAUSTED",
    "OVERLOADED",
    `${what}; nothing was done. Retry in ${retryAfterMs} ms`,
    { retryAfterMs },
  );
}
