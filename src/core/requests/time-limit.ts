import type { Call } from "../ports/call.js";
import type { Timer } from "../ports/timer.js";

/** The error of a part of a call that has used up its own time. */
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
  const controller = new AbortController();
  const { signal } = controller;
  const end = (reason: unknown) => controller.abort(reason);
  const cancel = timer.after(limitMs, () =>
    end(new TimeLimitExceeded(`took longer than ${limitMs} ms`)),
  );
  const callEnded = () => end(call.signal.reason);
  call.signal.addEventListener("abort", callEnded, { once: true });
  const ended = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
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
    clear: () => {
      cancel();
      call.signal.removeEventListener("abort", callEnded);
    },
  };
}
