import {
  type Compression,
  compressionNegotiate,
  encodeEnvelope,
  type UniversalServerRequest,
  type UniversalServerResponse,
} from "@connectrpc/connect/protocol";

/** The flag of an envelope whose message is compressed. Envelopes of trailers have other flags. */
const compressedFlag = 1;

const httpOk = 200;

/**
 * Puts the encoded message of a unary reply into its response. Connect would encode a large message
 * in one step, which blocks other calls. So the adapter encodes the message itself, gives Connect
 * an empty one, and replaces the empty one afterwards. Leaves an error response as it is.
 */
export async function replaceMessage(
  request: UniversalServerRequest,
  response: UniversalServerResponse,
  message: Uint8Array,
  compressions: readonly Compression[],
): Promise<UniversalServerResponse> {
  const header = new Headers(response.header);
  const { body, status } = response;
  if (body === undefined || status !== httpOk) return response;
  if (header.get("content-type")?.startsWith("application/grpc") === true) {
    const envelope = await envelopeOf(message, streamCompression(header, compressions));
    return { ...response, body: replaceFirst(body, envelope) };
  }
  const accepted = request.header.get("accept-encoding");
  const { response: compression } = compressionNegotiate(
    [...compressions],
    request.header.get("content-encoding"),
    accepted,
    "accept-encoding",
  );
  const bytes = compression === null ? message : await compression.compress(message);
  if (compression !== null) header.set("content-encoding", compression.name);
  header.set("content-length", String(bytes.byteLength));
  return { ...response, header, body: oneChunk(bytes) };
}

/** The encoded messages of a stream of replies. Connect gets an empty message in their place. */
export class EncodedMessages {
  readonly #bytes = new Map<number, Uint8Array>();
  #count = 0;

  /** Adds the next message; `undefined`: Connect encodes it. */
  add(bytes: Uint8Array | undefined): void {
    if (bytes !== undefined) this.#bytes.set(this.#count, bytes);
    this.#count += 1;
  }

  /** Returns the message at an index of the stream, and removes it from this object. */
  take(place: number): Uint8Array | undefined {
    const bytes = this.#bytes.get(place);
    this.#bytes.delete(place);
    return bytes;
  }
}

/** Replaces the empty messages of a stream by the encoded messages. */
export function replaceMessages(
  response: UniversalServerResponse,
  messages: EncodedMessages,
  compressions: readonly Compression[],
): UniversalServerResponse {
  const { body, header } = response;
  if (body === undefined) return response;
  const compression = streamCompression(new Headers(header), compressions);
  return { ...response, body: replaceEach(body, messages, compression) };
}

async function* replaceEach(
  body: AsyncIterable<Uint8Array>,
  messages: EncodedMessages,
  compression: Compression | undefined,
): AsyncGenerator<Uint8Array> {
  let place = 0;
  for await (const chunk of body) {
    const message = isMessage(chunk) ? messages.take(place++) : undefined;
    yield message === undefined ? chunk : await envelopeOf(message, compression);
  }
}

/** Returns the compression of a stream, whose messages are compressed one by one. */
function streamCompression(
  header: Headers,
  compressions: readonly Compression[],
): Compression | undefined {
  // These headers are set for every reply that may be compressed.
  const name = header.get("grpc-encoding") ?? header.get("connect-content-encoding");
  return compressions.find((each) => each.name === name);
}

async function envelopeOf(
  message: Uint8Array,
  compression: Compression | undefined,
): Promise<Uint8Array> {
  return compression === undefined
    ? encodeEnvelope(0, message)
    : encodeEnvelope(compressedFlag, await compression.compress(message));
}

/** Whether an envelope holds a message. Any other envelope holds trailers. */
function isMessage(envelope: Uint8Array): boolean {
  return (envelope[0] ?? 0) <= compressedFlag;
}

async function* oneChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** Replaces the first envelope of a body, unless it holds the trailers of an error. */
async function* replaceFirst(
  body: AsyncIterable<Uint8Array>,
  envelope: Uint8Array,
): AsyncGenerator<Uint8Array> {
  let isFirst = true;
  for await (const chunk of body) {
    yield isFirst && isMessage(chunk) ? envelope : chunk;
    isFirst = false;
  }
}
