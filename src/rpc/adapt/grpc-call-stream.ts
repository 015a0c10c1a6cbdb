import type { Http2Stream } from "node:http2";

/** Returns the stream of a call, a private member in grpc-js. */
export function streamOf(call: object): Http2Stream {
  const stream = Reflect.get(call, "stream") as Http2Stream | undefined;
  if (stream === undefined) throw new Error("this version of grpc-js has no stream in its calls");
  return stream;
}
