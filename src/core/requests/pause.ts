/**
 * Time for which all long work together may block the event loop before other work gets its turn,
 * in milliseconds.
 */
export const sliceMs = 4;

/** The time at which long work began in this turn of the event loop. Absent: none has begun. */
let sliceStartMs: number | undefined;

/** Long work that waits for its turn. Each turn of the event loop resumes one entry. */
const waiting: (() => void)[] = [];

let isTurnScheduled = false;

/**
 * Returns a function to call between pieces of long work. Every few milliseconds it lets other work
 * run, then calls `afterPause`. All long work in the same event loop shares these milliseconds. So
 * counting a hundred texts in parallel blocks other calls no longer than counting one text.
 */
export function createPause(afterPause?: () => void): () => Promise<void> {
  if (sliceStartMs === undefined) startSlice(performance.now());
  return async () => {
    const nowMs = performance.now();
    if (nowMs - (sliceStartMs ?? startSlice(nowMs)) < sliceMs) return;
    await nextTurn();
    afterPause?.();
  };
}

/** Resolves when all other work that is ready has had its turn. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    scheduleTurn();
  });
}

function startSlice(nowMs: number): number {
  sliceStartMs = nowMs;
  scheduleTurn();
  return nowMs;
}

function scheduleTurn(): void {
  if (isTurnScheduled) return;
  isTurnScheduled = true;
  setImmediate(takeTurn);
}

function takeTurn(): void {
  isTurnScheduled = false;
  sliceStartMs = undefined;
  const resume = waiting.shift();
  if (resume === undefined) return;
  startSlice(performance.now());
  resume();
}
