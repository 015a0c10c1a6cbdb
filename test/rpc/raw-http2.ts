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
