import { VademecumError } from "../model/errors.js";
import type { Call } from "../ports/call.js";

/** Maximum number of pieces of detached work at a time. */
const runningMax = 8;

/** Work that goes on when its caller leaves. */
export class DetachedWork {
  /** The work that is running, each with a function that ends it with an error. */
  readonly #running = new Map<Promise<void>, (error: VademecumError) => void>();

  /**
   * Starts work, and yields what it yields until the caller leaves. A caller that reads slowly gets
   * only the newest of what the work has yielded meanwhile.
   *
   * @throws RESOURCE_EXHAUSTED (TOO_MANY_JOBS) when eight pieces of work are running
   */
  async *stream<T>(call: Call, work: (own: Call) => AsyncIterable<T>): AsyncGenerator<T> {
    if (this.#running.size >= runningMax) throw tooManyJobs();
    const newest = new Newest<T>();
    const { own, end } = withoutCaller(call);
    const running = readAll(work(own), newest);
    this.#running.set(running, end);
    void running.then(() => this.#running.delete(running));
    yield* newest.readBy(call);
  }

  /** Ends all work with an error at its next step. */
  stop(error: VademecumError): void {
    for (const end of this.#running.values()) end(error);
  }

  /** Resolves when all work has ended. */
  async close(): Promise<void> {
    await Promise.all(this.#running.keys());
  }
}

/** Returns a call with the rights of another one, which lasts until it is ended. */
function withoutCaller({ principal, allowance }: Call) {
  const controller = new AbortController();
  const { signal } = controller;
  const own: Call = {
    ...{ principal, allowance, signal },
    throwIfEnded: () => signal.throwIfAborted(),
  };
  return { own, end: (error: VademecumError) => controller.abort(error) };
}

/** Reads work to its end. Never rejects: the reader gets the error. */
async function readAll<T>(work: AsyncIterable<T>, newest: Newest<T>): Promise<void> {
  try {
    for await (const value of work) newest.set(value);
    newest.end();
  } catch (error) {
    newest.end({ error });
  }
}

/** Keeps the newest value of a producer for one reader. */
class Newest<T> {
  #unread: { readonly value: T } | undefined;
  #outcome: { readonly error?: unknown } | undefined;
  #wake: () => void = () => undefined;

  set(value: T): void {
    this.#unread = { value };
    this.#wake();
  }

  /** @param outcome has the error with which the producer has ended */
  end(outcome: { readonly error?: unknown } = {}): void {
    this.#outcome = outcome;
    this.#wake();
  }

  /** Yields the newest values until the producer or the call has ended. */
  async *readBy(call: Call): AsyncGenerator<T> {
    const wake = (): void => this.#wake();
    call.signal.addEventListener("abort", wake);
    try {
      for (;;) {
        call.throwIfEnded();
        const unread = this.#unread;
        this.#unread = undefined;
        if (unread !== undefined) yield unread.value;
        else if (this.#outcome === undefined) await this.#changed();
        else if ("error" in this.#outcome) throw this.#outcome.error;
        else return;
      }
    } finally {
      call.signal.removeEventListener("abort", wake);
    }
  }

  #changed(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}

function tooManyJobs(): VademecumError {
  return new VademecumError(
    "RESOURCE_EXHAUSTED",
    "TOO_MANY_JOBS",
    `${runningMax} detached jobs are running; at most ${runningMax} may run at a time. Wait until ` +
      "one of them has ended (`vademecum jobs`), or cancel one (`vademecum jobs cancel`)",
    { retryAfterMs: 10_000 },
  );
}
