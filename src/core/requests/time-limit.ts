import type { Call } from "../ports/call.js";
import type { Timer } from "../ports/timer.js";

/** The error of a part of a call that has exceeded its own time limit. */
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
  // Unlike a listener for each part, this lets a call have any number of parts.
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
