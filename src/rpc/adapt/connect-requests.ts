import type { DescMessage, JsonReadOptions, Message } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import {
  type Compression,
  type EnvelopedMessage,
  encodeEnvelope,
  envelopeDecompress,
  type UniversalServerRequest,
} from "@connectrpc/connect/protocol";
import { VademecumError } from "../../core/model/errors.js";
import type { RequestBody } from "../admit/request-body.js";
import type { RequestMessage } from "../admit/request-message.js";
import { messageMaxBytes } from "../limits.js";
import { decodeBinary, decodeJson, messageLimitBytes, messageTooLarge } from "./decode.js";
import { type BodyLimit, readBody, splitEnvelopes } from "./envelopes.js";
import {
  decompressedMaxBytes,
  EnvelopeCounter,
  WholeCounter,
  withRoom,
} from "./request-counters.js";
import { malformedRequest, requestTooLarge } from "./request-errors.js";
import { toConnectError } from "./status.js";

/** The encodings that requests may use. */
export interface RequestFormats {
  readonly json: Partial<JsonReadOptions>;
  readonly compressions: readonly Compression[];
}

/** A decoded message of a request. */
export interface DecodedMessage {
  readonly message: Message;
  /** The count of the message's bytes. */
  readonly counted: RequestMessage;
}

/** A request whose messages this server decodes. */
export interface DecodedRequest {
  /** The request for Connect, with an empty message instead of each message. */
  readonly request: UniversalServerRequest;
  /** The decoded messages, filled while the body is read. */
  readonly messages: DecodedMessage[];
}

/** The flag of a compressed message. */
const compressedFlag = 1;

/** Decodes a message and returns the bytes of an empty message. */
type Decode = (bytes: Uint8Array, counted: RequestMessage) => Uint8Array;

/**
 * Decodes the messages of a request, and passes empty messages on to Connect. The body of the
 * returned request throws an error with a reason when a message cannot be decoded, when the limits
 * on request bytes refuse it, or when `check` throws.
 *
 * Connect answers INTERNAL to malformed binary, gives no reason for malformed JSON, and accepts no
 * short names of enum values. But Connect passes on an error that the body throws. Connect never
 * gets bytes of a message: it would decode them without the limits on requests.
 */
export function decodeRequest(
  request: UniversalServerRequest,
  schema: DescMessage,
  formats: RequestFormats,
  arriving: RequestBody,
  check: (bytes: Uint8Array) => void,
): DecodedRequest {
  const contentType = contentTypeOf(request.header);
  const isJson = isJsonType(contentType);
  const empty = Buffer.from(isJson ? "{}" : "");
  const messages: DecodedMessage[] = [];
  const decode = (bytes: Uint8Array, counted: RequestMessage) => {
    counted.resize(bytes.byteLength);
    check(bytes);
    const message = isJson ? decodeJson(schema, bytes, formats.json) : decodeBinary(schema, bytes);
    messages.push({ message, counted });
    return empty;
  };
  const isEnveloped = !/^application\/(proto|json)\b/.test(contentType);
  const encodingHeader = isEnveloped
    ? contentType.startsWith("application/connect")
      ? "connect-content-encoding"
      : "grpc-encoding"
    : "content-encoding";
  const encoding = request.header.get(encodingHeader);
  const compression = formats.compressions.find(({ name }) => name === encoding);
  // Connect refuses an unknown encoding, without reading the body.
  if (compression === undefined && encoding !== null && encoding !== "identity")
    return { request: { ...request, body: noBytes() }, messages };
  const bytes = request.body as AsyncIterable<Uint8Array>;
  if (isEnveloped) {
    const body = withRoom(bytes, new EnvelopeCounter(arriving));
    const decoded = decodeEnvelopes(body, arriving, decode, compression);
    return { request: { ...request, body: decoded }, messages };
  }
  const limit =
    compression === undefined
      ? {
          maxBytes: messageLimitBytes(schema, isJson),
          tooLarge: () => messageTooLarge(schema, isJson),
        }
      : { maxBytes: messageMaxBytes, tooLarge: () => requestTooLarge() };
  const contentLength = Number(request.header.get("content-length") ?? limit.maxBytes);
  const body = withRoom(
    bytes,
    new WholeCounter(arriving, {
      size: contentLength,
      maxBytes: limit.maxBytes,
      isCompressed: compression !== undefined,
    }),
  );
  // Without these headers, Connect cannot refuse the body by its length, and does not decompress it
  // again.
  for (const name of ["content-length", encodingHeader]) request.header.delete(name);
  const decoded = decodeWhole(body, limit, arriving, decode, compression);
  return { request: { ...request, body: decoded }, messages };
}

/** Whether the messages of a request are JSON, by its content type in lower case. */
function isJsonType(contentType: string): boolean {
  return /[/+]json\b/.test(contentType);
}

/** Whether the messages of a request are JSON. */
export function isJsonRequest(header: Headers): boolean {
  return isJsonType(contentTypeOf(header));
}

/** Returns the content type in lower case, because its case does not matter. */
function contentTypeOf(header: Headers): string {
  return (header.get("content-type") ?? "").toLowerCase();
}

async function* noBytes(): AsyncGenerator<Uint8Array> {}

/** Decodes the body of a unary call of the Connect protocol, which is one message. */
async function* decodeWhole(
  body: AsyncIterable<Uint8Array>,
  limit: BodyLimit,
  arriving: RequestBody,
  decode: Decode,
  compression: Compression | undefined,
): AsyncGenerator<Uint8Array> {
  try {
    const bytes = await readBody(body, limit);
    const counted = arriving.next();
    if (compression === undefined) {
      yield decode(bytes, counted);
      return;
    }
    await counted.require(decompressedMaxBytes(bytes.byteLength));
    yield decode(await compression.decompress(bytes, messageMaxBytes), counted);
  } catch (error) {
    throw bodyError(error);
  }
}

/** Decodes the body of any other call: messages, each after a prefix of flags and length. */
async function* decodeEnvelopes(
  body: AsyncIterable<Uint8Array>,
  arriving: RequestBody,
  decode: Decode,
  compression: Compression | undefined,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const envelope of splitEnvelopes(body)) {
      const counted = arriving.next();
      if (isCompressed(envelope))
        await counted.require(decompressedMaxBytes(envelope.data.byteLength));
      const { flags, data } =
        compression === undefined
          ? envelope
          : await envelopeDecompress(envelope, compression, messageMaxBytes);
      if ((flags & ~compressedFlag) !== 0) throw malformedRequest(unknownFlags(flags));
      // Connect refuses a compressed message if the request names no compression.
      yield encodeEnvelope(flags, flags === 0 ? decode(data, counted) : new Uint8Array());
    }
  } catch (error) {
    throw bodyError(error);
  }
}

function isCompressed({ flags }: EnvelopedMessage): boolean {
  return (flags & compressedFlag) !== 0;
}

function unknownFlags(flags: number): string {
  return (
    `a message has the flags ${flags} in its first byte; ` +
    "the flags of a request are 0, or 1 for a compressed message"
  );
}

function bodyError(error: unknown): unknown {
  if (error instanceof VademecumError) return toConnectError(error);
  if (!(error instanceof ConnectError)) return error;
  return toConnectError(
    error.code === Code.ResourceExhausted ? requestTooLarge() : malformedRequest(error.rawMessage),
  );
}
