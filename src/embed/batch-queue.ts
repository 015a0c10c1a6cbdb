import { setMaxListeners } from "node:events";
import { VademecumError } from "../core/model/errors.js";

/** Limits of a queue, and the function that runs a batch. */
export interface BatchQueueOptions {
  /** Maximum number of texts in a batch. */
  readonly maxBatchTexts: number;
  /** Maximum number of concurrent batches. */
  readonly maxRunningBatches: number;
  /**
   * Calls are refused while more texts than this wait. Calls with a single text are counted apart
   * from longer calls. One call may have any number of texts.
   */
  readonly maxWaitingTexts: number;
  /**
   * Returns the vector of each text, in the order of the texts, or the error of a text that the
   * model refuses. The signal aborts when no caller waits for any of the texts.
   */
  readonly run: (
    texts: readonly string[],
    signal: AbortSignal,
  ) => Promise<readonly (Float32Array | Error)[]>;
}

/** A call of which some texts have no vector yet. */
interface PendingCall {
  readonly vectors: Float32Array[];
  textsLeft: number;
  isSettled: boolean;
  resolve(): void;
  reject(reason: unknown): void;
}

/** One text of a call, and its index among the texts of the call. */
interface Item {
  readonly text: string;
  readonly index: number;
  readonly call: PendingCall;
}

interface Batch {
  readonly items: readonly Item[];
  readonly controller: AbortController;
}

/** Suggested wait of a caller when the queue is full, in milliseconds. */
const busyRetryMs = 1000;

/** Maximum number of batches of single texts in a row while texts of longer calls wait. */
const singleBatchesMax = 3;

/**
 * Combines the texts of many calls into batches. While the maximum number of batches runs, new
 * texts wait. A call of `embed` with a single text, such as a query, does not wait for the texts
 * of longer calls. Texts of equal rank go into batches in their order of arrival.
 */
export class BatchQueue {
  readonly #options: BatchQueueOptions;
  readonly #running = new Set<Batch>();
  /** Texts of calls with a single text. */
  #singles: Item[] = [];
  #waiting: Item[] = [];
  #singleBatches = 0;
  #closeReason: Error | undefined;

  constructor(options: BatchQueueOptions) {
    this.#options = options;
  }

  /**
   * Returns one vector for each text, in the order of the texts. Rejects with the signal's reason
   * as soon as the signal aborts. Rethrows errors of `run`.
   *
   * @throws RESOURCE_EXHAUSTED (EMBEDDER_BUSY) when too many texts wait
   */
  embed(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]> {
    const vectors = this.#add(texts, texts.length === 1 ? this.#singles : this.#waiting, signal);
    this.#startBatches();
    return vectors;
  }

  /**
   * Embeds several lists of texts. Does the same as one `embed` for each list, but the texts of all
   * lists share batches.
   */
  embedEach(
    lists: readonly (readonly string[])[],
    signal: AbortSignal,
  ): readonly Promise<Float32Array[]>[] {
    const vectors = lists.map((texts) => this.#add(texts, this.#waiting, signal));
    this.#startBatches();
    return vectors;
  }

  async #add(
    texts: readonly string[],
    queue: Item[],
    signal: AbortSignal,
  ): Promise<Float32Array[]> {
    signal.throwIfAborted();
    if (this.#closeReason !== undefined) throw this.#closeReason;
    if (texts.length === 0) return [];
    if (queue.length > this.#options.maxWaitingTexts) throw embedderBusy(queue.length);
    return new Promise((resolve, reject) => {
      const onAbort = () => this.#reject(call, signal.reason);
      const settle = (notify: () => void) => {
        call.isSettled = true;
        signal.removeEventListener("abort", onAbort);
        notify();
      };
      const call: PendingCall = {
        vectors: [],
        textsLeft: texts.length,
        isSettled: false,
        resolve: () => settle(() => resolve(call.vectors)),
        reject: (reason) =>
          settle(() =>
            reject(
              reason instanceof Error
                ? reason
                : new Error("the call was cancelled", { cause: reason }),
            ),
          ),
      };
      // A stream has one signal for all its texts, and Node warns about more than ten listeners.
      setMaxListeners(0, signal);
      signal.addEventListener("abort", onAbort, { once: true });
      for (const [index, text] of texts.entries()) queue.push({ text, index, call });
    });
  }

  /** Refuses waiting and new texts, and aborts running batches. */
  close(reason: Error): void {
    this.#closeReason = reason;
    const running = [...this.#running].flatMap(({ items }) => items);
    for (const { call } of [...this.#singles, ...this.#waiting, ...running])
      this.#reject(call, reason);
  }

  #startBatches(): void {
    const { maxBatchTexts, maxRunningBatches } = this.#options;
    while (this.#running.size < maxRunningBatches) {
      const items = this.#nextQueue().splice(0, maxBatchTexts);
      if (items.length === 0) return;
      const batch = {
        items,
        controller: new AbortController(),
      };
      this.#running.add(batch);
      void this.#runBatch(batch);
    }
  }

  /** Chooses the texts of the next batch. Longer calls get a turn too, however many texts come. */
  #nextQueue(): Item[] {
    const isSingleTurn = this.#singleBatches < singleBatchesMax || this.#waiting.length === 0;
    const takesSingles = this.#singles.length > 0 && isSingleTurn;
    this.#singleBatches = takesSingles ? this.#singleBatches + 1 : 0;
    return takesSingles ? this.#singles : this.#waiting;
  }

  async #runBatch(batch: Batch): Promise<void> {
    const { items, controller } = batch;
    try {
      const vectors = await this.#options.run(
        items.map(({ text }) => text),
        controller.signal,
      );
      for (const [position, { call, index }] of items.entries()) {
        const vector = vectors[position] ?? new Error("a batch has fewer vectors than texts");
        if (vector instanceof Error) this.#reject(call, vector);
        else setVector(call, index, vector);
      }
    } catch (error) {
      for (const { call } of items) this.#reject(call, error);
    } finally {
      this.#running.delete(batch);
      this.#startBatches();
    }
  }

  /** Rejects a call. Aborts each running batch whose texts all belong to settled calls. */
  #reject(call: PendingCall, reason: unknown): void {
    if (call.isSettled) return;
    call.reject(reason);
    const isOther = (item: Item) => item.call !== call;
    this.#singles = this.#singles.filter(isOther);
    this.#waiting = this.#waiting.filter(isOther);
    for (const { items, controller } of this.#running)
      if (items.every((item) => item.call.isSettled)) controller.abort(reason);
  }
}

function embedderBusy(waiting: number): VademecumError {
  return new VademecumError(
    "RESOURCE_EXHAUSTED",
    "EMBEDDER_BUSY",
    `${waiting} texts are waiting for vectors; try again later`,
    { retryAfterMs: busyRetryMs },
  );
}

function setVector(call: PendingCall, index: number, vector: Float32Array): void {
  if (call.isSettled) return;
  call.vectors[index] = vector;
  call.textsLeft -= 1;
  if (call.textsLeft === 0) call.resolve();
}
