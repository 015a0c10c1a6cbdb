import { once } from "node:events";
import { connect, createServer } from "node:net";

const preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
const frameHeaderBytes = 9;
const frameTypes = { data: 0, headers: 1, resetStream: 3 };

/**
 * A TCP proxy before a server's listener, `grpc` (HTTP/2) or `http` (HTTP/1.1), that understands as much of it as a fault needs.
 *
 * `cut first reply`: passes the first request to the server and closes the connection when its reply comes, so that the client cannot know whether the call was made. Later connections are whole.
 * `hold replies`: replies never come.
 * Replies to preflights of browsers come through: the faults are for calls.
 */
export async function openFaultyConnection(fault, target, listener) {
  const seen = { replies: 0, cancellations: 0 };
  const sockets = new Set();
  const waiting = new Set();
  const server = createServer((client) => {
    const upstream = connect(
      Number(target.split(":").at(-1)),
      target.slice(0, target.lastIndexOf(":")),
    );
    const close = () => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", close).on("close", () => {
        sockets.delete(socket);
        close();
      });
    }
    const fromClient = listener === "grpc" ? new FrameReader(preface.length) : new PlainReader();
    const fromServer = listener === "grpc" ? new FrameReader(0) : new PlainReader();
    // Requests of a connection follow one another in HTTP/1.1.
    let isPreflight = false;
    upstream.on("data", (bytes) => {
      if (isPreflight) return client.write(bytes);
      for (const { type, frame } of fromServer.read(bytes)) {
        const isReply = type === frameTypes.headers || type === frameTypes.data;
        if (type === frameTypes.headers) seen.replies += 1;
        if (isReply && fault === "hold replies") continue;
        if (isReply && fault === "cut first reply" && seen.replies === 1) return close();
        client.write(frame);
      }
    });
    client.on("data", (bytes) => {
      if (listener === "http") isPreflight = bytes.toString("latin1", 0, 8) === "OPTIONS ";
      upstream.write(bytes);
      for (const { type } of fromClient.read(bytes))
        if (type === frameTypes.resetStream) seen.cancellations += 1;
      for (const check of waiting) check();
    });
    client.on("close", () => {
      if (fault === "hold replies") seen.cancellations += 1;
      for (const check of waiting) check();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    address: `127.0.0.1:${server.address().port}`,
    /** Resolves when the fault has happened: for held replies, when the client has told the server that it has left. */
    async happened() {
      const isOver = () => (fault === "hold replies" ? seen.cancellations > 0 : seen.replies > 1);
      await new Promise((resolve, reject) => {
        const timer = setTimeout(
          () => reject(new Error(`the fault "${fault}" did not happen`)),
          10_000,
        );
        const check = () => {
          if (!isOver()) return;
          clearTimeout(timer);
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
      });
    },
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** Takes what comes over HTTP/1.1 for heads of replies. */
class PlainReader {
  *read(frame) {
    yield { type: frameTypes.headers, frame };
  }
}

/** Cuts a stream of bytes into HTTP/2 frames. */
class FrameReader {
  #rest = Buffer.alloc(0);
  #skip;

  /** `skip`: bytes before the first frame. */
  constructor(skip) {
    this.#skip = skip;
  }

  /** The frames that are whole with these bytes. */
  *read(bytes) {
    this.#rest = Buffer.concat([this.#rest, bytes]);
    if (this.#rest.length < this.#skip) return;
    this.#rest = this.#rest.subarray(this.#skip);
    this.#skip = 0;
    while (this.#rest.length >= frameHeaderBytes) {
      const length = frameHeaderBytes + this.#rest.readUIntBE(0, 3);
      if (this.#rest.length < length) return;
      const frame = this.#rest.subarray(0, length);
      this.#rest = this.#rest.subarray(length);
      yield { type: frame[3], frame };
    }
  }
}
