import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Connection } from "../traffic/connection.js";
import type { Traffic } from "../traffic/traffic.js";

/** A request over HTTP/1.1 and its response. */
export type Exchange = readonly [request: IncomingMessage, response: ServerResponse];

/**
 * Returns a function that takes the requests of an HTTP/1.1 connection. It serves one request after
 * the other, because a client may send requests without waiting for the answers. A response that
 * waits behind another one would never close if the client leaves, and its call would never end.
 * Drops the connection if it has more than `connectionCalls` unanswered requests.
 */
export function serveInOrder(
  socket: Socket,
  connection: Connection,
  { connections, turns, limits }: Traffic,
  serve: (exchange: Exchange) => void,
): (exchange: Exchange) => void {
  const waiting: Exchange[] = [];
  let isServing = false;
  const serveNext = (): void => {
    const exchange = socket.destroyed ? undefined : waiting.shift();
    isServing = exchange !== undefined;
    if (exchange === undefined) return;
    turns.add(connection, () => {
      exchange[1].once("close", serveNext);
      serve(exchange);
    });
  };
  socket.once("close", () => {
    for (const _ of waiting.splice(0)) connections.countRefused(connection);
    turns.drop(connection);
  });
  return (exchange) => {
    if (waiting.length + Number(isServing) >= limits.connectionCalls) {
      socket.destroy();
      return;
    }
    waiting.push(exchange);
    if (!isServing) serveNext();
  };
}
