import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** Bytes that this process may allocate between two garbage collections. */
const allocatedMaxBytes = 8 * 1024 * 1024;

/**
 * Runs a call. Returns its reply, and the largest growth of the memory of this process during the
 * call, in bytes. Checks in every turn of the event loop whether the process has allocated more
 * than 8 MiB since the last measurement, and if so measures again. Collects the garbage before each
 * measurement, so that the figure does not depend on the machine.
 */
export async function withHeldBytes<T>(
  run: () => Promise<T>,
): Promise<{ reply: T; heldBytes: number }> {
  let lastBytes = heldNow();
  const startBytes = lastBytes;
  let mostBytes = lastBytes;
  let isRunning = true;
  const sample = () => {
    lastBytes = heldNow();
    mostBytes = Math.max(mostBytes, lastBytes);
  };
  const watch = () => {
    if (!isRunning) return;
    if (bytesWithGarbage() - lastBytes > allocatedMaxBytes) sample();
    setImmediate(watch);
  };
  watch();
  try {
    const reply = await run();
    sample();
    return { reply, heldBytes: mostBytes - startBytes };
  } finally {
    isRunning = false;
  }
}

function heldNow(): number {
  collectGarbage();
  return bytesWithGarbage();
}

/** Returns the bytes of the heap and of the buffers outside of it. */
function bytesWithGarbage(): number {
  const { used_heap_size: heap, external_memory: buffers } = getHeapStatistics();
  return heap + buffers;
}
