import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { CallTurns } from "../admit/call-turns.js";
import type { Connection } from "../admit/connection.js";

/** A request over HTTP/1.1 and its response. */
export type Exchange = readonly [request: IncomingMessage, response: ServerResponse];

/**
 * Returns a function that takes the requests of an HTTP/1.1 connection. It serves one request after
 * the other, because a client may send requests without waiting for the answers.
 *
 * Each response emits `close`, at the latest when the connection closes. Where Node does not emit
 * this event, the function does: for a response that waits behind another one, or behind an error
 * that Node answers itself.
 */
export function serveInOrder(
  socket: Socket,
  connection: Connection,
  turns: CallTurns<Connection>,
  serve: (exchange: Exchange) => void,
): (exchange: Exchange) => void {
  const waiting: Exchange[] = [];
  /** The request that is being served or waits for its turn. */
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
    const open = current === undefined ? waiting.splice(0) : [current, ...waiting.splice(0)];
    for (const [, response] of open) {
      response.destroy();
      response.emit("close");
    }
  });
  return (exchange) => {
    waiting.push(exchange);
    if (current === undefined) serveNext();
  };
}
