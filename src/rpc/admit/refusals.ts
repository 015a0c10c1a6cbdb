import { VademecumError } from "../../core/model/errors.js";

/**
 * Recent refusals count more than older ones: the weight of a refusal falls to 37 % (1/e) in this
 * number of milliseconds.
 */
const countedMs = 1_000;
/** With this many refusals a second, callers should retry after twice the shortest time. */
const doublingRefusals = 100;
/** Longest time after which callers should retry, in milliseconds. */
const retryAfterMaxMs = 10_000;
/**
 * A retry time is lengthened by up to this share of itself, so that refused callers do not all
 * retry together.
 */
const spread = 0.5;
/**
 * The golden ratio minus 1. The fractional parts of its multiples spread evenly between 0 and 1.
 */
const goldenShare = (Math.sqrt(5) - 1) / 2;

/**
 * Makes the errors of calls that the server refuses because of its load, and tells the callers when
 * to retry. The more calls are refused, the later they retry. So the server can spend its time on
 * calls that it answers.
 */
export class Refusals {
  readonly #retryAfterMs: number;
  readonly #nowMs: () => number;
  #number = 0;
  /**
   * Number of recent refusals, weighted by their age. The weight of a refusal halves about every
   * 0.7 s.
   */
  #recent = 0;
  #countedAtMs: number;

  /**
   * @param retryAfterMs shortest time after which callers should retry
   * @param nowMs milliseconds of a clock that never jumps
   */
  constructor(retryAfterMs: number, nowMs: () => number) {
    this.#retryAfterMs = retryAfterMs;
    this.#nowMs = nowMs;
    this.#countedAtMs = nowMs();
  }

  /**
   * Returns the error RESOURCE_EXHAUSTED (OVERLOADED) of a call that an overloaded server refuses.
   *
   * @param what why the server refuses the call
   */
  refusalOf(what: string): VademecumError {
    const nowMs = this.#nowMs();
    this.#recent = 1 + this.#recent * Math.exp((this.#countedAtMs - nowMs) / countedMs);
    this.#countedAtMs = nowMs;
    const growth = 1 + (this.#recent - 1) / doublingRefusals;
    return this.#overloaded(what, this.#retryAfterMs * growth);
  }

  /**
   * Returns the error RESOURCE_EXHAUSTED (OVERLOADED) of a call whose caller has too many calls.
   * Such a refusal says nothing about the load of the server, so it does not lengthen the waits of
   * other callers.
   *
   * @param advice what the caller can do, in whole sentences. Default: nothing but to retry
   */
  refusalOfCaller(what: string, advice?: string): VademecumError {
    return this.#overloaded(`${what}, which is the most`, this.#retryAfterMs, advice);
  }

  #overloaded(what: string, leastMs: number, advice = ""): VademecumError {
    const place = (this.#number++ * goldenShare) % 1;
    const cappedMs = Math.min(leastMs, retryAfterMaxMs / (1 + spread));
    const retryAfterMs = Math.round(cappedMs * (1 + spread * place));
    const message = `${what}; nothing was done. ${advice}Retry in ${retryAfterMs} ms`;
    return withoutStack(
      () => new VademecumError("RESOURCE_EXHAUSTED", "OVERLOADED", message, { retryAfterMs }),
    );
  }
}

/**
 * Makes an error without a stack, because recording the stack would take longer than the rest of a
 * refusal.
 */
function withoutStack<E extends Error>(make: () => E): E {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return make();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}
