import { VademecumError } from "../../core/model/errors.js";
import { messageMaxBytes } from "../limits.js";

/** Returns the error of a request that cannot be decoded. The error names no field. */
export function malformedRequest(cause: string): VademecumError {
  return new VademecumError(
    "INVALID_ARGUMENT",
    "MALFORMED_REQUEST",
    `the request cannot be read: ${cause}`,
  );
}

/** Returns the error of a message that is larger than the limit of its type, or of all types. */
export function requestTooLarge(limitBytes = messageMaxBytes, typeName?: string): VademecumError {
  const limit = limitBytes.toLocaleString("en");
  const subject = typeName === undefined ? "a request message" : `the ${typeName}`;
  return new VademecumError(
    "RESOURCE_EXHAUSTED",
    "REQUEST_TOO_LARGE",
    `${subject} is larger than the limit of ${limit} bytes; split it into several`,
  );
}

/**
 * Returns the error of a message whose JSON is larger than the limit of its type. The same message
 * may be small enough in binary, where no character needs an escape.
 */
export function jsonTooLarge(limitBytes: number, typeName: string): VademecumError {
  const limit = limitBytes.toLocaleString("en");
  return new VademecumError(
    "RESOURCE_EXHAUSTED",
    "REQUEST_TOO_LARGE",
    `the ${typeName} as JSON is larger than the limit of ${limit} bytes; send it in binary, or ` +
      "split it into several",
  );
}

/**
 * Returns the error of a message that would be expensive to decode. `excess` says what the message
 * has too much of.
 */
export function requestTooComplex(excess: string): VademecumError {
  return new VademecumError(
    "RESOURCE_EXHAUSTED",
    "REQUEST_TOO_COMPLEX",
    `the request ${excess}; split it into several`,
  );
}
