import { createServer as createHttp1Server, type ServerResponse } from "node:http";
import {
  constants,
  createServer as createHttp2Server,
  type Http2ServerResponse,
  type ServerHttp2Session,
} from "node:http2";
import type { Socket } from "node:net";
import type { Address } from "../../edge/address.js";
import { setReply } from "../adapt/open-replies.js";
import type { Connection } from "../admit/connection.js";
import type { Connections } from "../admit/connections.js";
import type { Traffic } from "../admit/traffic.js";
import { type HttpRequest, type HttpResponse, sendJsonError } from "../http-messages.js";
import {
  headersMaxBytes,
  keepAliveTimeoutMs,
  requestTimeoutMs,
  sessionMemoryMaxMb,
} from "../limits.js";
import { type ConsoleFiles, serveConsole } from "./console-pages.js";
import { allowOrigins } from "./cross-origin.js";
import { detectHttp2 } from "./detect-http2.js";
import { governHttp2, type TakeHttp2 } from "./govern-http2.js";
import { guardPages } from "./guard-pages.js";
import { createHttpRoutes, type HttpRouteOptions } from "./http-routes.js";
import { type Listener, openListener } from "./listener.js";
import { type Exchange, serveInOrder } from "./serve-in-order.js";
import { createSocketServer } from "./socket-server.js";
import type { TlsSource } from "./tls-identity.js";
import { trackOpen } from "./track-open.js";

/** The address of the HTTP listener and its routes. */
export interface HttpListenerOptions extends Omit<HttpRouteOptions, "serveConsole"> {
  readonly address: Address;
  /** Source of the TLS identity. Absent: the listener serves plaintext. */
  readonly tls?: TlsSource;
  /** Origins whose web pages may call, such as `https://app.example.com`. Default: none. */
  readonly allowedOrigins?: readonly string[];
  /**
   * Host names under which pages of the server's own origin may call it, such as
   * `memory.example.com`. Default: none.
   */
  readonly allowedHosts?: readonly string[];
  /** The files of the web console. Absent: the listener serves no console. */
  readonly consoleFiles?: ConsoleFiles | undefined;
}

type Serve<Response> = (request: HttpRequest, response: Response) => void;

/**
 * Serves Connect, gRPC, gRPC-Web and JSON over HTTP/1.1 and HTTP/2 on one port.
 *
 * Node's HTTP/2 server cannot serve HTTP/1.1 in plaintext. So a plain socket server listens, and
 * passes each connection to an HTTP/1.1 server or an HTTP/2 server. These two servers do not listen
 * themselves.
 *
 * @throws Error of the system when the port cannot be opened
 */
export async function listenHttp({
  address,
  tls,
  allowedOrigins = [],
  allowedHosts = [],
  consoleFiles,
  ...routeOptions
}: HttpListenerOptions): Promise<Listener> {
  const routes = createHttpRoutes({
    ...routeOptions,
    serveConsole: consoleFiles && serveConsole(consoleFiles, allowedHosts),
  });
  let stopping = false;
  const pageRules = { allowsOrigin: (it: string) => allowedOrigins.includes(it), allowedHosts };
  const guarded = guardPages(pageRules, (request, response) => {
    if (stopping)
      sendJsonError(response, 503, "unavailable", "the server is shutting down", {
        "retry-after": "1",
      });
    else routes(request, response);
  });
  const answer = allowOrigins(allowedOrigins, guarded);
  const serve = (request: HttpRequest, response: HttpResponse) => {
    // Drains the rest of a refused request. Otherwise it would block the next request of the
    // connection (HTTP/1.1), or keep its stream open (HTTP/2).
    response.once("finish", () => request.resume());
    answer(request, response);
  };
  const { traffic } = routeOptions.parts;
  const http1 = createHttp1(traffic, serve);
  const http2 = createHttp2(traffic, serve);
  const newSockets = new Set<Socket>();
  // Node's HTTP/1.1 server needs half-open sockets: when a client ends its side, the server cancels
  // the call and ends its own side.
  const socketOptions = {
    traffic,
    tls,
    protocols: ["h2", "http/1.1"],
    allowHalfOpen: true,
  };
  const sockets = createSocketServer(socketOptions, (socket, connection) => {
    trackOpen(newSockets, socket);
    detectHttp2(socket, traffic.limits.headersMs, (isHttp2) => {
      newSockets.delete(socket);
      (isHttp2 ? http2 : http1).take(socket, connection);
    });
  });
  return openListener(sockets, address, {
    begin: () => {
      stopping = true;
      http1.close();
      http2.close();
      for (const socket of newSockets) socket.destroy();
    },
    cancel: () => {
      http1.cancel();
      http2.cancel();
    },
  });
}

/** A server that gets its connections from another server. */
interface ConnectionServer {
  readonly take: TakeHttp2;
  /** Closes each connection once it is idle. */
  close(): void;
  /** Cancels all calls. */
  cancel(): void;
}

function createHttp1(traffic: Traffic, serve: Serve<ServerResponse>): ConnectionServer {
  const { limits, connections, turns } = traffic;
  const inFlight = new Set<ServerResponse>();
  let isClosing = false;
  const takeRequest = new WeakMap<Socket, (exchange: Exchange) => void>();
  const options = {
    maxHeaderSize: headersMaxBytes,
    headersTimeout: limits.headersMs,
    requestTimeout: requestTimeoutMs,
    connectionsCheckingInterval: limits.sweepMs,
  };
  const server = createHttp1Server(
    { ...options, keepAliveTimeout: keepAliveTimeoutMs },
    (request, response) => takeRequest.get(request.socket)?.([request, response]),
  );
  // Node starts the time-outs of a server on this event.
  server.emit("listening");
  return {
    take: (socket, connection) => {
      const serveLater = serveInOrder(socket, connection, turns, (exchange) => serve(...exchange));
      takeRequest.set(socket, (exchange) => {
        const [request, response] = exchange;
        trackOpen(inFlight, response);
        if (isClosing) closeAfter(response);
        if (openReply(request, response, connection, connections)) serveLater(exchange);
      });
      server.emit("connection", socket);
      socket.resume();
    },
    close: () => {
      isClosing = true;
      for (const response of inFlight) closeAfter(response);
      server.close();
    },
    cancel: () => server.closeAllConnections(),
  };
}

/** Closes the connection of a response once the response is sent. */
function closeAfter(response: ServerResponse): void {
  // Sends `connection: close`, if the headers are not sent yet.
  response.shouldKeepAlive = false;
  const { socket } = response;
  response.once("finish", () => socket?.end());
}

/**
 * Opens the reply of a request over HTTP/1.1. If the reply is refused, drops the connection and
 * returns false.
 */
function openReply(
  { socket }: HttpRequest,
  response: ServerResponse,
  connection: Connection,
  connections: Connections,
): boolean {
  const reply = connections.openReply(connection, {
    pendingBytes: () => response.writableLength,
    reset: () => socket.destroy(),
  });
  if (reply === undefined) {
    socket.destroy();
    return false;
  }
  setReply(response, reply);
  response.once("close", () => connections.closeReply(connection, reply));
  return true;
}

function createHttp2(traffic: Traffic, serve: Serve<Http2ServerResponse>): ConnectionServer {
  const sessions = new Set<ServerHttp2Session>();
  const settings = {
    maxConcurrentStreams: traffic.limits.connectionCalls,
    maxHeaderListSize: headersMaxBytes,
  };
  const server = createHttp2Server({ maxSessionMemory: sessionMemoryMaxMb, settings }, serve);
  server.on("session", (session) => {
    trackOpen(sessions, session);
  });
  const take = governHttp2(server, traffic, {}, (socket) => server.emit("connection", socket));
  return {
    take: (socket, connection) => {
      // Otherwise Node keeps the server's side of the connection open after the client has closed
      // its side.
      socket.allowHalfOpen = false;
      take(socket, connection);
    },
    close: () => {
      for (const session of sessions) session.close();
    },
    cancel: () => {
      for (const session of sessions) session.destroy(undefined, constants.NGHTTP2_CANCEL);
    },
  };
}
