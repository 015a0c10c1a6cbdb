import type { Call } from "../ports/call.js";
import type { ReadSignal } from "../ports/search-index.js";

/**
 * The signal of a call that costs nothing until it is used. `Call.signal` costs microseconds.
 *
 * This is a class, because V8 keeps an object literal with a getter among the old objects, together
 * with the call.
 */
class CallReadSignal implements ReadSignal {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  get aborted(): boolean {
    return this.#call.signal.aborted;
  }

  throwIfAborted(): void {
    this.#call.throwIfEnded();
  }
}

/** Returns the signal of a call for reads of an index. */
export function readSignalOf(call: Call): ReadSignal {
  return new CallReadSignal(call);
}
