import type { JsonReadOptions, Message } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import {
  type Compression,
  type EnvelopedMessage,
  encodeEnvelope,
  envelopeDecompress,
  type UniversalServerRequest,
} from "@connectrpc/connect/protocol";
import { VademecumError } from "../../core/model/errors.js";
import type { Outcome } from "../../core/ports/ended-call.js";
import type { OpenReply } from "../admit/open-reply.js";
import { messageMaxBytes } from "../limits.js";
import { decodeBinary, decodeJson, messageLimitBytes, messageTooLarge } from "./decode.js";
import { type BodyLimit, readBody, splitEnvelopes } from "./envelopes.js";
import type { RpcMethod } from "./handler.js";
import { malformedRequest, requestTooLarge } from "./request-errors.js";
import { largeMessageBytes, wireLimitBytes } from "./request-limits.js";
import { withTimeLimit } from "./request-waits.js";
import { toConnectError } from "./status.js";

/** The encodings that requests may use. */
export interface RequestFormats {
  readonly json: Partial<JsonReadOptions>;
  readonly compressions: readonly Compression[];
}

/** A request with the chunks of its body. */
export type StreamedRequest = UniversalServerRequest & {
  readonly body: AsyncIterable<Uint8Array>;
};

/** A decoded message, and its bytes as they were received, after decompression. */
export interface ReceivedMessage {
  readonly message: Message;
  readonly bytes: Uint8Array;
}

/** The flag of a compressed message. */
const compressedFlag = 1;

/**
 * A request on the HTTP port, whose messages this server reads and decodes itself. Connect answers
 * INTERNAL to malformed binary, gives no reason for malformed JSON, and accepts no short names of
 * enum values.
 */
export class IncomingRequest {
  /**
   * The request for Connect, with a constant body: one empty message, or none in a stream of
   * requests. An interceptor replaces it by the messages of this object.
   */
  readonly request: UniversalServerRequest;
  readonly #body: AsyncIterable<Uint8Array>;
  readonly #method: RpcMethod;
  readonly #reply: OpenReply;
  readonly #formats: RequestFormats;
  readonly #isJson: boolean;
  readonly #isEnveloped: boolean;
  readonly #compression: Compression | undefined;
  readonly #encoding: string | null;
  readonly #contentLength: number;
  readonly #onBytes: (bytes: Uint8Array) => void;

  /** @param onBytes called with the bytes of each message before it is decoded; may throw */
  constructor(
    given: StreamedRequest,
    method: RpcMethod,
    formats: RequestFormats,
    reply: OpenReply,
    onBytes: (bytes: Uint8Array) => void,
  ) {
    const contentType = contentTypeOf(given.header);
    this.#body = given.body;
    this.#method = method;
    this.#reply = reply;
    this.#formats = formats;
    this.#onBytes = onBytes;
    this.#isJson = isJsonType(contentType);
    this.#isEnveloped = !/^application\/(proto|json)\b/.test(contentType);
    const encodingHeader = this.#isEnveloped
      ? contentType.startsWith("application/connect")
        ? "connect-content-encoding"
        : "grpc-encoding"
      : "content-encoding";
    const encoding = given.header.get(encodingHeader);
    this.#encoding = encoding;
    this.#compression = formats.compressions.find(({ name }) => name === encoding);
    this.#contentLength = Number(given.header.get("content-length") ?? Infinity);
    // Connect would check this length. It keeps an unknown encoding, and refuses it.
    given.header.delete("content-length");
    if (!this.#isEnveloped && this.#compression !== undefined) given.header.delete(encodingHeader);
    const empty = Buffer.from(this.#isJson ? "{}" : "");
    const isStream = method.kind === "bidi_streaming";
    const body = this.#isEnveloped ? (isStream ? [] : [encodeEnvelope(0, empty)]) : [empty];
    this.request = { ...given, body: chunksOf(body) };
  }

  /** The outcome of a call that Connect has refused because of its headers. */
  get libraryRefusal(): Outcome {
    const { name } = this.#compression ?? { name: "identity" };
    return { code: (this.#encoding ?? name) === name ? "INVALID_ARGUMENT" : "UNIMPLEMENTED" };
  }

  /** Whether the messages are JSON. */
  get isJson(): boolean {
    return this.#isJson;
  }

  /**
   * Reads a request that is one message, once the call has its slot.
   *
   * @param waitMs time for the whole request to arrive
   * @throws ConnectError with the reason of a request that cannot be read or has to be refused
   */
  async readOne(waitMs: number): Promise<ReceivedMessage> {
    try {
      if (this.#method.needsSlot)
        await this.#reply.openSlot(this.#mostBytes(), this.#method.isRead);
      const body = withTimeLimit(this.#body, waitMs);
      return this.#isEnveloped ? await this.#onlyMessage(body) : await this.#wholeBody(body);
    } catch (error) {
      throw bodyError(error);
    }
  }

  /**
   * Yields the messages of a stream of requests.
   *
   * @throws ConnectError as `readOne` does
   */
  async *readAll(): AsyncGenerator<ReceivedMessage> {
    try {
      yield* this.#messages(this.#body);
    } catch (error) {
      throw bodyError(error);
    }
  }

  /** Returns the largest size that the only message can have, in bytes. */
  #mostBytes(): number {
    const most =
      this.#compression === undefined
        ? messageLimitBytes(this.#method.descriptor.input, this.#isJson)
        : messageMaxBytes;
    return Math.min(most, this.#contentLength);
  }

  async #wholeBody(body: AsyncIterable<Uint8Array>): Promise<ReceivedMessage> {
    const { input } = this.#method.descriptor;
    const limit: BodyLimit =
      this.#compression === undefined
        ? {
            maxBytes: this.#isJson ? messageLimitBytes(input, true) : wireLimitBytes(this.#method),
            tooLarge: () => messageTooLarge(input, this.#isJson),
          }
        : { maxBytes: messageMaxBytes, tooLarge: () => requestTooLarge() };
    const bytes = await readBody(body, limit);
    const plain = await this.#compression?.decompress(bytes, messageMaxBytes);
    return this.#decode(plain ?? bytes);
  }

  async #onlyMessage(body: AsyncIterable<Uint8Array>): Promise<ReceivedMessage> {
    let only: ReceivedMessage | undefined;
    for await (const message of this.#messages(body)) {
      if (only !== undefined) throw unexpectedCount("more than one message");
      only = message;
    }
    return only ?? fail(unexpectedCount("no message"));
  }

  async *#messages(body: AsyncIterable<Uint8Array>): AsyncGenerator<ReceivedMessage> {
    const limitBytes = this.#isJson ? messageMaxBytes : wireLimitBytes(this.#method);
    const isStream = this.#method.kind === "bidi_streaming";
    const envelopes = splitEnvelopes(body, {
      maxBytes: limitBytes,
      tooLarge: () =>
        this.#isJson ? requestTooLarge() : messageTooLarge(this.#method.descriptor.input, false),
      // The only message of a call has the slot of the call.
      openSlot: (bytes) =>
        isStream && bytes > largeMessageBytes
          ? this.#reply.openMessageSlot(bytes, this.#reply)
          : undefined,
    });
    for await (const envelope of envelopes) yield this.#decode(await this.#open(envelope));
  }

  /** Returns the bytes of the message in an envelope. */
  async #open(envelope: EnvelopedMessage): Promise<Uint8Array> {
    if ((envelope.flags & ~compressedFlag) !== 0)
      throw malformedRequest(unknownFlags(envelope.flags));
    if (envelope.flags === 0) return envelope.data;
    if (this.#compression === undefined) throw compressedWithoutName();
    return (await envelopeDecompress(envelope, this.#compression, messageMaxBytes)).data;
  }

  #decode(bytes: Uint8Array): ReceivedMessage {
    this.#onBytes(bytes);
    const { input } = this.#method.descriptor;
    const message = this.#isJson
      ? decodeJson(input, bytes, this.#formats.json)
      : decodeBinary(input, bytes);
    return { message, bytes };
  }
}

/** Whether the messages of a request are JSON, by its content type in lower case. */
function isJsonType(contentType: string): boolean {
  return /[/+]json\b/.test(contentType);
}

/** Returns the content type in lower case, because its case does not matter. */
function contentTypeOf(header: Headers): string {
  return (header.get("content-type") ?? "").toLowerCase();
}

async function* chunksOf(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

function unknownFlags(flags: number): string {
  return (
    `a message has the flags ${flags} in its first byte; ` +
    "the flags of a request are 0, or 1 for a compressed message"
  );
}

/** The error of a request that breaks the protocol, with the code that the protocol demands. */
class ProtocolError extends Error {
  constructor(
    message: string,
    readonly code: Code,
  ) {
    super(message);
  }
}

function compressedWithoutName(): ProtocolError {
  const text = "a message is compressed, but the request names no compression";
  return new ProtocolError(text, Code.Internal);
}

function unexpectedCount(what: string): ProtocolError {
  return new ProtocolError(`the request has ${what}; the method takes one`, Code.Unimplemented);
}

function fail(error: unknown): never {
  throw error;
}

function bodyError(error: unknown): unknown {
  if (error instanceof VademecumError) return toConnectError(error);
  if (error instanceof ProtocolError) return new ConnectError(error.message, error.code);
  if (!(error instanceof ConnectError)) return error;
  return toConnectError(
    error.code === Code.ResourceExhausted ? requestTooLarge() : malformedRequest(error.rawMessage),
  );
}
