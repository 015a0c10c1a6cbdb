import type { Call } from "../ports/call.js";
import type { ReadSignal } from "../ports/search-index.js";

/** Returns a signal that costs nothing until it is used. `Call.signal` costs microseconds. */
export function readSignalOf(call: Call): ReadSignal {
  return {
    get aborted() {
      return call.signal.aborted;
    },
    throwIfAborted: () => call.throwIfEnded(),
  };
}
