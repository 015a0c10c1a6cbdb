import type { Http2Stream } from "node:http2";
import type { ServerInterceptor } from "@grpc/grpc-js";

/** A call as grpc-js hands it to interceptors. */
export type InterceptedCall = Parameters<ServerInterceptor>[1];

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

/**
 * Replaces a method of one call. Returns the replaced method, bound to the call.
 *
 * Do not write `call.start = (listener) => ...` instead. V8 expects a function that is assigned to
 * a property right where it is written to be a method of a class, which lives long. So V8 puts it
 * among the old objects. Everything that the function refers to, here the whole call, then stays in
 * memory until V8 collects old objects, and each collection of young objects copies it.
 */
export function replaceMethod<Name extends "start" | "sendStatus">(
  call: InterceptedCall,
  name: Name,
  method: InterceptedCall[Name],
): InterceptedCall[Name] {
  const replaced = call[name].bind(call) as InterceptedCall[Name];
  call[name] = method;
  return replaced;
}
