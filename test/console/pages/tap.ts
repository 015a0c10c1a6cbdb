import { connect, createServer, type Socket } from "node:net";

/** A wire between a browser and a server that a test can cut. */
export interface Tap {
  readonly url: string;
  /** Cuts all connections, and refuses new ones. */
  cut(): void;
  /** Keeps connections open, and passes nothing on. */
  stall(): void;
  /** Lets connections through again. */
  mend(): void;
  /** The number of open streams of proposals. */
  streams(): number;
  close(): Promise<void>;
}

/** Opens a wire to a server. */
export async function openTap(target: string): Promise<Tap> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const streams = new Set<Socket>();
  let isCut = false;
  let isStalled = false;
  const server = createServer((socket) => {
    if (isCut) {
      socket.destroy();
      return;
    }
    if (isStalled) {
      sockets.add(socket);
      socket.pause().on("error", () => undefined);
      return;
    }
    const upstream = connect(Number(port), hostname);
    sockets.add(socket);
    socket.on("data", (chunk) => {
      if (chunk.includes("/WatchInbox ")) streams.add(socket);
    });
    const end = () => {
      sockets.delete(socket);
      streams.delete(socket);
      socket.destroy();
      upstream.destroy();
    };
    for (const each of [socket, upstream]) each.on("close", end).on("error", end);
    socket.pipe(upstream);
    upstream.on("data", (chunk) => {
      if (!isStalled) socket.write(chunk);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the wire has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    cut: () => {
      isCut = true;
      for (const socket of sockets) socket.destroy();
    },
    stall: () => {
      isStalled = true;
      for (const socket of sockets) socket.unpipe().pause();
    },
    mend: () => {
      isCut = false;
      isStalled = false;
      for (const socket of sockets) socket.destroy();
    },
    streams: () => streams.size,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
