import type { Http2Stream } from "node:http2";
import {
  Metadata,
  type ServerInterceptingCall,
  type ServerInterceptor,
  status as statusCode,
} from "@grpc/grpc-js";
import type { VademecumError } from "../../core/model/errors.js";
import { refusedMaxBytes } from "../limits.js";
import { createAttachedValues } from "./attached-values.js";
import {
  type InterceptedCall,
  privateMethodOf,
  replaceMethod,
  streamOf,
} from "./grpc-call-stream.js";
import { statusDetailsName, toGrpcStatus } from "./grpc-status.js";
import { malformedRequest, requestTooLarge } from "./request-errors.js";

type GrpcJsStatus = Parameters<InterceptedCall["sendStatus"]>[0];

/** The functions that refuse the rest of a message, by call. */
const refusers = createAttachedValues<
  InterceptedCall,
  (unread: number, status: GrpcJsStatus) => void
>("refuse");

/**
 * Ends a call whose message has not arrived completely. Reads the rest of the message, but does not
 * keep it. Requires: the call has passed `restateRefusals`.
 *
 * @param unreadBytes bytes of the message that have not arrived
 */
export function refuseRest(call: InterceptedCall, unreadBytes: number, status: GrpcJsStatus): void {
  refusers.of(call)?.(unreadBytes, status);
}

/** The private method with which grpc-js collects the chunks of a message. */
const collectChunk = "handleDataFrame";

/**
 * Restates the refusals that grpc-js makes itself, with the codes and reasons of the other
 * protocols. grpc-js refuses a request that cannot be decompressed, is too large or ends inside a
 * message. It also refuses a timeout that cannot be read.
 *
 * grpc-js refuses below the interceptors, in methods of the call. So this interceptor replaces
 * methods of the call, and returns the same call. It reads the private members `stream` and
 * `decoder`; without them, the refusals of grpc-js stay as they are. It throws if `handleDataFrame`
 * is missing: then it could not stop grpc-js from collecting a refused message.
 */
export const restateRefusals: ServerInterceptor = (_method, call) => {
  privateMethodOf(call, collectChunk);
  let isRefused = false;
  const sendStatus = replaceMethod(call, "sendStatus", (status) => {
    // The status of the refusal follows once the rest of the message is read. No other status may
    // come first.
    if (isRefused) return;
    const error = restatedError(status);
    if (error?.reason !== "REQUEST_TOO_LARGE") {
      sendStatus(error === undefined ? status : toGrpcStatus(error));
      return;
    }
    isRefused = true;
    const unread = sizeOfMessage(status) - unreadMaxBytes;
    afterMessage(call, unread, () => sendStatus(toGrpcStatus(error)));
  });
  refusers.attach(call, (unread, status) => {
    if (isRefused) return;
    isRefused = true;
    // Otherwise grpc-js would collect the rest of the message.
    Reflect.set(call, collectChunk, () => undefined);
    streamOf(call).resume();
    afterMessage(call, unread, () => sendStatus(status));
  });
  const start = replaceMethod(call, "start", (listener) =>
    start({
      onReceiveMetadata: (metadata) => listener.onReceiveMetadata(metadata),
      onReceiveMessage: (message) => listener.onReceiveMessage(message),
      onReceiveHalfClose: () => {
        if (endsInsideMessage(call))
          call.sendStatus(toGrpcStatus(malformedRequest("it ends inside a message")));
        else listener.onReceiveHalfClose();
      },
      onCancel: () => listener.onCancel(),
    }),
  );
  return call as ServerInterceptingCall;
};

/** Returns the error that a status of grpc-js stands for; `undefined` if the status can stay. */
function restatedError({ code, details, metadata }: GrpcJsStatus): VademecumError | undefined {
  if (metadata instanceof Metadata && metadata.get(statusDetailsName).length > 0) return undefined;
  if (code === statusCode.RESOURCE_EXHAUSTED && details?.startsWith("Received message"))
    return requestTooLarge();
  if (code !== statusCode.INTERNAL) return undefined;
  if (details?.startsWith("Failed to decompress"))
    return malformedRequest("it cannot be decompressed");
  if (details?.startsWith("Invalid grpc-timeout"))
    return malformedRequest(
      "its grpc-timeout must have 1 to 8 digits and a unit of H, M, S, m, u or n, such as 30S",
    );
  return undefined;
}

/** Maximum number of unread bytes of a message when its refusal is sent. */
const unreadMaxBytes = 1024 * 1024;

/** Returns the size of a message that grpc-js refused for its size; 0 if it has been read. */
function sizeOfMessage({ details }: GrpcJsStatus): number {
  const [, size = 0] = /larger than max \((\d+) vs/.exec(details) ?? [];
  return Number(size);
}

/**
 * Waits until `unreadBytes` further bytes of a refused message are read, then calls `respond`. A
 * Node client that still holds a large message in its buffers has no space for the status, and
 * reports ENHANCE_YOUR_CALM instead.
 */
function afterMessage(call: InterceptedCall, unreadBytes: number, respond: () => void): void {
  const stream = Reflect.get(call, "stream") as Http2Stream | undefined;
  let bytes = Math.min(unreadBytes, refusedMaxBytes - unreadMaxBytes);
  if (stream === undefined || stream.readableEnded || bytes <= 0) {
    respond();
    return;
  }
  const end = () => {
    stream.off("data", count).off("end", end).off("close", end);
    respond();
  };
  const count = (chunk: Buffer) => {
    bytes -= chunk.byteLength;
    if (bytes <= 0) end();
  };
  stream.on("data", count).once("end", end).once("close", end);
}

function endsInsideMessage(call: InterceptedCall): boolean {
  const decoder = Reflect.get(call, "decoder") as { readonly readState?: number } | undefined;
  return (decoder?.readState ?? 0) !== 0;
}
