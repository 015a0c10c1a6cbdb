import type { Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { startProbeServer } from "../probe-server.js";
import { checkPath, openSocket } from "../raw-connections.js";
import { grpcFrame, headersFrame, http2Frame, http2Greeting, sendHttp2 } from "../raw-http2.js";

const empty = Buffer.alloc(0);
/** More frames than fit into the buffers of the system. */
const framesMax = 5_000_000;
const framesAtOnce = 10_000;

/** Floods: the frames that begin a connection, and the frame that is repeated. */
const floods = [
  {
    name: "PING",
    begin: empty,
    frame: http2Frame(6, 0, 0, Buffer.alloc(8)),
  },
  {
    name: "SETTINGS",
    begin: empty,
    // The initial window size.
    frame: http2Frame(4, 0, 0, Buffer.from([0, 4, 0, 0, 0xff, 0xff])),
  },
  {
    name: "empty SETTINGS",
    begin: empty,
    frame: http2Frame(4, 0, 0, empty),
  },
  {
    name: "empty DATA",
    begin: headersFrame(1, checkPath),
    frame: http2Frame(0, 0, 1, empty),
  },
  {
    name: "CONTINUATION",
    // HEADERS without the flag that ends them.
    begin: http2Frame(1, 0, 1, Buffer.from([0x83])),
    // A header `x: aaa...` that client and server do not store in their header tables.
    frame: http2Frame(
      9,
      0,
      1,
      Buffer.concat([Buffer.from([0x00, 1, 0x78, 100]), Buffer.alloc(100, "a")]),
    ),
  },
  {
    name: "empty CONTINUATION",
    begin: http2Frame(1, 0, 1, Buffer.from([0x83])),
    frame: http2Frame(9, 0, 1, empty),
  },
] as const;

/** Sends a flood. Returns whether the server has closed the connection before the flood ended. */
async function send(
  socket: Socket,
  begin: Buffer,
  frame: Buffer,
  frames = framesMax,
): Promise<boolean> {
  const closed = new Promise((resolve) => socket.once("close", resolve));
  socket.write(Buffer.concat([http2Greeting, begin]));
  const chunk = Buffer.concat(Array.from({ length: framesAtOnce }, () => frame));
  for (let sent = 0; sent < frames && !socket.destroyed; sent += framesAtOnce) {
    const isSent = new Promise((resolve) => socket.write(chunk, resolve));
    await Promise.race([isSent, closed]);
  }
  return socket.destroyed;
}

describe.each(["grpcAddress", "httpAddress"] as const)("%s", (listener) => {
  it.each(floods)(
    "the server closes a connection that floods it with $name frames and reads nothing, and serves others",
    async ({ begin, frame }) => {
      const address = (await startProbeServer({}))[listener];
      const before = process.memoryUsage().rss;
      const socket = (await openSocket(address)).pause();
      const flood = send(socket, begin, frame);
      expect((await check(address)).headers[":status"]).toBe(200);
      expect(await flood).toBe(true);
      expect((await check(address)).headers[":status"]).toBe(200);
      expect(megabytesSince(before)).toBeLessThan(128);
    },
  );

  it.each(floods.filter(({ name }) => /PING|SETTINGS/.test(name)))(
    "the server serves others while a client sends $name frames and reads the answers",
    async ({ begin, frame }) => {
      const address = (await startProbeServer({}))[listener];
      const before = process.memoryUsage().rss;
      const socket = (await openSocket(address)).pause();
      socket.resume();
      const flood = send(socket, begin, frame, 500_000);
      for (let call = 0; call < 10; call++)
        expect((await check(address)).headers[":status"]).toBe(200);
      await flood;
      expect(megabytesSince(before)).toBeLessThan(128);
    },
  );
});

/** Makes an ordinary call over a new connection. */
function check(address: string) {
  return sendHttp2(
    `http://${address}`,
    { ":path": checkPath, "content-type": "application/grpc" },
    grpcFrame(empty),
  );
}

function megabytesSince(before: number): number {
  return (process.memoryUsage().rss - before) / 2 ** 20;
}
