import { setImmediate } from "node:timers/promises";

/** How long a piece of long work may hold the process before other work gets its turn, in milliseconds. */
const sliceMs = 4;

/** Returns a function to be called between pieces of work: every few milliseconds it lets other work run, then calls `afterPause`. */
export function createPause(afterPause?: () => void): () => Promise<void> {
  let sliceStart = performance.now();
  return async () => {
    if (performance.now() - sliceStart < sliceMs) return;
    await setImmediate();
    afterPause?.();
    sliceStart = performance.now();
  };
}
