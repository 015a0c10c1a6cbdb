import {
  type DescMessage,
  type JsonWriteOptions,
  type Message,
  toBinary,
  toJsonString,
} from "@bufbuild/protobuf";
import { VademecumError } from "../../core/model/errors.js";
import { responseMaxBytes } from "../limits.js";

/**
 * Encodes a response.
 *
 * @throws RESOURCE_EXHAUSTED (RESPONSE_TOO_LARGE) when it is larger than `responseMaxBytes`
 */
export function encodeBinary(schema: DescMessage, message: Message): Buffer {
  const bytes = toBinary(schema, message);
  if (bytes.byteLength > responseMaxBytes) throw responseTooLarge(bytes.byteLength);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/**
 * Checks the size of a response that Connect will encode: Connect gives no reason. Encodes the
 * response only if it may be too large.
 *
 * @param json options of its JSON; `undefined`: the call uses binary messages
 * @throws RESOURCE_EXHAUSTED (RESPONSE_TOO_LARGE) when it is larger than `responseMaxBytes`
 */
export function requireResponseSize(
  schema: DescMessage,
  message: Message,
  json: Partial<JsonWriteOptions> | undefined,
): void {
  if (largestSize(message) <= responseMaxBytes) return;
  const bytes =
    json === undefined
      ? toBinary(schema, message).byteLength
      : Buffer.byteLength(toJsonString(schema, message, json));
  if (bytes > responseMaxBytes) throw responseTooLarge(bytes);
}

/** Bytes of a value that is neither a text nor an object, such as the name of an enum value. */
const smallValueBytes = 64;

/** Bytes of a character that JSON escapes, for each UTF-16 unit. */
const escapedBytes = 6;

/** Returns a number of bytes that a message does not exceed in either encoding. */
function largestSize(value: unknown): number {
  if (typeof value === "string") return smallValueBytes + value.length * escapedBytes;
  if (typeof value !== "object" || value === null) return smallValueBytes;
  if (ArrayBuffer.isView(value)) return smallValueBytes + value.byteLength * 2;
  let bytes = smallValueBytes;
  if (Array.isArray(value)) {
    for (const item of value) bytes += largestSize(item);
  } else {
    for (const [name, inner] of Object.entries(value))
      bytes += name.length * escapedBytes + largestSize(inner);
  }
  return bytes;
}

function responseTooLarge(bytes: number): VademecumError {
  const size = bytes.toLocaleString("en");
  const limit = responseMaxBytes.toLocaleString("en");
  return new VademecumError(
    "RESOURCE_EXHAUSTED",
    "RESPONSE_TOO_LARGE",
    `the response is ${size} bytes; the limit is ${limit}. ` +
      "Ask for less with limit, budget_tokens or a narrower filter",
  );
}
