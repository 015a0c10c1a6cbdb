import {
  type DescMessage,
  fromBinary,
  fromJson,
  fromJsonString,
  type JsonObject,
  type JsonReadOptions,
  type JsonValue,
  type Message,
  type MessageShape,
} from "@bufbuild/protobuf";
import { EmptySchema } from "@bufbuild/protobuf/wkt";
import { errorText, VademecumError } from "../../core/model/errors.js";
import { nextTurn } from "../../core/requests/pause.js";
import { jsonSizeFactor, messageMaxBytes } from "../limits.js";
import type { FaultyFields } from "../validation/field-errors.js";
import { fieldValue } from "../validation/field-value.js";
import { jsonExcess } from "../validation/json-elements.js";
import { requestLimitBytes } from "../validation/request-size.js";
import { binaryExcess, levelsExcess, malformedBytes } from "../validation/wire-elements.js";
import { type FaultyPart, readJson } from "./json-reader.js";
import { withoutLongTexts } from "./json-texts.js";
import { maybeImpossibleTime } from "./json-times.js";
import { isLarge, oneAfterAnother, pauseIfLarge } from "./large-messages.js";
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
export async function decodeJson<M extends DescMessage>(
  schema: M,
  bytes: Uint8Array,
  options: Partial<JsonReadOptions>,
): Promise<MessageShape<M>> {
  try {
    return await oneAfterAnother(bytes.byteLength, () => decodeWholeJson(schema, bytes, options));
  } catch (error) {
    return faultyItem(schema, error, () => clientIdOf(bytes));
  }
}

async function decodeWholeJson<M extends DescMessage>(
  schema: M,
  bytes: Uint8Array,
  options: Partial<JsonReadOptions>,
): Promise<MessageShape<M>> {
  requireSize(schema, bytes, true);
  requireSimple(jsonExcess(bytes));
  const toError = (cause: unknown) =>
    malformedRequest(`it is not a ${schema.typeName} as JSON: ${errorText(cause)}`);
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw toError(error);
  }
  let message: MessageShape<M> | undefined;
  let failure: unknown;
  try {
    message = isLarge(bytes.byteLength)
      ? await decodeInSteps(schema, text, options)
      : fromJsonString(schema, text, options);
    await pauseIfLarge(bytes.byteLength);
    if (!maybeImpossibleTime.test(text)) return message;
  } catch (error) {
    failure = error;
    await pauseIfLarge(bytes.byteLength);
  }
  try {
    return (await decodeByForms(schema, text, options)) ?? message ?? fail(failure);
  } catch (error) {
    throw error instanceof VademecumError ? error : toError(failure ?? error);
  }
}

/** Decodes as `fromJsonString` does, but in several steps, between which other work may run. */
async function decodeInSteps<M extends DescMessage>(
  schema: M,
  text: string,
  options: Partial<JsonReadOptions>,
): Promise<MessageShape<M>> {
  await nextTurn();
  const json = JSON.parse(text) as JsonValue;
  await nextTurn();
  requireDistinctKeys(text);
  await nextTurn();
  return fromJson(schema, json, options);
}

/**
 * Refuses text that is not a JSON object, or that has an object with two equal keys. `JSON.parse`
 * would silently drop one of the keys. Leaves long texts out of the check, because the library
 * looks at each character.
 */
function requireDistinctKeys(text: string): void {
  fromJsonString(EmptySchema, withoutLongTexts(text), { ignoreUnknownFields: true });
}

/**
 * Decodes JSON that has faults, or short forms such as enum names without their prefix. Returns
 * `undefined` if the JSON has neither.
 */
async function decodeByForms<M extends DescMessage>(
  schema: M,
  text: string,
  options: Partial<JsonReadOptions>,
): Promise<MessageShape<M> | undefined> {
  if (/^\s*\[/.test(text))
    throw malformedRequest(
      `it is not a ${schema.typeName}: it must be a JSON object, but is a list`,
    );
  requireDistinctKeys(text);
  await pauseIfLarge(text.length);
  const given = JSON.parse(text) as JsonObject;
  await pauseIfLarge(text.length);
  const { json, changed, faults, faultyParts } = readJson(schema, given);
  if (faults.count > 0) throw malformedFields(faults);
  if (!changed && faultyParts.length === 0) return undefined;
  await pauseIfLarge(text.length);
  const message = fromJson(schema, json, options);
  for (const part of faultyParts) noteFaultyPart(message, part);
  return message;
}

function fail(failure: unknown): never {
  throw failure;
}

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
  const value = fieldValue(message, field);
  noteFault(
    field.fieldKind === "list"
      ? ((value as readonly object[])[index] as object)
      : (value as object),
    malformedFields(faults),
  );
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
