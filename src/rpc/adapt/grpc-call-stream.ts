import type { Http2Stream } from "node:http2";

/** Returns the stream of a call, a private member in grpc-js. */
export function streamOf(call: object): Http2Stream {
  const stream = Reflect.get(call, "stream") as Http2Stream | undefined;
  if (stream === undefined) throw new Error("this version of grpc-js has no stream in its calls");
  return stream;
}

/** A method that is not bound to its call. */
type Method = (...args: never) => unknown;

/**
 * Returns a private method of a call of grpc-js. Throws if this version of grpc-js has no such
 * method.
 */
export function privateMethodOf(call: object, name: string): Method {
  const method: unknown = Reflect.get(call, name);
  if (typeof method !== "function")
    throw new Error(`this version of grpc-js has no ${name} in its calls`);
  return method as Method;
}
