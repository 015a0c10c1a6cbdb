import {
  type DescMessage,
  type JsonWriteOptions,
  type Message,
  toBinary,
  toJsonString,
} from "@bufbuild/protobuf";
import { VademecumError } from "../../core/model/errors.js";
import { responseMaxBytes } from "../limits.js";
import { pauseIfLarge } from "./large-messages.js";

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
 * Checks the size of a response that Connect will encode. Connect itself would refuse a large
 * response without a reason. Encodes the response only if it may be too large. Lets other work run
 * before Connect encodes a large one.
 *
 * @param json options of its JSON; `undefined`: the call uses binary messages
 * @throws RESOURCE_EXHAUSTED (RESPONSE_TOO_LARGE) when it is larger than `responseMaxBytes`
 */
export async function requireResponseSize(
  schema: DescMessage,
  message: Message,
  json: Partial<JsonWriteOptions> | undefined,
): Promise<void> {
  const largestBytes = largestSize(message);
  await pauseIfLarge(largestBytes);
  if (largestBytes <= responseMaxBytes) return;
  const bytes =
    json === undefined
      ? toBinary(schema, message).byteLength
      : Buffer.byteLength(toJsonString(schema, message, json));
  if (bytes > responseMaxBytes) throw responseTooLarge(bytes);
  await pauseIfLarge(bytes);
}

/** Bytes of a value that is neither a text nor an object, such as the name of an enum value. */
const smallValueBytes = 64;

/** Returns an upper bound of the bytes of a message, valid for both encodings. */
function largestSize(value: unknown): number {
  if (typeof value === "string") return smallValueBytes + largestTextSize(value);
  if (typeof value !== "object" || value === null) return smallValueBytes;
  if (ArrayBuffer.isView(value)) return smallValueBytes + value.byteLength * 2;
  let bytes = smallValueBytes;
  if (Array.isArray(value)) {
    for (const item of value) bytes += largestSize(item);
  } else {
    for (const [name, inner] of Object.entries(value))
      bytes += largestTextSize(name) + largestSize(inner);
  }
  return bytes;
}

/** Control characters without a short escape, and lone surrogates: JSON takes six bytes each. */
const longEscapes = /[^\P{Cc}\b\t\n\f\r\x7f-\x9f]|\p{Cs}/u;

/** Characters that JSON escapes with one more byte. */
const shortEscapes = /["\\\b\t\n\f\r]/;

/** Returns an upper bound of the bytes of a text, valid for both encodings. */
function largestTextSize(text: string): number {
  if (longEscapes.test(text)) return text.length * 6;
  return Buffer.byteLength(text) + (shortEscapes.test(text) ? text.length : 0);
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
