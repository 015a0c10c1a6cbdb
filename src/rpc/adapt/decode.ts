import {
  type DescMessage,
  fromBinary,
  fromJson,
  type JsonObject,
  type JsonReadOptions,
  type JsonValue,
  type Message,
  type MessageShape,
} from "@bufbuild/protobuf";
import { errorText, VademecumError } from "../../core/model/errors.js";
import { binaryExcess, levelsExcess, malformedBytes } from "../../edge/wire-elements.js";
import { jsonSizeFactor, messageMaxBytes } from "../limits.js";
import type { FaultyFields } from "../validation/field-errors.js";
import { fieldValue } from "../validation/field-value.js";
import { jsonExcess, scanMessage } from "../validation/json-excess.js";
import { requestLimitBytes } from "../validation/request-size.js";
import { type FaultyPart, readJson } from "./json-reader.js";
import { actualValue } from "./json-values.js";
import { isItem, noteFault } from "./part-faults.js";
import {
  jsonTooLarge,
  malformedRequest,
  requestTooComplex,
  requestTooLarge,
} from "./request-errors.js";

/** Returns the size limit of an encoded message, in bytes. */
export function messageLimitBytes(schema: DescMessage, isJson: boolean): number {
  const limit = requestLimitBytes(schema);
  return isJson ? Math.min(messageMaxBytes, jsonSizeFactor * limit) : limit;
}

/** Returns the error of an encoded message that is larger than the limit of its type. */
export function messageTooLarge(schema: DescMessage, isJson: boolean): VademecumError {
  const limit = messageLimitBytes(schema, isJson);
  return isJson ? jsonTooLarge(limit, schema.name) : requestTooLarge(limit, schema.name);
}

/**
 * Decodes a binary message. Before it decodes, it refuses a message that would be expensive to
 * decode. If the message is an item of a stream (see `isItem`), its error is not thrown: the
 * function notes the error with an empty message, and the handler throws it later (see
 * `throwNotedFault`).
 *
 * @throws RESOURCE_EXHAUSTED (REQUEST_TOO_LARGE) when the message exceeds the limit of its type
 * @throws RESOURCE_EXHAUSTED (REQUEST_TOO_COMPLEX) when the message has too many elements
 * @throws INVALID_ARGUMENT (MALFORMED_REQUEST) when the bytes do not encode the message, contain
 *   text that is not UTF-8, or are nested too deep
 */
export function decodeBinary<M extends DescMessage>(schema: M, bytes: Uint8Array): MessageShape<M> {
  try {
    return decodeWholeBinary(schema, bytes);
  } catch (error) {
    return faultyItem(schema, error);
  }
}

function decodeWholeBinary<M extends DescMessage>(schema: M, bytes: Uint8Array): MessageShape<M> {
  requireSize(schema, bytes, false);
  const excess = binaryExcess(schema, bytes);
  if (excess === malformedBytes)
    throw malformedRequest(`it is not a ${schema.typeName} in binary form: it ${excess}`);
  requireSimple(excess);
  try {
    return fromBinary(schema, bytes);
  } catch (error) {
    throw malformedRequest(`it is not a ${schema.typeName} in binary form: ${errorText(error)}`);
  }
}

/**
 * Decodes a JSON message. Enum names may lack their prefix and may be in any case.
 *
 * Some parts of a message fail alone, such as the items of a batch (see `failsAlone`). The error of
 * such a part is not thrown, but noted with the part; the handler throws it later (see
 * `throwNotedFault`). The same holds for the error of an item of a stream (see `isItem`).
 *
 * @throws RESOURCE_EXHAUSTED (REQUEST_TOO_LARGE) when the message exceeds the limit of its type
 * @throws RESOURCE_EXHAUSTED (REQUEST_TOO_COMPLEX) when the message has too many elements
 * @throws INVALID_ARGUMENT (MALFORMED_REQUEST) when the bytes do not encode the message, are not
 *   UTF-8, are nested too deep, or have a field that the message does not define. The error names
 *   the paths of the faulty fields, if it concerns fields
 */
export function decodeJson<M extends DescMessage>(
  schema: M,
  bytes: Uint8Array,
  options: Partial<JsonReadOptions>,
): MessageShape<M> {
  try {
    return decodeWholeJson(schema, bytes, options);
  } catch (error) {
    return faultyItem(schema, error, () => clientIdOf(bytes));
  }
}

function decodeWholeJson<M extends DescMessage>(
  schema: M,
  bytes: Uint8Array,
  options: Partial<JsonReadOptions>,
): MessageShape<M> {
  requireSize(schema, bytes, true);
  const malformed = (cause: string) =>
    malformedRequest(`it is not a ${schema.typeName} as JSON: ${cause}`);
  const { excess, duplicateKey, inexact } = scanMessage(bytes);
  requireSimple(excess);
  if (duplicateKey !== undefined)
    throw malformed(`duplicate object key ${JSON.stringify(duplicateKey)}`);
  const { json, faults, faultyParts } = readJson(schema, parse(bytes, malformed), inexact);
  if (faults.count > 0) throw malformedFields(faults);
  let message: MessageShape<M>;
  try {
    message = fromJson(schema, json, options);
  } catch (error) {
    throw malformed(errorText(error));
  }
  for (const part of faultyParts) noteFaultyPart(message, part);
  return message;
}

/** Parses UTF-8 bytes to a JSON object. Throws what `malformed` returns for a cause. */
function parse(bytes: Uint8Array, malformed: (cause: string) => Error): JsonObject {
  let json: JsonValue;
  try {
    json = JSON.parse(utf8.decode(bytes)) as JsonValue;
  } catch (error) {
    throw malformed(errorText(error));
  }
  if (typeof json !== "object" || json === null || Array.isArray(json))
    throw malformed(`it must be a JSON object, ${actualValue(json)}`);
  return json;
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Returns an empty item with the error noted. Rethrows the error of any other message. */
function faultyItem<M extends DescMessage>(
  schema: M,
  error: unknown,
  clientId: () => string = () => "",
): MessageShape<M> {
  if (!(error instanceof VademecumError) || !isItem(schema)) throw error;
  const message = fromJson(schema, { clientId: clientId() });
  noteFault(message, error);
  return message;
}

/**
 * Returns the `client_id` of an item whose JSON cannot be decoded. Empty if the item has no valid
 * `client_id`, or too many elements to be parsed.
 */
function clientIdOf(bytes: Uint8Array): string {
  if (jsonExcess(bytes) !== undefined) return "";
  try {
    const { clientId, client_id: other } = JSON.parse(Buffer.from(bytes).toString()) as JsonObject;
    const name = clientId ?? other;
    return typeof name === "string" && name.isWellFormed() ? name : "";
  } catch {
    return "";
  }
}

function noteFaultyPart(message: Message, { field, index, faults }: FaultyPart): void {
  const value = fieldValue(message, field) as object | undefined;
  const part =
    field.fieldKind === "list" ? (value as readonly object[] | undefined)?.[index] : value;
  // The decoder may have dropped the part, such as the earlier of two values of a field.
  noteFault(part ?? message, malformedFields(faults));
}

function requireSize(schema: DescMessage, { byteLength }: Uint8Array, isJson: boolean): void {
  if (byteLength > messageLimitBytes(schema, isJson)) throw messageTooLarge(schema, isJson);
}

function requireSimple(excess: string | undefined): void {
  if (excess === levelsExcess) throw malformedRequest(`it ${excess}`);
  if (excess !== undefined) throw requestTooComplex(excess);
}

/** Returns the error of a request with fields that cannot be decoded. */
function malformedFields(faults: FaultyFields): VademecumError {
  const { text, details } = faults.describe();
  return new VademecumError("INVALID_ARGUMENT", "MALFORMED_REQUEST", text, details);
}
