import { setMaxListeners } from "node:events";
import { VademecumError } from "../core/model/errors.js";

/** How texts are put together. */
export interface BatchQueueOptions {
  /** Texts of a batch at most. */
  readonly maxBatchTexts: number;
  /** Batches that run at the same time at most. */
  readonly maxRunningBatches: number;
  /** While more texts than this wait, calls are refused. A single call may have any number of texts. */
  readonly maxWaitingTexts: number;
  /** The vectors of some texts, in their order; an error for one that cannot have any. The signal aborts when nobody waits for any of them any more. */
  readonly run: (
    texts: readonly string[],
    signal: AbortSignal,
  ) => Promise<readonly (Float32Array | Error)[]>;
}

/** The texts of one call, while some of them are without a vector. */
interface Call {
  readonly vectors: Float32Array[];
  textsLeft: number;
  isSettled: boolean;
  resolve(): void;
  reject(reason: unknown): void;
}

/** One text of a call, and its place among the call's texts. */
interface Item {
  readonly text: string;
  readonly index: number;
  readonly call: Call;
}

interface Batch {
  readonly items: readonly Item[];
  readonly controller: AbortController;
}

/** What a caller waits for when the queue is full, in milliseconds. */
const busyRetryMs = 1000;

/** Makes batches of the texts of many calls: what comes while as many batches run as may forms the next ones, in the order in which it came. */
export class BatchQueue {
  readonly #options: BatchQueueOptions;
  readonly #running = new Set<Batch>();
  #waiting: Item[] = [];
  #closedBy: Error | undefined;

  constructor(options: BatchQueueOptions) {
    this.#options = options;
  }

  /**
   * One vector a text, in their order. Ends at once when the signal aborts.
   * @throws RESOURCE_EXHAUSTED (EMBEDDER_BUSY) while too many texts wait; the signal's reason; whatever `run` throws or gives for a text
   */
  async embed(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]> {
    signal.throwIfAborted();
    if (this.#closedBy !== undefined) throw this.#closedBy;
    if (texts.length === 0) return [];
    if (this.#waiting.length > this.#options.maxWaitingTexts) throw this.#busy();
    return new Promise((resolve, reject) => {
      const onAbort = () => this.#drop(call, signal.reason);
      const settle = (how: () => void) => {
        call.isSettled = true;
        signal.removeEventListener("abort", onAbort);
        how();
      };
      const call: Call = {
        vectors: [],
        textsLeft: texts.length,
        isSettled: false,
        resolve: () => settle(() => resolve(call.vectors)),
        reject: (reason) =>
          settle(() =>
            reject(
              reason instanceof Error
                ? reason
                : new Error("the call was given up", { cause: reason }),
            ),
          ),
      };
      // A stream has one signal for all its texts, and Node warns of more than ten listeners.
      setMaxListeners(0, signal);
      signal.addEventListener("abort", onAbort, { once: true });
      for (const [index, text] of texts.entries()) this.#waiting.push({ text, index, call });
      this.#startBatches();
    });
  }

  /** Refuses what waits and what comes, and aborts what runs. */
  close(reason: Error): void {
    this.#closedBy = reason;
    const running = [...this.#running].flatMap(({ items }) => items);
    for (const { call } of [...this.#waiting, ...running]) this.#drop(call, reason);
  }

  #startBatches(): void {
    const { maxBatchTexts, maxRunningBatches } = this.#options;
    while (this.#waiting.length > 0 && this.#running.size < maxRunningBatches) {
      const batch = {
        items: this.#waiting.splice(0, maxBatchTexts),
        controller: new AbortController(),
      };
      this.#running.add(batch);
      void this.#runBatch(batch);
    }
  }

  async #runBatch(batch: Batch): Promise<void> {
    const { items, controller } = batch;
    try {
      const made = await this.#options.run(
        items.map(({ text }) => text),
        controller.signal,
      );
      for (const [position, { call, index }] of items.entries()) {
        const vector = made[position] ?? new Error("a batch has fewer vectors than texts");
        if (vector instanceof Error) this.#drop(call, vector);
        else give(call, index, vector);
      }
    } catch (error) {
      for (const { call } of items) this.#drop(call, error);
    } finally {
      this.#running.delete(batch);
      this.#startBatches();
    }
  }

  /** Ends a call without vectors, and the batches in which nobody else's texts are. */
  #drop(call: Call, reason: unknown): void {
    if (call.isSettled) return;
    call.reject(reason);
    this.#waiting = this.#waiting.filter((item) => item.call !== call);
    for (const { items, controller } of this.#running)
      if (items.every((item) => item.call.isSettled)) controller.abort(reason);
  }

  #busy(): VademecumError {
    return new VademecumError(
      "RESOURCE_EXHAUSTED",
      "EMBEDDER_BUSY",
      `${this.#waiting.length} texts wait for their vectors already; try again later`,
      { retryAfterMs: busyRetryMs },
    );
  }
}

function give(call: Call, index: number, vector: Float32Array): void {
  if (call.isSettled) return;
  call.vectors[index] = vector;
  call.textsLeft -= 1;
  if (call.textsLeft === 0) call.resolve();
}
