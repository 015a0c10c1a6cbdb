import type { Socket } from "node:net";
import { headersTimeoutMs } from "../limits.js";

/** Every HTTP/2 connection begins with `PRI * HTTP/2.0`; no method of HTTP/1.1 begins with these letters. */
const http2Start = Buffer.from("PRI");

/**
 * Reads the first bytes of a connection, puts them back, and says whether they are HTTP/2. A connection that sends too little in time is closed
 * and never reported. Reads by `data` events: they leave the socket in a state in which both `http` and `http2` can take it over.
 */
export function onFirstBytes(socket: Socket, report: (isHttp2: boolean) => void): void {
  let head: Buffer = Buffer.alloc(0);
  const giveUp = () => socket.destroy();
  const onData = (chunk: Buffer) => {
    head = Buffer.concat([head, chunk]);
    const compared = Math.min(head.length, http2Start.length);
    const isHttp2 = head.subarray(0, compared).equals(http2Start.subarray(0, compared));
    if (isHttp2 && compared < http2Start.length) return;
    socket
      .off("data", onData)
      .off("error", giveUp)
      .off("end", giveUp)
      .off("timeout", giveUp)
      .setTimeout(0);
    socket.pause();
    socket.unshift(head);
    report(isHttp2);
  };
  socket
    .on("data", onData)
    .on("error", giveUp)
    .on("end", giveUp)
    .on("timeout", giveUp)
    .setTimeout(headersTimeoutMs);
}
