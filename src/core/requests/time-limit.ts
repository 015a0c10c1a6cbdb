import type { Call } from "../ports/call.js";
import type { Timer } from "../ports/timer.js";

/** What a part of a call ends with when it has used up its own time. */
export class TimeLimitExceeded extends Error {}

/** A part of a call that may take less time than the whole. */
export interface LimitedCall extends Call {
  /** What `promise` comes to, or what the part ended with if that comes first. */
  orEnd<T>(promise: Promise<T>): Promise<T>;
  /** To be called when the part is over. */
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
  // Nobody may be waiting when it ends.
  ended.catch(() => undefined);
  return {
    signal,
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
