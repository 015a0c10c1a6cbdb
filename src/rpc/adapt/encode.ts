import {
  type DescMessage,
  type JsonWriteOptions,
  type Message,
  toBinary,
  toJsonString,
} from "@bufbuild/protobuf";
import { RecallResponseSchema } from "#gen/vademecum/v1/memory_provider_pb.js";
import { VademecumError } from "../../core/model/errors.js";
import { recallTooLarge } from "../../core/model/recall-size.js";
import { messageMaxBytes } from "../limits.js";

/**
 * Encodes a response in binary.
 *
 * @throws RESOURCE_EXHAUSTED (RESPONSE_TOO_LARGE) when it is larger than `messageMaxBytes`
 */
export function encodeBinary(schema: DescMessage, message: Message): Buffer {
  const bytes = toBinary(schema, message);
  requireReplySize(schema, bytes.byteLength, false);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/**
 * Checks the size of a response that a library encodes later. Encodes only a response that may be
 * too large.
 *
 * @param json options of the JSON encoding; `undefined` for the binary encoding
 * @throws RESOURCE_EXHAUSTED (RESPONSE_TOO_LARGE) when it is larger than `messageMaxBytes`
 */
export function requireEncodable(
  schema: DescMessage,
  message: Message,
  json: Partial<JsonWriteOptions> | undefined,
): void {
  if (encodedMaxBytes(message) <= messageMaxBytes) return;
  const bytes =
    json === undefined
      ? toBinary(schema, message).byteLength
      : Buffer.byteLength(toJsonString(schema, message, json));
  requireReplySize(schema, bytes, json !== undefined);
}

/** Maximum number of bytes of a UTF-16 unit, which JSON may write as `\u0000`. */
const unitMaxBytes = 6;

/** Maximum size of a value and its name, without the text of the value. */
const valueMaxBytes = 64;

/** Returns an upper bound of the encoded size of a message in any encoding. */
export function encodedMaxBytes(message: Message): number {
  return sizeOf(message, unitMaxBytes, valueMaxBytes);
}

/** Returns the approximate size of a message in RAM, for its slot. */
export function approximateBytes(message: Message): number {
  return sizeOf(message, 1, 8);
}

function sizeOf(value: unknown, unitBytes: number, valueBytes: number): number {
  if (typeof value === "string") return valueBytes + unitBytes * value.length;
  if (typeof value !== "object" || value === null) return valueBytes;
  if (value instanceof Uint8Array) return valueBytes + 2 * value.byteLength;
  let bytes = valueBytes;
  // `Object.entries` would make an array for each property.
  const values = value as Readonly<Record<string, unknown>>;
  for (const name in values)
    bytes += unitBytes * name.length + sizeOf(values[name], unitBytes, valueBytes);
  return bytes;
}

function requireReplySize(schema: DescMessage, bytes: number, isJson: boolean): void {
  if (bytes <= messageMaxBytes) return;
  if (schema === RecallResponseSchema) throw recallTooLarge();
  const size = bytes.toLocaleString("en");
  const limit = messageMaxBytes.toLocaleString("en");
  throw new VademecumError(
    "RESOURCE_EXHAUSTED",
    "RESPONSE_TOO_LARGE",
    `the response is ${size} bytes; the limit is ${limit}. ` +
      `Ask for less with a lower limit${isJson ? ", or call in binary, where texts are smaller" : ""}`,
  );
}
