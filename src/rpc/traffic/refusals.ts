import { VademecumError } from "../../core/model/errors.js";

/** The time in which the refusals of `Refusals` are counted, in milliseconds: about a second. */
const countedMs = 1_000;
/** With this many refusals a second, calls should come again after twice the shortest time. */
const doublingRefusals = 100;
/** Longest time after which a refused call should come again, in milliseconds. */
const retryAfterMaxMs = 30_000;
/** The times are spread by this share of their mean, so that refused calls do not come at once. */
const spread = 0.5;
/** Multiples of it fall evenly between 0 and 1 (the golden ratio, without its whole part). */
const goldenShare = (Math.sqrt(5) - 1) / 2;

/**
 * Makes the errors of calls that the server refuses because of its load, and tells the callers when
 * to come again. The more calls are refused, the later they come. So the server can spend its time
 * on calls that it answers.
 */
export class Refusals {
  readonly #retryAfterMs: number;
  readonly #nowMs: () => number;
  #number = 0;
  /** The refusals so far. A refusal counts less with time, by half after some 0.7 s. */
  #recent = 0;
  #countedAtMs: number;

  /**
   * @param retryAfterMs shortest time after which a refused call should come again
   * @param nowMs milliseconds of a clock that never jumps
   */
  constructor(retryAfterMs: number, nowMs: () => number) {
    this.#retryAfterMs = retryAfterMs;
    this.#nowMs = nowMs;
    this.#countedAtMs = nowMs();
  }

  /**
   * Returns the error RESOURCE_EXHAUSTED (OVERLOADED) of a refused call.
   *
   * @param what why the server refuses the call
   */
  refuse(what: string): VademecumError {
    const retryAfterMs = this.#nextRetryAfterMs();
    return withoutStack(
      () =>
        new VademecumError(
          "RESOURCE_EXHAUSTED",
          "OVERLOADED",
          `${what}; nothing was done. Retry in ${retryAfterMs} ms`,
          { retryAfterMs },
        ),
    );
  }

  #nextRetryAfterMs(): number {
    const nowMs = this.#nowMs();
    this.#recent = 1 + this.#recent * Math.exp((this.#countedAtMs - nowMs) / countedMs);
    this.#countedAtMs = nowMs;
    const meanMs = this.#retryAfterMs * (1 + (this.#recent - 1) / doublingRefusals);
    const place = (this.#number++ * goldenShare) % 1;
    const spreadMs = meanMs * (1 + spread * place);
    return Math.round(Math.min(retryAfterMaxMs, spreadMs));
  }
}

/** Makes an error without a stack, which would take longer than all else that a refusal does. */
function withoutStack<E extends Error>(make: () => E): E {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return make();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}
