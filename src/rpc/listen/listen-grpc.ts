import type { IncomingHttpHeaders, ServerHttp2Stream } from "node:http2";
import { createServer } from "node:net";
import { Server, ServerCredentials, type ServerInterceptor } from "@grpc/grpc-js";
import type { AdapterParts } from "../adapt/adapter-parts.js";
import { addToGrpcServer } from "../adapt/grpc-adapter.js";
import type { Implementation } from "../adapt/handler.js";
import {
  connectionMaxStreams,
  idleConnectionMs,
  keepalivePingMs,
  keepaliveTimeoutMs,
  requestMaxBytes,
  responseMaxBytes,
  sessionMemoryMaxMb,
} from "../limits.js";
import { type ListenAddress, type Listener, openListener, type TlsIdentity } from "./listener.js";

export interface GrpcListenerOptions {
  readonly address: ListenAddress;
  readonly implementations: readonly Implementation[];
  readonly parts: AdapterParts;
  /** Absent: plaintext. */
  readonly tls?: TlsIdentity;
  /** See and change what every call sends and gets. */
  readonly interceptors?: readonly ServerInterceptor[];
}

/** Serves native gRPC, and nothing else, over HTTP/2. @throws if the port cannot be opened */
export async function listenGrpc({
  address,
  implementations,
  parts,
  tls,
  interceptors = [],
}: GrpcListenerOptions): Promise<Listener> {
  const server = new Server({
    "grpc.max_receive_message_length": requestMaxBytes,
    "grpc.max_send_message_length": responseMaxBytes,
    "grpc.max_concurrent_streams": connectionMaxStreams,
    "grpc-node.max_session_memory": sessionMemoryMaxMb,
    "grpc.keepalive_time_ms": keepalivePingMs,
    "grpc.keepalive_timeout_ms": keepaliveTimeoutMs,
    "grpc.max_connection_idle_ms": idleConnectionMs,
    "grpc.enable_channelz": 0,
    interceptors: [...interceptors],
  });
  refuseWhatIsNotGrpc(server);
  for (const implementation of implementations) addToGrpcServer(server, implementation, parts);
  // The sockets are ours, so that a stop can close those that grpc-js would wait for without end.
  const connections = server.createConnectionInjector(credentialsOf(tls));
  const sockets = createServer({ noDelay: true }, (socket) => connections.injectConnection(socket));
  // A drain cuts what is left at the end of its grace by itself.
  return openListener(sockets, address, {
    begin: (graceMs) => connections.drain(graceMs),
    cut: () => undefined,
  });
}

function credentialsOf(tls: TlsIdentity | undefined): ServerCredentials {
  if (tls === undefined) return ServerCredentials.createInsecure();
  return ServerCredentials.createSsl(null, [
    { cert_chain: Buffer.from(tls.certPem), private_key: Buffer.from(tls.keyPem) },
  ]);
}

/** What grpc-js asks before it looks for a handler; false once it has been answered. */
type VerifyContentType = (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => boolean;

/**
 * grpc-js executes calls with any verb and with any content type that begins with `application/grpc`, gRPC-Web and JSON included, and offers no
 * place to refuse them: so this takes the place of its own, private check.
 */
function refuseWhatIsNotGrpc(server: Server): void {
  const name = "_verifyContentType";
  if (typeof Reflect.get(server, name) !== "function")
    throw new Error(`grpc-js has changed: its server has no ${name}`);
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
