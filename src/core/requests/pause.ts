/**
 * Time that long work may block the event loop before other work gets its turn, in milliseconds.
 */
const sliceMs = 4;

/**
 * Returns a function to call between pieces of long work. Every few milliseconds it lets other work
 * run, then calls `afterPause`.
 */
export function createPause(afterPause?: () => void): () => Promise<void> {
  let sliceStart = performance.now();
  return async () => {
    if (performance.now() - sliceStart < sliceMs) return;
    await nextTurn();
    afterPause?.();
    sliceStart = performance.now();
  };
}

/** Resolves when all other work that is ready has had its turn. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
