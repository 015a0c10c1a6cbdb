import type { ServerInterceptingCall, ServerInterceptor } from "@grpc/grpc-js";
import type { RequestMessage } from "../admit/request-message.js";
import { createAttachedValues } from "./attached-values.js";
import { privateMethodOf, streamOf } from "./grpc-call-stream.js";
import { refuseRest } from "./grpc-refusals.js";
import { toGrpcStatus } from "./grpc-status.js";
import { replyOf } from "./open-replies.js";
import { decompressedMaxBytes, EnvelopeCounter, prefixBytes } from "./request-counters.js";
import type { ErrorReporter } from "./status.js";

/** Decompresses a message with its prefix. A rejection has the members of a status of grpc-js. */
type Decompress = (message: Buffer, encoding: string) => Buffer | Promise<Buffer>;

/** The counted messages, by their bytes as grpc-js hands them to handlers. */
const messages = createAttachedValues<Uint8Array, RequestMessage>("message");

/** Returns the counted message to which the bytes of a request belong. */
export function requestMessageOf(bytes: Uint8Array): RequestMessage {
  const message = messages.of(bytes);
  if (message === undefined) throw new Error("the message was not counted");
  return message;
}

/**
 * Counts the bytes of requests while they arrive. If the limits on request bytes leave no room for
 * a request, stops reading it until they do, or refuses it.
 *
 * grpc-js collects a message below the interceptors. So this interceptor listens to the stream of
 * the call, and replaces `decompressMessage`, a private method that grpc-js calls for each message.
 * Returns the same call, as `restateRefusals` does.
 */
export function countRequests(report: ErrorReporter): ServerInterceptor {
  return (method, call) => {
    const stream = streamOf(call);
    const { request } = replyOf(stream);
    const counter = new EnvelopeCounter(request);
    const statusOf = (error: unknown) => toGrpcStatus(report(error, method.path));
    let isRefused = false;
    const refuse = (error: unknown): void => {
      isRefused = true;
      refuseRest(call, counter.unreadBytes, statusOf(error));
    };
    // Runs before the listener of grpc-js, so that a message is counted before it is decompressed.
    stream.prependListener("data", (chunk: Buffer) => {
      if (isRefused) return;
      try {
        const wait = counter.read(chunk);
        if (wait === undefined) return;
        stream.pause();
        wait.then(() => stream.resume(), refuse);
      } catch (error) {
        refuse(error);
      }
    });
    // grpc-js sends the reason of a rejection as the status.
    const reject = (error: unknown): never => {
      throw Object.assign(new Error("the request has no room"), statusOf(error));
    };
    const decompress = privateMethodOf(call, "decompressMessage") as Decompress;
    const decompressCounted: Decompress = (message, encoding) => {
      const counted = request.next();
      const keep = (bytes: Buffer): Buffer => {
        counted.resize(bytes.byteLength);
        messages.attach(bytes, counted);
        return bytes;
      };
      const start = () => Reflect.apply(decompress, call, [message, encoding]);
      const isCompressed = encoding !== "identity";
      const size = message.byteLength;
      const room = counted.require(isCompressed ? decompressedMaxBytes(size) : size - prefixBytes);
      if (room === undefined && !isCompressed) return keep(start() as Buffer);
      return Promise.resolve(room).catch(reject).then(start).then(keep);
    };
    Reflect.set(call, "decompressMessage", decompressCounted);
    return call as ServerInterceptingCall;
  };
}
