import {
  type DescField,
  type DescMessage,
  type JsonObject,
  type JsonValue,
  type JsonWriteOptions,
  type Message,
  ScalarType,
  toBinary,
  toJson,
  toJsonString,
} from "@bufbuild/protobuf";
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { RecallResponseSchema } from "#gen/vademecum/v1/memory_provider_pb.js";
import { VademecumError } from "../../core/model/errors.js";
import { createPause } from "../../core/requests/pause.js";
import { recallTooLarge } from "../../core/search/recall-size.js";
import { messageMaxBytes } from "../limits.js";
import { fieldValue } from "../validation/field-value.js";
import { largeBytes, oneAfterAnother } from "./large-messages.js";
import { roomAfterMessage } from "./message-room.js";

/**
 * Encodes a response. Returns a promise only for a large response, whose encoding takes turns with
 * other calls.
 *
 * @throws RESOURCE_EXHAUSTED (RESPONSE_TOO_LARGE) when the response is larger than
 *   `messageMaxBytes`; as a rejection if the response is large
 */
export function encodeBinary(schema: DescMessage, message: Message): Buffer | Promise<Buffer> {
  if (isLargeMessage(schema, message)) return encodeLarge(schema, message, undefined);
  const bytes = toBinary(schema, message);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/**
 * Whether a response should be encoded in pieces. Any other response is smaller than
 * `messageMaxBytes`.
 */
export function isLargeMessage(schema: DescMessage, message: Message): boolean {
  return roomAfterMessage(schema, message, largeBytes) < 0;
}

/**
 * Encodes a large response in pieces, and lets other work run between them. In one step, the
 * library would take some 10 ms for each MiB. The items of a list are pieces of their own. Works on
 * one message at a time.
 *
 * @param json options of the JSON encoding; `undefined` encodes in binary
 * @throws RESOURCE_EXHAUSTED (RESPONSE_TOO_LARGE) when the encoded response is larger than
 *   `messageMaxBytes`
 */
export function encodeLarge(
  schema: DescMessage,
  message: Message,
  json: Partial<JsonWriteOptions> | undefined,
): Promise<Buffer> {
  return oneAfterAnother(largeBytes, () => encodeInPieces(schema, message, json));
}

async function encodeInPieces(
  schema: DescMessage,
  message: Message,
  json: Partial<JsonWriteOptions> | undefined,
): Promise<Buffer> {
  const pause = createPause();
  const bytes = Buffer.concat(
    json === undefined
      ? await binaryPieces(schema, message, pause)
      : await jsonPieces(schema, message, json, pause),
  );
  if (bytes.byteLength > messageMaxBytes)
    throw responseTooLarge(schema, bytes.byteLength, json !== undefined);
  return bytes;
}

type Pause = () => Promise<void>;
type Bytes = Uint8Array<ArrayBuffer>;

async function binaryPieces(schema: DescMessage, message: Message, pause: Pause): Promise<Bytes[]> {
  const { rest, parts } = split(schema, message);
  const pieces: Bytes[] = [toBinary(schema, rest)];
  for (const { field, type, items } of parts)
    for (const item of items) {
      await pause();
      const content =
        field.fieldKind === "list" ? [toBinary(type, item)] : await binaryPieces(type, item, pause);
      const bytes = content.reduce((sum, piece) => sum + piece.byteLength, 0);
      const prefix = new BinaryWriter().tag(field.number, WireType.LengthDelimited).uint32(bytes);
      pieces.push(prefix.finish(), ...content);
    }
  return pieces;
}

async function jsonPieces(
  schema: DescMessage,
  message: Message,
  options: Partial<JsonWriteOptions>,
  pause: Pause,
): Promise<Bytes[]> {
  const { rest, parts } = split(schema, message);
  const largeFields = takeLargeBytes(schema, rest);
  const pieces: Bytes[] = [];
  let separator = "{";
  const addName = (name: string) => {
    pieces.push(Buffer.from(`${separator}${JSON.stringify(name)}:`));
    separator = ",";
  };
  const partNames = new Set([...parts, ...largeFields].map(({ field }) => field.jsonName));
  for (const [name, value] of Object.entries(toJson(schema, rest, options) as JsonObject)) {
    if (partNames.has(name)) continue;
    addName(name);
    for (const piece of jsonValuePieces(value)) {
      pieces.push(piece);
      await pause();
    }
  }
  for (const { field, bytes } of largeFields) {
    addName(field.jsonName);
    const base64 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
    pieces.push(Buffer.from(`"${base64}"`, "latin1"));
    await pause();
  }
  for (const { field, type, items } of parts) {
    addName(field.jsonName);
    if (field.fieldKind !== "list") {
      for (const item of items) pieces.push(...(await jsonPieces(type, item, options, pause)));
      continue;
    }
    for (const [at, item] of items.entries()) {
      pieces.push(Buffer.from(at === 0 ? "[" : ","));
      if (roomAfterMessage(type, item, largeItemBytes) < 0)
        pieces.push(...(await jsonPieces(type, item, options, pause)));
      else pieces.push(Buffer.from(toJsonString(type, item, options)));
      await pause();
    }
    pieces.push(Buffer.from("]"));
  }
  pieces.push(Buffer.from(separator === "{" ? "{}" : "}"));
  return pieces;
}

/** Writes a value as JSON. A long text comes in several pieces. */
function* jsonValuePieces(value: JsonValue): Generator<Bytes> {
  if (typeof value !== "string" || value.length <= largeItemBytes) {
    yield Buffer.from(JSON.stringify(value));
    return;
  }
  yield Buffer.from('"');
  for (let from = 0, to = 0; from < value.length; from = to) {
    to = from + largeItemBytes;
    // Keeps the two UTF-16 units of a character in one piece: JSON would escape a single unit.
    if ((value.codePointAt(to - 1) ?? 0) > 0xffff) to += 1;
    yield Buffer.from(JSON.stringify(value.slice(from, to)).slice(1, -1));
  }
  yield Buffer.from('"');
}

/** A field with messages that are encoded one by one. */
interface Part {
  readonly field: DescField;
  readonly type: DescMessage;
  readonly items: readonly Message[];
}

/** Splits a message into the messages in its fields, and a copy without these messages. */
function split(schema: DescMessage, message: Message): { rest: Message; parts: readonly Part[] } {
  const rest = { ...message } as Message & Record<string, unknown>;
  const parts: Part[] = [];
  for (const field of schema.fields) {
    const { message: type, fieldKind, localName, oneof } = field;
    const isList = fieldKind === "list";
    if (type === undefined || (fieldKind !== "message" && !isList)) continue;
    // The types of protobuf itself, such as Timestamp, have special forms in JSON.
    if (type.typeName.startsWith("google.protobuf.")) continue;
    const value = fieldValue(message, field);
    const items = (isList ? value : value === undefined ? [] : [value]) as readonly Message[];
    if (items.length === 0) continue;
    parts.push({ field, type, items });
    if (isList) rest[localName] = [];
    else if (oneof !== undefined) rest[oneof.localName] = { case: undefined };
    else delete rest[localName];
  }
  return { rest, parts };
}

/**
 * From this size in bytes on, a list item is encoded as JSON in pieces, and Node, not the library,
 * encodes a `bytes` field. A text with more UTF-16 units than this is written in pieces of this
 * length.
 */
const largeItemBytes = 32 * 1024;

/** A large field of the type `bytes`, and its value. */
interface LargeBytes {
  readonly field: DescField;
  readonly bytes: Uint8Array;
}

/**
 * Takes large fields of bytes out of a message. The library turns bytes into Base64 one by one, and
 * takes some 50 ms for each MiB.
 */
function takeLargeBytes(schema: DescMessage, message: Message): readonly LargeBytes[] {
  const values = message as Message & Record<string, unknown>;
  return schema.fields.flatMap((field) => {
    if (field.fieldKind !== "scalar" || field.scalar !== ScalarType.BYTES) return [];
    if (field.oneof !== undefined) return [];
    const bytes = values[field.localName];
    if (!(bytes instanceof Uint8Array) || bytes.byteLength < largeItemBytes) return [];
    values[field.localName] = new Uint8Array();
    return [{ field, bytes }];
  });
}

function responseTooLarge(schema: DescMessage, bytes: number, isJson: boolean): VademecumError {
  if (schema === RecallResponseSchema) return recallTooLarge();
  const size = bytes.toLocaleString("en");
  const limit = messageMaxBytes.toLocaleString("en");
  return new VademecumError(
    "RESOURCE_EXHAUSTED",
    "RESPONSE_TOO_LARGE",
    `the response is ${size} bytes; the limit is ${limit}. ` +
      `Ask for less with a lower limit${isJson ? ", or call in binary, where texts are smaller" : ""}`,
  );
}
