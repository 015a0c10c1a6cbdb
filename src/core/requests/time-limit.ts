import type { Call } from "../ports/call.js";
import type { Timer } from "../ports/timer.js";

/** Thrown when one part of a call takes longer than the time limit of the part. */
export class TimeLimitExceeded extends Error {}

/** A part of a call with a time limit of its own. */
export interface LimitedCall extends Call {
  /** Settles like `promise`. Rejects earlier when the part ends first. */
  orEnd<T>(promise: Promise<T>): Promise<T>;
  /** Releases the timer. Call it when the part is over. */
  clear(): void;
}

/** Limits a part of a call to `limitMs` milliseconds. */
export function limitTime(call: Call, timer: Timer, limitMs: number): LimitedCall {
  const time = new AbortController();
  // Adds no listener to `call.signal`: Node warns of leaks when a signal has more than ten
  // listeners.
  const signal = AbortSignal.any([call.signal, time.signal]);
  const clear = timer.after(limitMs, () =>
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
    quota: call.quota,
    throwIfEnded: () => {
      call.throwIfEnded();
      signal.throwIfAborted();
    },
    orEnd: (promise) => Promise.race([promise, ended]),
    clear,
  };
}
