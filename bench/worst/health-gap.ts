import { connect } from "node:http2";
import { performance } from "node:perf_hooks";

/** Time between two health checks, in milliseconds. */
const everyMs = 5;

const path = "/grpc.health.v1.Health/Check";
/** An empty request. */
const body = Buffer.alloc(5);

/** Health checks that are sent all the time. */
export interface HealthGap {
  /** Begins to measure. */
  begin(): void;
  /** Resolves with the longest time without an answer since `begin`, in milliseconds. */
  end(): Promise<number>;
  stop(): void;
}

/** Sends a health check to a gRPC listener, given as `host:port`, every 5 ms. */
export function startHealthGap(address: string): HealthGap {
  let session = open(address);
  let gapMs = 0;

  const check = () =>
    new Promise<void>((resolve) => {
      if (session.closed || session.destroyed) session = open(address);
      const sentMs = performance.now();
      const stream = session.request({
        ":method": "POST",
        ":path": path,
        "content-type": "application/grpc",
        te: "trailers",
      });
      stream.on("error", () => undefined);
      stream.on("close", () => {
        gapMs = Math.max(gapMs, performance.now() - sentMs);
        resolve();
      });
      stream.resume();
      stream.end(body);
    });

  const timer = setInterval(() => void check(), everyMs);
  return {
    begin: () => {
      gapMs = 0;
    },
    async end() {
      // The server answers the checks of a connection in order. So after the answer to this check,
      // no answer to an earlier check is missing.
      await check();
      return gapMs;
    },
    stop() {
      clearInterval(timer);
      session.destroy();
    },
  };
}

function open(address: string) {
  const session = connect(`http://${address}`);
  session.on("error", () => undefined);
  return session;
}
