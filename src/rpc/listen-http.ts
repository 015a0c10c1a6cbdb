import { once } from "node:events";
import { createServer as createHttp1Server } from "node:http";
import { createServer as createHttp2Server, type ServerHttp2Session } from "node:http2";
import { type AddressInfo, createServer as createNetServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { onFirstBytes } from "./first-bytes.js";
import { type HttpRequest, type HttpResponse, sendJsonError } from "./http-messages.js";
import { createHttpRoutes, type HttpRouteOptions } from "./http-routes.js";
import {
  connectionMaxStreams,
  headersMaxBytes,
  headersTimeoutMs,
  httpMaxConnections,
  idleConnectionMs,
  keepAliveTimeoutMs,
  requestTimeoutMs,
  sessionMemoryMaxMb,
} from "./limits.js";
import { formatAddress, type ListenAddress, type Listener, type TlsIdentity } from "./listener.js";

export interface HttpListenerOptions extends HttpRouteOptions {
  readonly address: ListenAddress;
  /** Absent: plaintext. */
  readonly tls?: TlsIdentity;
}

/**
 * Serves Connect, gRPC, gRPC-Web and JSON over HTTP/1.1 and HTTP/2 on one port. Node's HTTP/2 server speaks no HTTP/1.1 in plaintext: so a server
 * of sockets listens, and hands each connection to one of two servers that do not. @throws if the port cannot be opened
 */
export async function listenHttp({ address, tls, ...routeOptions }: HttpListenerOptions): Promise<Listener> {
  const routes = createHttpRoutes(routeOptions);
  let stopping = false;
  const serve = (request: HttpRequest, response: HttpResponse) => {
    if (stopping) sendJsonError(response, 503, "unavailable", "the server is shutting down", { "retry-after": "1" });
    else routes(request, response);
  };
  const http1 = createHttp1Server(
    {
      maxHeaderSize: headersMaxBytes,
      headersTimeout: headersTimeoutMs,
      requestTimeout: requestTimeoutMs,
      keepAliveTimeout: keepAliveTimeoutMs,
    },
    serve,
  );
  // A server starts to watch its time-outs when it listens.
  http1.emit("listening");
  const settings = { maxConcurrentStreams: connectionMaxStreams, maxHeaderListSize: headersMaxBytes };
  const http2 = createHttp2Server({ maxSessionMemory: sessionMemoryMaxMb, settings }, serve);
  const sessions = new Set<ServerHttp2Session>();
  http2.on("session", (session) => {
    track(sessions, session);
    session.setTimeout(idleConnectionMs, () => session.close());
  });
  const undecided = new Set<Socket>();
  const front = createFront(tls, (socket) => {
    track(undecided, socket);
    onFirstBytes(socket, (isHttp2) => {
      undecided.delete(socket);
      (isHttp2 ? http2 : http1).emit("connection", socket);
      if (!isHttp2) socket.resume();
    });
  });
  const sockets = new Set<Socket>();
  front.on("connection", (socket: Socket) => track(sockets, socket));
  front.listen(address.port, address.host);
  await once(front, "listening");
  return {
    address: formatAddress({ host: address.host, port: (front.address() as AddressInfo).port }),
    stop: async (graceMs) => {
      stopping = true;
      const closed = once(front, "close");
      front.close();
      // Closes what is idle now, and what will be as soon as its answer is out.
      http1.keepAliveTimeout = 1;
      http1.close();
      for (const session of sessions) session.close();
      for (const socket of undecided) socket.destroy();
      const cut = setTimeout(() => {
        for (const socket of sockets) socket.destroy();
      }, graceMs);
      await closed;
      clearTimeout(cut);
    },
  };
}

function track<T extends { once(event: "close", listener: () => void): unknown }>(live: Set<T>, connection: T): void {
  live.add(connection);
  connection.once("close", () => live.delete(connection));
}

function createFront(tls: TlsIdentity | undefined, onSocket: (socket: Socket) => void): Server {
  // Half-open sockets: an HTTP/1.1 client may end its side once it has sent its request.
  const socketOptions = { allowHalfOpen: true, noDelay: true };
  const front =
    tls === undefined
      ? createNetServer(socketOptions, onSocket)
      : createTlsServer(
          { ...socketOptions, cert: tls.certPem, key: tls.keyPem, ALPNProtocols: ["h2", "http/1.1"], handshakeTimeout: headersTimeoutMs },
          onSocket,
        );
  front.maxConnections = httpMaxConnections;
  return front;
}
