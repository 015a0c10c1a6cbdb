/** Sends a health check every few milliseconds, and reports the longest time without an answer. */
import { connect } from "node:http2";
import { performance } from "node:perf_hooks";
import { parentPort, workerData } from "node:worker_threads";

/** Time between two health checks, in milliseconds. */
const everyMs = 5;

const path = "/grpc.health.v1.Health/Check";
/** An empty request. */
const body = Buffer.alloc(5);

let session = connectAgain();
/** When the checks without an answer were sent. */
const waiting = new Set<number>();
let gapMs = 0;
/** Resolvers of the checks that wait for all earlier ones. */
let ends: { readonly before: number; readonly tell: () => void }[] = [];

function connectAgain() {
  const next = connect(`http://${workerData as string}`);
  next.on("error", () => undefined);
  return next;
}

function check(): void {
  if (session.closed || session.destroyed) session = connectAgain();
  const sentMs = performance.now();
  waiting.add(sentMs);
  const stream = session.request({
    ":method": "POST",
    ":path": path,
    "content-type": "application/grpc",
    te: "trailers",
  });
  stream.on("error", () => undefined);
  stream.on("close", () => {
    waiting.delete(sentMs);
    gapMs = Math.max(gapMs, performance.now() - sentMs);
    tellEnds();
  });
  stream.resume();
  stream.end(body);
}

function tellEnds(): void {
  const oldest = Math.min(Infinity, ...waiting);
  const [done, rest] = [
    ends.filter(({ before }) => oldest > before),
    ends.filter(({ before }) => oldest <= before),
  ];
  ends = rest;
  for (const { tell } of done) tell();
}

parentPort?.on("message", (message: "begin" | "end") => {
  if (message === "begin") {
    gapMs = 0;
    parentPort?.postMessage(0);
    return;
  }
  // A check that is sent now is answered after everything before it.
  check();
  ends.push({ before: performance.now(), tell: () => parentPort?.postMessage(gapMs) });
});
setInterval(check, everyMs);
