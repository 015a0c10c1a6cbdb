import type { ServerInterceptingCall, ServerInterceptor } from "@grpc/grpc-js";
import { replaceMethod } from "./grpc-call-stream.js";
import { toGrpcStatus } from "./grpc-status.js";
import { type RequestWaits, requestIncomplete } from "./request-waits.js";

/**
 * Ends calls whose request does not arrive in time after its headers. Nothing else would end such a
 * call, because the handler and its deadline start only with the request. Streams of requests have
 * time limits of their own (see `withWaits`).
 *
 * Replaces methods of the call and returns the same call, as `restateRefusals` does.
 */
export function endLateRequests({ firstMs }: RequestWaits): ServerInterceptor {
  return (method, call) => {
    if (!method.requestStream) {
      const timer = setTimeout(
        () => call.sendStatus(toGrpcStatus(requestIncomplete(firstMs))),
        firstMs,
      );
      const sendStatus = replaceMethod(call, "sendStatus", (status) => {
        clearTimeout(timer);
        sendStatus(status);
      });
      const start = replaceMethod(call, "start", (listener) =>
        start({
          onReceiveMetadata: (metadata) => listener.onReceiveMetadata(metadata),
          onReceiveMessage: (message) => listener.onReceiveMessage(message),
          onReceiveHalfClose: () => {
            clearTimeout(timer);
            listener.onReceiveHalfClose();
          },
          onCancel: () => {
            clearTimeout(timer);
            listener.onCancel();
          },
        }),
      );
    }
    return call as ServerInterceptingCall;
  };
}
