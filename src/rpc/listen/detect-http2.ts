import type { Socket } from "node:net";

/** Start of `PRI * HTTP/2.0`, the first line of HTTP/2. No method of HTTP/1.1 starts with it. */
const http2Start = Buffer.from("PRI");

/**
 * Reads the first bytes of a connection, puts them back, and reports whether they are HTTP/2.
 * Closes a connection that sends too few bytes within `timeoutMs`, without a report.
 */
export function detectHttp2(
  socket: Socket,
  timeoutMs: number,
  report: (isHttp2: boolean) => void,
): void {
  let head: Buffer = Buffer.alloc(0);
  const giveUp = () => socket.destroy();
  const onData = (chunk: Buffer) => {
    head = Buffer.concat([head, chunk]);
    const length = Math.min(head.length, http2Start.length);
    const isHttp2 = head.subarray(0, length).equals(http2Start.subarray(0, length));
    if (isHttp2 && length < http2Start.length) return;
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
  // Reads by `data` events, because both `http` and `http2` can then take over the socket.
  socket
    .on("data", onData)
    .on("error", giveUp)
    .on("end", giveUp)
    .on("timeout", giveUp)
    .setTimeout(timeoutMs);
}
