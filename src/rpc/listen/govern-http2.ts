import type { Http2Server, IncomingHttpHeaders, ServerHttp2Stream } from "node:http2";
import { constants } from "node:http2";
import type { Socket } from "node:net";
import { setReply } from "../adapt/open-replies.js";
import type { Connection } from "../admit/connection.js";
import type { Connections } from "../admit/connections.js";
import type { Traffic } from "../admit/traffic.js";
import { closeOnceAnswered } from "./close-answered-streams.js";

/** Hands a connection to an HTTP/2 server. */
export type TakeHttp2 = (socket: Socket, connection: Connection) => void;

/** How the streams of a server are treated. */
export interface StreamRules {
  /**
   * Returns the HTTP status that answers a request in place of the server; `undefined` if the
   * server may answer. Default: the server answers all requests.
   */
  readonly statusOf?: (headers: IncomingHttpHeaders) => number | undefined;
}

/**
 * Applies the traffic limits to the sessions and streams of an HTTP/2 server. Each stream waits for
 * its turn (see `CallTurns`) before the server's `stream` listeners get it. They never get a stream
 * that was reset before its turn. Requires: the server already has all of its `stream` listeners.
 *
 * @param give hands a socket to the server, which synchronously starts a session on it
 * @returns the function by which the server gets its connections
 */
export function governHttp2(
  server: Http2Server,
  { connections, turns }: Traffic,
  { statusOf }: StreamRules,
  give: (socket: Socket) => void,
): TakeHttp2 {
  /** The connection of the session or stream that is being started. */
  let current: Connection | undefined;
  server.prependListener("session", (session) => {
    const connection = current;
    if (connection === undefined) throw new Error("a session began without its connection");
    connection.startSession(session);
    // Sets the connection here, because an already reset stream has lost its session. The `stream`
    // event of the server follows synchronously.
    session.prependListener("stream", () => {
      current = connection;
    });
  });
  const listeners = server.listeners("stream");
  server.removeAllListeners("stream");
  server.on("stream", (stream: ServerHttp2Stream, headers, ...rest: unknown[]) => {
    // An error also closes the stream, and the `close` event does the rest.
    stream.on("error", () => undefined);
    const connection = current;
    if (connection === undefined) throw new Error("a stream began without its connection");
    const countReset = (): void => {
      // A lost connection ends its streams too, but its client has reset none of them.
      if (!isComplete(stream) && !connection.isLost) connections.countReset(connection);
    };
    if (stream.closed) {
      if (isComplete(stream)) connections.countGivenUp(connection);
      else countReset();
      return;
    }
    stream.once("aborted", countReset);
    turns.add(connection, () => {
      if (stream.closed) {
        connections.countGivenUp(connection);
        return;
      }
      const beforeReset = (): unknown => stream.off("aborted", countReset);
      if (!begin(stream, connection, connections, beforeReset)) return;
      const status = statusOf?.(headers);
      if (status !== undefined) {
        stream.respond({ ":status": status }, { endStream: true });
        return;
      }
      const hasEnded = stream.readableEnded;
      for (const listener of listeners) Reflect.apply(listener, server, [stream, headers, ...rest]);
      // An empty request may have ended before its turn. The listeners have missed this event, so
      // it is repeated.
      if (hasEnded) stream.emit("end");
    });
  });
  return (socket, connection) => {
    current = connection;
    give(socket);
  };
}

/**
 * Opens the reply of a stream. Returns false if the stream is refused.
 *
 * @param beforeReset called before the server resets the stream
 */
function begin(
  stream: ServerHttp2Stream,
  connection: Connection,
  connections: Connections,
  beforeReset: () => unknown,
): boolean {
  const reply = connections.openReply(connection, {
    pendingBytes: () => stream.writableLength,
    reset: () => {
      beforeReset();
      stream.close(constants.NGHTTP2_CANCEL);
    },
  });
  if (reply === undefined) {
    beforeReset();
    stream.close(constants.NGHTTP2_REFUSED_STREAM);
    return false;
  }
  setReply(stream, reply);
  closeOnceAnswered(stream);
  stream.once("close", () => connections.closeReply(connection, reply));
  return true;
}

/**
 * Whether all of a request has arrived. A request with received but unread data counts as complete.
 */
function isComplete(stream: ServerHttp2Stream): boolean {
  return stream.endAfterHeaders || stream.readableEnded || stream.readableLength > 0;
}
