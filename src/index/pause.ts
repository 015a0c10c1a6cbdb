import { setImmediate } from "node:timers/promises";

/** Time that long work may hold the process before other work gets its turn, in milliseconds. */
const sliceMs = 4;

/**
 * Returns a function to call between pieces of long work. Every few milliseconds it lets other work
 * run, then calls `afterPause`.
 */
export function createPause(afterPause?: () => void): () => Promise<void> {
  let sliceStart = performance.now();
  return async () => {
    if (performance.now() - sliceStart < sliceMs) return;
    await setImmediate();
    afterPause?.();
    sliceStart = performance.now();
  };
}
