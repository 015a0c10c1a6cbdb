import { once } from "node:events";
import { connect, type IncomingHttpHeaders, type OutgoingHttpHeaders } from "node:http2";

/** The response to a request over HTTP/2. */
export interface RawResponse {
  readonly headers: IncomingHttpHeaders;
  readonly trailers: IncomingHttpHeaders;
  readonly body: string;
}

/** Sends one request over its own HTTP/2 connection, with headers that client libraries refuse. */
export async function sendHttp2(
  url: string,
  headers: OutgoingHttpHeaders,
  body: Uint8Array = Buffer.alloc(0),
): Promise<RawResponse> {
  const session = connect(url);
  try {
    const stream = session.request(
      { ":method": "POST", te: "trailers", ...headers },
      { endStream: body.byteLength === 0 },
    );
    const responded = once(stream, "response");
    let trailers: IncomingHttpHeaders = {};
    stream.on("trailers", (received: IncomingHttpHeaders) => {
      trailers = received;
    });
    if (body.byteLength > 0) stream.end(body);
    const [received] = (await responded) as [IncomingHttpHeaders];
    let text = "";
    for await (const chunk of stream) text += String(chunk);
    return { headers: received, trailers, body: text };
  } finally {
    session.close();
  }
}

/** Returns a message in the framing of gRPC. */
export function grpcFrame(message: Uint8Array): Buffer {
  const frame = Buffer.alloc(5 + message.byteLength);
  frame.writeUInt32BE(message.byteLength, 1);
  frame.set(message, 5);
  return frame;
}

/** The preface of HTTP/2 and an empty SETTINGS frame. */
export const http2Greeting = Buffer.concat([
  Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
  http2Frame(4, 0, 0, Buffer.alloc(0)),
]);

/** Returns the HEADERS frame of a gRPC call, after which a message can follow. */
export function headersFrame(streamId: number, path: string): Buffer {
  const literal = (text: string) => [Buffer.from([text.length]), Buffer.from(text)];
  const block = Buffer.concat([
    // `:method: POST`, `:scheme: http`, then `:path`, `:authority` and `content-type` with values.
    Buffer.from([0x83, 0x86, 0x04]),
    ...literal(path),
    Buffer.from([0x01]),
    ...literal("localhost"),
    Buffer.from([0x0f, 0x10]),
    ...literal("application/grpc"),
  ]);
  return http2Frame(1, 4, streamId, block);
}

/** Returns the RST_STREAM frame by which a client cancels a call. */
export function resetFrame(streamId: number): Buffer {
  return http2Frame(3, 0, streamId, Buffer.from([0, 0, 0, 8]));
}

/** Returns any frame of HTTP/2. */
export function http2Frame(type: number, flags: number, streamId: number, payload: Buffer): Buffer {
  const header = Buffer.alloc(9);
  header.writeUIntBE(payload.byteLength, 0, 3);
  header.writeUInt8(type, 3);
  header.writeUInt8(flags, 4);
  header.writeUInt32BE(streamId, 5);
  return Buffer.concat([header, payload]);
}
