import type { DescMessage, JsonReadOptions } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import {
  type Compression,
  encodeEnvelope,
  envelopeDecompress,
  readAllBytes,
  type UniversalServerRequest,
} from "@connectrpc/connect/protocol";
import { VademecumError } from "../../core/model/errors.js";
import { requestMaxBytes } from "../limits.js";
import { decodeBinary, decodeJson, malformedRequest } from "./decode.js";
import { requestTooLarge, splitEnvelopes } from "./envelopes.js";
import { toConnectError } from "./status.js";

/** The encodings that requests may use. */
export interface RequestFormats {
  readonly json: Partial<JsonReadOptions>;
  readonly compressions: readonly Compression[];
}

type Decode = (bytes: Uint8Array) => unknown;

/**
 * Returns the request with a body that throws an error with a reason when it cannot be decoded.
 *
 * Connect answers INTERNAL to malformed binary and gives no reason for malformed JSON, but it
 * passes on an error that the body throws. The price is that every request is decoded twice.
 */
export function checkBody(
  request: UniversalServerRequest,
  schema: DescMessage,
  formats: RequestFormats,
): UniversalServerRequest {
  const body = request.body as AsyncIterable<Uint8Array>;
  const contentType = request.header.get("content-type") ?? "";
  const decode: Decode = /[/+]json\b/.test(contentType)
    ? (bytes) => decodeJson(schema, bytes, formats.json)
    : (bytes) => decodeBinary(schema, bytes);
  const isEnveloped = !/^application\/(proto|json)\b/.test(contentType);
  const encoding = isEnveloped
    ? (request.header.get("grpc-encoding") ?? request.header.get("connect-content-encoding"))
    : request.header.get("content-encoding");
  const compression = formats.compressions.find(({ name }) => name === encoding);
  // Connect refuses an unknown encoding.
  if (compression === undefined && encoding !== null && encoding !== "identity") return request;
  if (isEnveloped) return { ...request, body: checkEnvelopes(body, decode, compression) };
  const length = request.header.get("content-length");
  // Connect would refuse a body by its length, without a reason.
  request.header.delete("content-length");
  return { ...request, body: checkWhole(body, length, decode, compression) };
}

/** Checks the body of a unary call of the Connect protocol, which is one message. */
async function* checkWhole(
  body: AsyncIterable<Uint8Array>,
  length: string | null,
  decode: Decode,
  compression: Compression | undefined,
): AsyncGenerator<Uint8Array> {
  try {
    const bytes = await readAllBytes(body, requestMaxBytes, length);
    decode(
      compression === undefined ? bytes : await compression.decompress(bytes, requestMaxBytes),
    );
    yield bytes;
  } catch (error) {
    throw bodyError(error);
  }
}

/** Checks the body of any other call: messages, each after a prefix of flags and length. */
async function* checkEnvelopes(
  body: AsyncIterable<Uint8Array>,
  decode: Decode,
  compression: Compression | undefined,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const envelope of splitEnvelopes(body)) {
      const { flags, data } =
        compression === undefined
          ? envelope
          : await envelopeDecompress(envelope, compression, requestMaxBytes);
      // Other flags mark an envelope without a message, or an unexpected compression. Connect
      // refuses both.
      if (flags === 0) decode(data);
      yield encodeEnvelope(flags, data);
    }
  } catch (error) {
    throw bodyError(error);
  }
}

function bodyError(error: unknown): unknown {
  if (error instanceof VademecumError) return toConnectError(error);
  if (!(error instanceof ConnectError)) return error;
  return toConnectError(
    error.code === Code.ResourceExhausted ? requestTooLarge() : malformedRequest(error.rawMessage),
  );
}
