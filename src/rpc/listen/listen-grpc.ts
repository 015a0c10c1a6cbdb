import type { Http2Server, IncomingHttpHeaders } from "node:http2";
import { Server, ServerCredentials, type ServerInterceptor } from "@grpc/grpc-js";
import type { Address } from "../../edge/address.js";
import { pathOf } from "../access/access.js";
import type { AdapterParts } from "../adapt/adapter-parts.js";
import { addToGrpcServer } from "../adapt/grpc-adapter.js";
import { interceptCalls } from "../adapt/grpc-calls.js";
import type { Implementation, RpcMethod } from "../adapt/handler.js";
import { messageMaxBytes, sessionMemoryMaxMb } from "../limits.js";
import { governHttp2 } from "./govern-http2.js";
import { type Listener, openListener } from "./listener.js";
import { createSocketServer } from "./socket-server.js";
import type { TlsSource } from "./tls-identity.js";

/** The address of the gRPC listener and its RPCs. */
export interface GrpcListenerOptions {
  readonly address: Address;
  readonly implementations: readonly Implementation[];
  readonly parts: AdapterParts;
  /** Source of the TLS identity. Absent: the listener serves plaintext. */
  readonly tls?: TlsSource;
  /** Interceptors that observe or change the messages of every call. Default: none. */
  readonly interceptors?: readonly ServerInterceptor[];
}

/**
 * Serves native gRPC over HTTP/2. Requests of any other protocol get an HTTP error.
 *
 * @throws Error of the system when the port cannot be opened
 */
export async function listenGrpc({
  address,
  implementations,
  parts,
  tls,
  interceptors = [],
}: GrpcListenerOptions): Promise<Listener> {
  const server = new Server({
    "grpc.max_receive_message_length": messageMaxBytes,
    "grpc.max_send_message_length": messageMaxBytes,
    "grpc.max_concurrent_streams": parts.traffic.limits.connectionCalls,
    "grpc-node.max_session_memory": sessionMemoryMaxMb,
    "grpc.enable_channelz": 0,
    interceptors: [interceptCalls(methodsByPath(implementations), parts), ...interceptors],
  });
  for (const implementation of implementations) addToGrpcServer(server, implementation, parts);
  // grpc-js would wait for idle sockets without end, so the listener owns the sockets.
  const { traffic } = parts;
  const { injector, http2 } = createInjector(server);
  const take = governHttp2(http2, traffic, { statusOf: httpErrorOf }, (socket) =>
    injector.injectConnection(socket),
  );
  const sockets = createSocketServer({ traffic, tls, protocols: ["h2"] }, take);
  return openListener(sockets, address, {
    begin: (graceMs) => injector.drain(graceMs),
    // `drain` itself cancels the calls that are left after `graceMs`.
    cancel: () => undefined,
  });
}

/**
 * Creates the injector, which hands connections to a server. Also returns the HTTP/2 server that
 * gets these connections. grpc-js creates this HTTP/2 server in a private method. The function
 * overrides the method, and throws at start if the method is gone.
 */
function createInjector(server: Server): {
  readonly injector: ReturnType<Server["createConnectionInjector"]>;
  readonly http2: Http2Server;
} {
  const name = "createHttp2Server";
  const createHttp2Server: unknown = Reflect.get(server, name);
  let http2: Http2Server | undefined;
  if (typeof createHttp2Server === "function")
    Reflect.set(server, name, (credentials: ServerCredentials) => {
      http2 = Reflect.apply(createHttp2Server, server, [credentials]) as Http2Server;
      return http2;
    });
  const injector = server.createConnectionInjector(ServerCredentials.createInsecure());
  if (http2 === undefined) throw new Error(`this version of grpc-js has no ${name} to override`);
  return { injector, http2 };
}

function methodsByPath(implementations: readonly Implementation[]): Map<string, RpcMethod> {
  const methods = implementations.flatMap((implementation) => implementation.methods);
  return new Map(methods.map((method) => [pathOf(method.descriptor), method]));
}

/**
 * Returns the HTTP status of a request that is no native gRPC.
 *
 * grpc-js accepts every content type that starts with `application/grpc`, and checks no HTTP
 * method. A gRPC-Web request or a GET would therefore run as a gRPC call: a write would succeed
 * although its client cannot read the response.
 */
function httpErrorOf(headers: IncomingHttpHeaders): number | undefined {
  if (headers[":method"] !== "POST") return 405;
  return /^application\/grpc(\+proto)?(;|$)/.test(headers["content-type"] ?? "") ? undefined : 415;
}
