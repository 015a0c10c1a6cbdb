import { once } from "node:events";
import { connect, createServer } from "node:net";

const preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
const frameHeaderBytes = 9;
const frameTypes = { data: 0, headers: 1, resetStream: 3 };

/**
 * Opens a TCP proxy in front of a server's listener, `grpc` (HTTP/2) or `http` (HTTP/1.1). The
 * proxy parses only as much of the protocol as a fault needs. The faults:
 *
 * - `cut first reply`: the server gets the first request. When its reply arrives, the proxy closes
 *   the connection. So the client cannot know whether the call took effect. Later connections
 *   work.
 * - `hold replies`: the client gets no reply.
 * - `none`: everything passes. The proxy counts the requests.
 *
 * Replies to CORS preflights always pass, because the faults are about calls.
 */
export async function openFaultyConnection(fault, target, listener) {
  const counts = { requests: 0, replies: 0, cancellations: 0 };
  const sockets = new Set();
  const checks = new Set();
  const server = createServer((client) => {
    const upstream = connectTo(target);
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
    // On an HTTP/1.1 connection, only one request is open at a time, so one flag is enough.
    let isPreflight = false;
    upstream.on("data", (bytes) => {
      if (isPreflight) return client.write(bytes);
      for (const { type, frame } of fromServer.read(bytes)) {
        const isReply = type === frameTypes.headers || type === frameTypes.data;
        if (type === frameTypes.headers) counts.replies += 1;
        if (isReply && fault === "hold replies") continue;
        if (isReply && fault === "cut first reply" && counts.replies === 1) return close();
        client.write(frame);
      }
    });
    client.on("data", (bytes) => {
      const verb = bytes.toString("latin1", 0, 8);
      if (listener === "http") isPreflight = verb === "OPTIONS ";
      upstream.write(bytes);
      for (const { type } of fromClient.read(bytes)) {
        if (type === frameTypes.resetStream) counts.cancellations += 1;
        // Counts only the heads, because the body of an HTTP/1.1 request may arrive separately.
        const isRequest =
          listener === "grpc" ? type === frameTypes.headers : verb.startsWith("POST ");
        if (isRequest) counts.requests += 1;
      }
      for (const check of checks) check();
    });
    client.on("close", () => {
      if (fault === "hold replies") counts.cancellations += 1;
      for (const check of checks) check();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    address: `127.0.0.1:${server.address().port}`,
    counts: () => counts,
    /**
     * Resolves when the fault has happened. For `hold replies`, this is when the client cancels its
     * call. For the other faults, this is when the server sends its second reply.
     */
    waitForFault: () =>
      waitUntil(
        () => (fault === "hold replies" ? counts.cancellations > 0 : counts.replies > 1),
        checks,
        `the fault "${fault}" did not happen`,
      ),
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

function connectTo(target) {
  const hostEnd = target.lastIndexOf(":");
  return connect(Number(target.slice(hostEnd + 1)), target.slice(0, hostEnd));
}

/**
 * Waits up to 10 s until a condition is true. Tests the condition whenever a function in `checks`
 * is called.
 */
async function waitUntil(hasHappened, checks, failure) {
  await new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(failure)), 10_000);
    const check = () => {
      if (!hasHappened()) return;
      clearTimeout(timer);
      checks.delete(check);
      resolve();
    };
    checks.add(check);
    check();
  });
}

/** Treats each chunk of an HTTP/1.1 connection like a frame with headers. */
class PlainReader {
  *read(frame) {
    yield { type: frameTypes.headers, frame };
  }
}

/** Splits a byte stream into HTTP/2 frames. */
class FrameReader {
  #rest = Buffer.alloc(0);
  #skip;

  /** @param skip bytes before the first frame */
  constructor(skip) {
    this.#skip = skip;
  }

  /** Yields the frames that these bytes complete. */
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
