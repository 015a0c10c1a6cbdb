import {
  type Compression,
  compressionNegotiate,
  encodeEnvelope,
  type UniversalServerRequest,
  type UniversalServerResponse,
} from "@connectrpc/connect/protocol";

/** The flag of an envelope whose message is compressed. */
const compressedFlag = 1;

const httpOk = 200;

/**
 * Puts an encoded message in the place of the empty message of a unary reply. Connect itself would
 * encode a large message in one step, which blocks other calls. Leaves an error as it is.
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
    // gRPC sets this header for every reply that may be compressed.
    const name = header.get("grpc-encoding");
    const compression = compressions.find((each) => each.name === name);
    const envelope =
      compression === undefined
        ? encodeEnvelope(0, message)
        : encodeEnvelope(compressedFlag, await compression.compress(message));
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
    yield isFirst && (chunk[0] ?? 0) <= compressedFlag ? envelope : chunk;
    isFirst = false;
  }
}
