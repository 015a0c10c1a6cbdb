import { createServer as createHttp1Server, type ServerResponse } from "node:http";
import {
  constants,
  createServer as createHttp2Server,
  type Http2ServerResponse,
  type ServerHttp2Session,
} from "node:http2";
import { createServer as createNetServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { type HttpRequest, type HttpResponse, sendJsonError } from "../http-messages.js";
import {
  connectionMaxStreams,
  headersMaxBytes,
  headersTimeoutMs,
  idleConnectionMs,
  keepAliveTimeoutMs,
  requestTimeoutMs,
  sessionMemoryMaxMb,
} from "../limits.js";
import { withCrossOrigin } from "./cross-origin.js";
import { onFirstBytes } from "./first-bytes.js";
import { createHttpRoutes, type HttpRouteOptions } from "./http-routes.js";
import { type ListenAddress, type Listener, openListener, type TlsIdentity } from "./listener.js";
import { trackOpen } from "./track-open.js";

export interface HttpListenerOptions extends HttpRouteOptions {
  readonly address: ListenAddress;
  /** Absent: plaintext. */
  readonly tls?: TlsIdentity;
  /** Origins whose pages browsers let call from elsewhere, such as `https://app.example.com`. Absent: none. */
  readonly allowedOrigins?: readonly string[];
}

type Serve<Response> = (request: HttpRequest, response: Response) => void;

/**
 * Serves Connect, gRPC, gRPC-Web and JSON over HTTP/1.1 and HTTP/2 on one port. Node's HTTP/2 server speaks no HTTP/1.1 in plaintext: so a server
 * of sockets listens, and hands each connection to one of two servers that do not. @throws if the port cannot be opened
 */
export async function listenHttp({
  address,
  tls,
  allowedOrigins = [],
  ...routeOptions
}: HttpListenerOptions): Promise<Listener> {
  const routes = createHttpRoutes(routeOptions);
  let stopping = false;
  const answer = withCrossOrigin(allowedOrigins, (request, response) => {
    if (stopping)
      sendJsonError(response, 503, "unavailable", "the server is shutting down", {
        "retry-after": "1",
      });
    else routes(request, response);
  });
  const serve = (request: HttpRequest, response: HttpResponse) => {
    // The rest of a refused request would stand before the next one on its connection (HTTP/1.1), or keep its stream open (HTTP/2).
    response.once("finish", () => request.resume());
    answer(request, response);
  };
  const http1 = createHttp1(serve);
  const http2 = createHttp2(serve);
  const undecided = new Set<Socket>();
  const sockets = createSocketServer(tls, (socket) => {
    trackOpen(undecided, socket);
    onFirstBytes(socket, (isHttp2) => {
      undecided.delete(socket);
      (isHttp2 ? http2 : http1).take(socket);
    });
  });
  return openListener(sockets, address, {
    begin: () => {
      stopping = true;
      http1.close();
      http2.close();
      for (const socket of undecided) socket.destroy();
    },
    cut: () => {
      http1.cut();
      http2.cut();
    },
  });
}

/** A server that does not listen. */
interface ConnectionServer {
  take(socket: Socket): void;
  /** Closes what is idle, and the rest as it becomes so. */
  close(): void;
  /** Ends all calls. */
  cut(): void;
}

function createHttp1(serve: Serve<ServerResponse>): ConnectionServer {
  const inFlight = new Set<ServerResponse>();
  const options = {
    maxHeaderSize: headersMaxBytes,
    headersTimeout: headersTimeoutMs,
    requestTimeout: requestTimeoutMs,
  };
  const server = createHttp1Server(
    { ...options, keepAliveTimeout: keepAliveTimeoutMs },
    (request, response) => {
      trackOpen(inFlight, response);
      serve(request, response);
    },
  );
  // A server starts to watch its time-outs when it listens.
  server.emit("listening");
  return {
    take: (socket) => {
      server.emit("connection", socket);
      socket.resume();
    },
    close: () => {
      for (const response of inFlight) {
        // Goes into the headers where they are not out yet.
        response.shouldKeepAlive = false;
        const { socket } = response;
        response.once("finish", () => socket?.end());
      }
      server.close();
    },
    cut: () => server.closeAllConnections(),
  };
}

function createHttp2(serve: Serve<Http2ServerResponse>): ConnectionServer {
  const sessions = new Set<ServerHttp2Session>();
  const settings = {
    maxConcurrentStreams: connectionMaxStreams,
    maxHeaderListSize: headersMaxBytes,
  };
  const server = createHttp2Server({ maxSessionMemory: sessionMemoryMaxMb, settings }, serve);
  server.on("session", (session) => {
    trackOpen(sessions, session);
    session.setTimeout(idleConnectionMs, () => session.close());
  });
  return {
    take: (socket) => {
      // Node's HTTP/2 does not end its side of a connection whose client has gone, unless the socket does.
      socket.allowHalfOpen = false;
      server.emit("connection", socket);
    },
    close: () => {
      for (const session of sessions) session.close();
    },
    cut: () => {
      for (const session of sessions) session.destroy(undefined, constants.NGHTTP2_CANCEL);
    },
  };
}

function createSocketServer(
  tls: TlsIdentity | undefined,
  onSocket: (socket: Socket) => void,
): Server {
  // Half-open: a client of HTTP/1.1 may end its side once it has sent its request.
  const options = { allowHalfOpen: true, noDelay: true };
  if (tls === undefined) return createNetServer(options, onSocket);
  const { certPem: cert, keyPem: key } = tls;
  return createTlsServer(
    {
      ...options,
      cert,
      key,
      ALPNProtocols: ["h2", "http/1.1"],
      handshakeTimeout: headersTimeoutMs,
    },
    onSocket,
  );
}
