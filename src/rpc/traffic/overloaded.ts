import { VademecumError } from "../../core/model/errors.js";

/** Returns the error of a call for which the server has no slot or no room. */
export function overloaded(what: string, retryAfterMs: number): VademecumError {
  return new VademecumError(
    "RESOURCE_EXHAUSTED",
    "OVERLOADED",
    `${what}; nothing was done. Retry in ${retryAfterMs} ms`,
    { retryAfterMs },
  );
}
