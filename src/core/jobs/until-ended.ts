import type { Call } from "../ports/call.js";

/**
 * Passes on a source until a call ends, then throws the error of the call: at once, even if the
 * source never yields again, because its client has stopped sending.
 */
export async function* untilEnded<T>(source: AsyncIterable<T>, call: Call): AsyncGenerator<T> {
  const { signal } = call;
  const items = source[Symbol.asyncIterator]();
  try {
    for (;;) {
      call.throwIfEnded();
      const item = await unlessAborted(signal, items.next());
      call.throwIfEnded();
      if (item === undefined || item.done === true) return;
      yield item.value;
    }
  } finally {
    // Not awaited: a source that waits for its client ends only with the client.
    items.return?.().catch(() => undefined);
  }
}

/** Settles as the promise does. Resolves with `undefined` if the signal is aborted before. */
function unlessAborted<T>(signal: AbortSignal, promise: Promise<T>): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const abort = (): void => resolve(undefined);
    signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
