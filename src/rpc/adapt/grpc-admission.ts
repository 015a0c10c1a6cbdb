import type { Http2Stream } from "node:http2";
import type { Metadata, ServerInterceptingCall, ServerInterceptor } from "@grpc/grpc-js";
import type { Principal } from "../../core/model/principal.js";
import type { Credentials } from "../../core/ports/authenticator.js";
import type { Access } from "../access/access.js";
import type { Admission } from "./admitted-call.js";
import { createAttachedValues } from "./attached-values.js";
import { certificateNames } from "./certificate-names.js";
import { replaceMethod, streamOf } from "./grpc-call-stream.js";
import { toGrpcStatus } from "./grpc-status.js";
import { replyOf } from "./open-replies.js";
import type { ErrorReporter } from "./status.js";

/** The admitted calls, by the metadata that grpc-js hands to interceptors and handlers. */
const admitted = createAttachedValues<Metadata, Admission>("admission");

/** Returns the admission of a call that `admitCallers` has let pass. */
export function admissionOf(metadata: Metadata): Admission {
  const admission = admitted.of(metadata);
  if (admission === undefined) throw new Error("the call was not admitted");
  return admission;
}

/**
 * Admits the caller of each call before its message is read. A refused call ends immediately, so
 * that its message is never decoded.
 *
 * Replaces methods of the call and returns the same call, as `restateRefusals` does.
 */
export function admitCallers(access: Access, report: ErrorReporter): ServerInterceptor {
  return (method, call) => {
    const stream = streamOf(call);
    const start = replaceMethod(call, "start", (listener) =>
      start({
        onReceiveMetadata: (metadata) => {
          const refuse = (error: unknown): void =>
            call.sendStatus(toGrpcStatus(report(error, method.path)));
          const credentials = credentialsOf(metadata, stream);
          const pass = (principal: Principal): void => {
            admitted.attach(metadata, { principal, credentials, reply: replyOf(stream) });
            listener.onReceiveMetadata(metadata);
          };
          try {
            const principal = access.admit(method.path, credentials);
            if (principal instanceof Promise) principal.then(pass, refuse);
            else pass(principal);
          } catch (error) {
            refuse(error);
          }
        },
        onReceiveMessage: (message) => listener.onReceiveMessage(message),
        onReceiveHalfClose: () => listener.onReceiveHalfClose(),
        onCancel: () => listener.onCancel(),
      }),
    );
    return call as ServerInterceptingCall;
  };
}

function credentialsOf(metadata: Metadata, { session }: Http2Stream): Credentials {
  const [authorization] = metadata.get("authorization");
  return {
    certificateNames: certificateNames(session?.socket),
    authorization: authorization?.toString(),
  };
}
