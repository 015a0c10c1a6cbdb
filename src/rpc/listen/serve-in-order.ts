import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Connection } from "../traffic/connection.js";
import type { Traffic } from "../traffic/traffic.js";

/** A request over HTTP/1.1 and its response. */
export type Exchange = readonly [request: IncomingMessage, response: ServerResponse];

/**
 * Returns a function that takes the requests of an HTTP/1.1 connection. It serves one request after
 * the other, because a client may send requests without waiting for the answers. Drops the
 * connection if it has more than `connectionCalls` unanswered requests.
 *
 * Each response that is served closes, at the latest when the connection closes. Node does not
 * close a response that waits behind another one, or behind an error that Node answers itself.
 */
export function serveInOrder(
  socket: Socket,
  connection: Connection,
  { connections, turns, limits }: Traffic,
  serve: (exchange: Exchange) => void,
): (exchange: Exchange) => void {
  const waiting: Exchange[] = [];
  /** The request that is served or has the next turn. */
  let current: Exchange | undefined;
  const serveNext = (): void => {
    const next = socket.destroyed ? undefined : waiting.shift();
    current = next;
    if (next === undefined) return;
    turns.add(connection, () => {
      next[1].once("close", serveNext);
      serve(next);
    });
  };
  socket.once("close", () => {
    turns.drop(connection);
    for (const _ of waiting.splice(0)) connections.countGivenUp(connection);
    current?.[1].destroy();
    current?.[1].emit("close");
  });
  return (exchange) => {
    if (waiting.length + (current === undefined ? 0 : 1) >= limits.connectionCalls) {
      socket.destroy();
      return;
    }
    waiting.push(exchange);
    if (current === undefined) serveNext();
  };
}
