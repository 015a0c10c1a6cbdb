import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { type Code, VademecumError } from "../../core/model/errors.js";
import type { Log } from "../../core/ports/log.js";

/**
 * Messages to the worker. The client sends each message after the answer to the previous message.
 */
export type ToWorker =
  | { readonly kind: "encode"; readonly texts: readonly string[] }
  | { readonly kind: "close" };

/**
 * Messages from the worker: `ready` or `unusable` once as it starts, then one answer for each batch
 * of texts.
 */
export type FromWorker =
  | { readonly kind: "ready"; readonly dimension: number }
  | {
      readonly kind: "unusable";
      readonly code: Code;
      readonly reason: string;
      readonly message: string;
    }
  | { readonly kind: "vectors"; readonly vectors: readonly Float32Array[] }
  | { readonly kind: "failed"; readonly message: string };

/** Suggested wait of a caller after a crash, in milliseconds: about the time to load a model. */
const restartMs = 1000;

/** Short texts leave little garbage, and each worker thread would keep up to 48 MB of it. */
const resourceLimits = { maxYoungGenerationSizeMb: 6 };

/**
 * Runs a model in a worker thread, so that it does not block the event loop. After a crash, the
 * next call of `encode` starts a new worker.
 *
 * Requires: the previous call of `encode` has ended before the next call begins.
 */
export class InferenceWorkerClient {
  readonly #entry: string | URL;
  readonly #model: object;
  readonly #log: Log;
  #worker: Worker | undefined;

  /**
   * @param entry the module that the worker runs
   * @param model the `workerData` of the worker
   */
  constructor(entry: string | URL, model: object, log: Log) {
    this.#entry = entry;
    this.#model = model;
    this.#log = log;
  }

  /**
   * Starts the worker, which loads the model. Returns the dimension of its vectors. Rethrows the
   * error of a model that cannot be used.
   *
   * @throws UNAVAILABLE (EMBEDDER_UNAVAILABLE) when the worker crashes as it starts
   */
  async start(): Promise<number> {
    const worker = new Worker(this.#entry, { workerData: this.#model, resourceLimits });
    this.#worker = worker;
    worker.on("error", (error) => this.#forget(worker, { error }));
    worker.on("exit", (exitCode) => this.#forget(worker, { exitCode }));
    const answer = await answerOf(worker);
    if (answer.kind === "ready") return answer.dimension;
    this.#worker = undefined;
    await worker.terminate();
    if (answer.kind === "unusable")
      throw new VademecumError(answer.code, answer.reason, answer.message);
    throw new Error(`the worker thread answered '${answer.kind}' at its start`);
  }

  /**
   * Returns one vector for each text.
   *
   * @throws UNAVAILABLE (EMBEDDER_UNAVAILABLE) when the worker crashes, or cannot be started again
   */
  async encode(texts: readonly string[]): Promise<readonly Float32Array[]> {
    if (this.#worker === undefined) {
      await this.start().catch((error: unknown) => {
        throw workerCrashed(error);
      });
    }
    const worker = this.#worker;
    if (worker === undefined) throw workerCrashed();
    worker.postMessage({ kind: "encode", texts } satisfies ToWorker);
    const answer = await answerOf(worker);
    if (answer.kind === "vectors") return answer.vectors;
    throw new Error(`the model failed: ${answer.kind === "failed" ? answer.message : answer.kind}`);
  }

  /** Ends the worker after its pending answer. */
  async close(): Promise<void> {
    const worker = this.#worker;
    if (worker === undefined) return;
    this.#worker = undefined;
    const exit = once(worker, "exit");
    worker.postMessage({ kind: "close" } satisfies ToWorker);
    await exit;
  }

  /** Forgets a worker that has ended unexpectedly. */
  #forget(worker: Worker, details: Readonly<Record<string, unknown>>): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    this.#log("warn", "the worker thread of the embedding model crashed", details);
  }
}

/**
 * Returns the next answer of a worker.
 *
 * @throws UNAVAILABLE (EMBEDDER_UNAVAILABLE) when the worker ends without an answer
 */
function answerOf(worker: Worker): Promise<FromWorker> {
  return new Promise((resolve, reject) => {
    const settle = (complete: () => void) => {
      worker.off("message", onMessage).off("error", onError).off("exit", onExit);
      complete();
    };
    const onMessage = (message: FromWorker) => settle(() => resolve(message));
    const onError = (error: unknown) => settle(() => reject(workerCrashed(error)));
    const onExit = () => settle(() => reject(workerCrashed()));
    worker.on("message", onMessage).on("error", onError).on("exit", onExit);
  });
}

function workerCrashed(cause?: unknown): VademecumError {
  const code =
    cause instanceof Error && "code" in cause && typeof cause.code === "string"
      ? ` (${cause.code})`
      : "";
  return new VademecumError(
    "UNAVAILABLE",
    "EMBEDDER_UNAVAILABLE",
    `the worker thread of the embedding model has crashed${code}; repeat the call, which restarts it`,
    { retryAfterMs: restartMs, cause },
  );
}
