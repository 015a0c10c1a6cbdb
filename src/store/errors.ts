import { VademecumError } from "../core/errors.js";

/** UNAVAILABLE for a call that the store did not begin. */
export function storeUnavailable(why: string, cause?: unknown): VademecumError {
  return new VademecumError("UNAVAILABLE", "STORE_UNAVAILABLE", `the store ${why}; nothing was written, try again later`, {
    retryAfterMs: 1000,
    cause,
  });
}
