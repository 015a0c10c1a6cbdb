import type { Call } from "../ports/call.js";
import type { Timer } from "../ports/timer.js";

/** Thrown when one part of a call takes longer than the time limit of the part. */
export class TimeLimitExceeded extends Error {}

/** A part of a call with a time limit of its own. */
export interface LimitedCall extends Call {
  /** Settles like `promise`. Rejects earlier when the part ends first. */
  orEnd<T>(promise: Promise<T>): Promise<T>;
  /** Returns the time that counts towards the limit so far, in milliseconds. */
  elapsedMs(): number;
  /** Releases the timer. Call it when the part is over. */
  clear(): void;
}

/**
 * Limits a part of a call to `limitMs` milliseconds.
 *
 * @param spentMs the time that the part has taken earlier, in milliseconds. It counts towards the
 *   limit. Default 0
 */
export function limitTime(call: Call, timer: Timer, limitMs: number, spentMs = 0): LimitedCall {
  const startMs = performance.now() - spentMs;
  const time = new AbortController();
  // Adds no listener to `call.signal`: Node warns of leaks when a signal has more than ten
  // listeners.
  const signal = AbortSignal.any([call.signal, time.signal]);
  const clear = timer.after(Math.max(0, limitMs - spentMs), () =>
    time.abort(new TimeLimitExceeded(`took longer than ${limitMs} ms`)),
  );
  const ended = new Promise<never>((_, reject) => {
    const end = () => reject(signal.reason as Error);
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
  });
  // Without a handler, a rejection that nobody awaits would end the process.
  ended.catch(() => undefined);
  return {
    signal,
    principal: call.principal,
    allowance: call.allowance,
    noteRows: (rows) => call.noteRows?.(rows),
    throwIfEnded: () => {
      call.throwIfEnded();
      signal.throwIfAborted();
    },
    orEnd: (promise) => Promise.race([promise, ended]),
    elapsedMs: () => performance.now() - startMs,
    clear,
  };
}
