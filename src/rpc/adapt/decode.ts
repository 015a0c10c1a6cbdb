import {
  type DescMessage,
  fromBinary,
  fromJsonString,
  type JsonReadOptions,
  type MessageShape,
} from "@bufbuild/protobuf";
import { VademecumError } from "../../core/model/errors.js";

/** Reads a binary message. @throws INVALID_ARGUMENT if the bytes are none, hold text that is not UTF-8, or nest too deep */
export function decodeBinary<M extends DescMessage>(schema: M, bytes: Uint8Array): MessageShape<M> {
  try {
    return fromBinary(schema, bytes);
  } catch (error) {
    throw malformedRequest(`it is not a ${schema.typeName} in binary form: ${textOf(error)}`);
  }
}

/** Reads a JSON message. @throws INVALID_ARGUMENT if it is none, is not UTF-8, nests too deep, or has a field that the message does not have */
export function decodeJson<M extends DescMessage>(
  schema: M,
  bytes: Uint8Array,
  options: Partial<JsonReadOptions>,
): MessageShape<M> {
  try {
    return fromJsonString(schema, new TextDecoder("utf-8", { fatal: true }).decode(bytes), options);
  } catch (error) {
    throw malformedRequest(`it is not a ${schema.typeName} as JSON: ${textOf(error)}`);
  }
}

/** INVALID_ARGUMENT for a request that cannot be read, so that no field can be named. */
export function malformedRequest(why: string): VademecumError {
  return new VademecumError(
    "INVALID_ARGUMENT",
    "MALFORMED_REQUEST",
    `the request cannot be read: ${why}`,
  );
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
