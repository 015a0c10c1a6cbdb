import {
  type DescMessage,
  fromBinary,
  fromJsonString,
  type JsonReadOptions,
  type MessageShape,
} from "@bufbuild/protobuf";
import { errorText, VademecumError } from "../../core/model/errors.js";

/**
 * Decodes a binary message.
 *
 * @throws INVALID_ARGUMENT (MALFORMED_REQUEST) when the bytes are no such message, contain text
 *   that is not UTF-8, or are nested too deep
 */
export function decodeBinary<M extends DescMessage>(schema: M, bytes: Uint8Array): MessageShape<M> {
  try {
    return fromBinary(schema, bytes);
  } catch (error) {
    throw malformedRequest(`it is not a ${schema.typeName} in binary form: ${errorText(error)}`);
  }
}

/**
 * Decodes a JSON message.
 *
 * @throws INVALID_ARGUMENT (MALFORMED_REQUEST) when the bytes are no such message, are not UTF-8,
 *   are nested too deep, or have a field that the message does not define
 */
export function decodeJson<M extends DescMessage>(
  schema: M,
  bytes: Uint8Array,
  options: Partial<JsonReadOptions>,
): MessageShape<M> {
  try {
    return fromJsonString(schema, new TextDecoder("utf-8", { fatal: true }).decode(bytes), options);
  } catch (error) {
    throw malformedRequest(`it is not a ${schema.typeName} as JSON: ${errorText(error)}`);
  }
}

/** Returns the error of a request that cannot be decoded, so that no field can be named. */
export function malformedRequest(cause: string): VademecumError {
  return new VademecumError(
    "INVALID_ARGUMENT",
    "MALFORMED_REQUEST",
    `the request cannot be read: ${cause}`,
  );
}
