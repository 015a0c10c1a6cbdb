/** Callers who read nothing of the replies to their calls. */
import { type ClientHttp2Session, connect } from "node:http2";

/** Calls that slow readers make. */
export interface SlowReading {
  /** `host:port`. */
  readonly address: string;
  /** The path of an RPC. */
  readonly path: string;
  /** The request in the framing of gRPC. */
  readonly frame: Uint8Array;
  readonly connections: number;
  /** Open calls of each connection. The server ends a call that is not read; a new one follows. */
  readonly calls: number;
}

/** Starts slow readers. Disposing ends them. */
export function startSlowReaders(reading: SlowReading): Disposable {
  let isOver = false;
  const sessions = new Set<ClientHttp2Session>();
  const openSession = (): void => {
    if (isOver) return;
    // The server may send no byte of a message before the client has read others.
    const session = connect(`http://${reading.address}`, { settings: { initialWindowSize: 0 } });
    sessions.add(session);
    session
      .on("error", () => undefined)
      .once("close", () => {
        sessions.delete(session);
        setTimeout(openSession, 1_000).unref();
      });
    const call = (): void => {
      if (isOver || session.destroyed) return;
      const stream = session.request({
        ":method": "POST",
        ":path": reading.path,
        "content-type": "application/grpc",
        te: "trailers",
      });
      // A refused call ends at once, and must not be repeated at once.
      stream.on("error", () => undefined).once("close", () => setTimeout(call, 1_000).unref());
      stream.end(reading.frame);
    };
    for (let count = 0; count < reading.calls; count++) call();
  };
  for (let count = 0; count < reading.connections; count++) openSession();
  return {
    [Symbol.dispose]() {
      isOver = true;
      for (const session of sessions) session.destroy();
    },
  };
}
