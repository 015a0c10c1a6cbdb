import { VademecumError } from "../../core/model/errors.js";

/**
 * Refuses text with half of a surrogate pair, which has no UTF-8 form. The encoder would replace
 * it, so two different ids would become one.
 *
 * @throws INVALID_ARGUMENT (INVALID_TEXT) when the text has half of a surrogate pair
 */
export function requireWellFormedKey(text: string): void {
  if (text.isWellFormed()) return;
  throw new VademecumError(
    "INVALID_ARGUMENT",
    "INVALID_TEXT",
    "ids and keys must be valid Unicode; one contains half of a surrogate pair",
  );
}

/**
 * Returns an INVALID_ARGUMENT (ID_TOO_LONG) error for an id or key that is too long for a store.
 */
export function idTooLong(bytes: number, maxBytes: number): VademecumError {
  return new VademecumError(
    "INVALID_ARGUMENT",
    "ID_TOO_LONG",
    `an id or key of ${bytes} bytes is too long; the limit is ${maxBytes}`,
  );
}
