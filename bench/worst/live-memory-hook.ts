/**
 * A program that Node loads into a server before the server's own code. When the parent process
 * asks for it, measures the memory in use directly after garbage collections. Requires:
 * `--expose-gc`.
 */
import { getHeapStatistics } from "node:v8";

/** Bytes that the process may allocate between two collections. */
const allocatedMaxBytes = 4e6;

const collectGarbage = globalThis.gc;
if (collectGarbage === undefined) throw new Error("start Node with --expose-gc");

let startBytes = 0;
let lastBytes = 0;
let mostBytes = 0;
let isMeasuring = false;

/** Returns the bytes of the heap and of the buffers outside of it. */
function bytesWithGarbage(): number {
  const { used_heap_size: heap, external_memory: buffers } = getHeapStatistics();
  return heap + buffers;
}

function sample(): void {
  collectGarbage?.();
  lastBytes = bytesWithGarbage();
  mostBytes = Math.max(mostBytes, lastBytes);
}

/** Looks at the memory in each turn of the event loop. */
function watch(): void {
  if (!isMeasuring) return;
  if (bytesWithGarbage() - lastBytes > allocatedMaxBytes) sample();
  setImmediate(watch);
}

process.on("message", (message) => {
  if (message === "begin") {
    mostBytes = 0;
    sample();
    startBytes = lastBytes;
    isMeasuring = true;
    watch();
    process.send?.(0);
  } else if (message === "end") {
    isMeasuring = false;
    sample();
    process.send?.(mostBytes - startBytes);
  }
});
// The server may end while its parent still listens.
process.channel?.unref();
