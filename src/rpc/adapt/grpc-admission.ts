import type { Http2Stream } from "node:http2";
import type { Metadata, ServerInterceptingCall, ServerInterceptor } from "@grpc/grpc-js";
import type { Principal } from "../../core/model/principal.js";
import type { Credentials } from "../../core/ports/authenticator.js";
import type { Access } from "../access/access.js";
import { certificateNames } from "./certificate-names.js";
import { toGrpcStatus } from "./grpc-status.js";
import type { ErrorReporter } from "./status.js";

/** The principals of calls, by the metadata that grpc-js hands to interceptors and handlers. */
const principals = new WeakMap<Metadata, Principal>();

/** Returns the principal of a call that `admitCallers` has let pass. */
export function principalOf(metadata: Metadata): Principal {
  const principal = principals.get(metadata);
  if (principal === undefined) throw new Error("the call was not admitted");
  return principal;
}

/**
 * Admits the caller of each call before its message is read. A call that is refused ends at once,
 * so that its message is never decoded.
 *
 * Replaces methods of the call and returns the same call, as `restateRefusals` does.
 */
export function admitCallers(access: Access, report: ErrorReporter): ServerInterceptor {
  return (method, call) => {
    const start = call.start.bind(call);
    call.start = (listener) =>
      start({
        onReceiveMetadata: (metadata) => {
          const refuse = (error: unknown): void =>
            call.sendStatus(toGrpcStatus(report(error, method.path)));
          const pass = (principal: Principal): void => {
            principals.set(metadata, principal);
            listener.onReceiveMetadata(metadata);
          };
          try {
            const admitted = access.admit(method.path, credentialsOf(metadata, call));
            if (admitted instanceof Promise) admitted.then(pass, refuse);
            else pass(admitted);
          } catch (error) {
            refuse(error);
          }
        },
        onReceiveMessage: (message) => listener.onReceiveMessage(message),
        onReceiveHalfClose: () => listener.onReceiveHalfClose(),
        onCancel: () => listener.onCancel(),
      });
    return call as ServerInterceptingCall;
  };
}

/** Reads the credentials of a call. The stream is a private member of the call in grpc-js. */
function credentialsOf(metadata: Metadata, call: object): Credentials {
  const stream = Reflect.get(call, "stream") as Http2Stream | undefined;
  const [authorization] = metadata.get("authorization");
  return {
    certificateNames: certificateNames(stream?.session?.socket),
    ...(authorization === undefined ? {} : { authorization: authorization.toString() }),
  };
}
