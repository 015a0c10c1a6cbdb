import { VademecumError } from "../../core/model/errors.js";

/** Returns the error of a call beyond the limits on calls in flight and on waiting calls. */
export function overloaded(what: string, retryAfterMs: number): VademecumError {
  return new VademecumError(
    "RESOURCE_EXHAUSTED",
    "OVERLOADED",
    `${what}; nothing was done. Retry in ${retryAfterMs} ms`,
    { retryAfterMs },
  );
}
