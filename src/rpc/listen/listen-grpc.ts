import type { Http2Server, IncomingHttpHeaders, ServerHttp2Stream } from "node:http2";
import { Server, ServerCredentials, type ServerInterceptor } from "@grpc/grpc-js";
import type { Address } from "../../edge/address.js";
import type { AdapterParts } from "../adapt/adapter-parts.js";
import { addToGrpcServer } from "../adapt/grpc-adapter.js";
import { admitCallers } from "../adapt/grpc-admission.js";
import { endLateRequests } from "../adapt/grpc-late-requests.js";
import { restateRefusals } from "../adapt/grpc-refusals.js";
import { countRequests } from "../adapt/grpc-requests.js";
import type { Implementation } from "../adapt/handler.js";
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
    interceptors: [
      restateRefusals,
      countRequests(parts.report),
      endLateRequests(parts.requestWaits),
      admitCallers(parts.access, parts.report),
      ...interceptors,
    ],
  });
  checkRequestHeaders(server);
  for (const implementation of implementations) addToGrpcServer(server, implementation, parts);
  // grpc-js would wait for idle sockets without end, so the listener owns the sockets.
  const { traffic } = parts;
  const { injector, http2 } = createInjector(server);
  const take = governHttp2(http2, traffic, 1, (socket) => injector.injectConnection(socket));
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

/** Returns whether the request may proceed. Otherwise, answers the request itself. */
type VerifyContentType = (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => boolean;

/**
 * Replaces the content-type check of grpc-js, a private method, with a strict check.
 *
 * The check of grpc-js accepts every content type that starts with `application/grpc`, and nothing
 * checks the HTTP method. A gRPC-Web request or a GET would therefore run as a gRPC call: a write
 * would succeed although its client cannot read the response. The gRPC protocol asks for HTTP
 * status 415 instead. The public API cannot do this: an interceptor sees no HTTP method, and can
 * only end a call with a gRPC status.
 *
 * Besides the exact version in package.json, two guards keep the override safe across updates. This
 * function throws at start if the method is gone. `test/rpc/listen/listen-grpc.test.ts` sends GET
 * and gRPC-Web requests over raw HTTP/2, so it fails if grpc-js no longer calls the method.
 */
function checkRequestHeaders(server: Server): void {
  const name = "_verifyContentType";
  if (typeof Reflect.get(server, name) !== "function")
    throw new Error(`this version of grpc-js has no ${name} to override`);
  const verify: VerifyContentType = (stream, headers) => {
    const status = httpErrorOf(headers);
    if (status !== undefined) stream.respond({ ":status": status }, { endStream: true });
    return status === undefined;
  };
  Reflect.set(server, name, verify);
}

function httpErrorOf(headers: IncomingHttpHeaders): number | undefined {
  if (headers[":method"] !== "POST") return 405;
  return /^application\/grpc(\+proto)?(;|$)/.test(headers["content-type"] ?? "") ? undefined : 415;
}
