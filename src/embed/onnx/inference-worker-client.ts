import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { type Code, VademecumError } from "../../core/model/errors.js";
import type { Log } from "../../core/ports/log.js";

/** What the thread is told. One thing at a time: the next one goes out when the last one is answered. */
export type ToWorker =
  | { readonly kind: "encode"; readonly texts: readonly string[] }
  | { readonly kind: "close" };

/** What the thread tells: `ready` or `unusable` once as it starts, then one answer for each batch of texts. */
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

/** What a caller waits for after a crash, in milliseconds: about as long as loading a model takes. */
const restartMs = 1000;

/**
 * Runs a model in a thread of its own, so that the server goes on meanwhile. A thread that has crashed is started again by the next texts.
 * REQUIRES: `encode` is not called before the last call has ended.
 */
export class InferenceWorkerClient {
  readonly #entry: URL;
  readonly #model: object;
  readonly #log: Log;
  #worker: Worker | undefined;

  /**
   * @param entry the module that the thread runs
   * @param model what it is given as `workerData`
   */
  constructor(entry: URL, model: object, log: Log) {
    this.#entry = entry;
    this.#model = model;
    this.#log = log;
  }

  /** Starts the thread and loads the model. Returns the dimension of its vectors. @throws what the thread says of a model that it cannot use */
  async start(): Promise<number> {
    const worker = new Worker(this.#entry, { workerData: this.#model });
    this.#worker = worker;
    worker.on("error", (error) => this.#lose(worker, { error }));
    worker.on("exit", (exitCode) => this.#lose(worker, { exitCode }));
    const answer = await answerOf(worker);
    if (answer.kind === "ready") return answer.dimension;
    this.#worker = undefined;
    await worker.terminate();
    if (answer.kind === "unusable")
      throw new VademecumError(answer.code, answer.reason, answer.message);
    throw new Error(`the thread answered '${answer.kind}' as it started`);
  }

  /** One vector a text. @throws UNAVAILABLE (EMBEDDER_UNAVAILABLE) if the thread crashes, or cannot be started again */
  async encode(texts: readonly string[]): Promise<readonly Float32Array[]> {
    if (this.#worker === undefined) {
      await this.start().catch((error: unknown) => {
        throw threadCrashed(error);
      });
    }
    const worker = this.#worker;
    if (worker === undefined) throw threadCrashed();
    worker.postMessage({ kind: "encode", texts } satisfies ToWorker);
    const answer = await answerOf(worker);
    if (answer.kind === "vectors") return answer.vectors;
    throw new Error(`the model failed: ${answer.kind === "failed" ? answer.message : answer.kind}`);
  }

  /** Ends the thread when it has answered what it was asked. */
  async close(): Promise<void> {
    const worker = this.#worker;
    if (worker === undefined) return;
    this.#worker = undefined;
    const exit = once(worker, "exit");
    worker.postMessage({ kind: "close" } satisfies ToWorker);
    await exit;
  }

  /** Takes note that a thread has ended that should not have. */
  #lose(worker: Worker, how: Readonly<Record<string, unknown>>): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    this.#log("warn", "the thread of the embedding model crashed", how);
  }
}

/** The next answer of a thread. @throws UNAVAILABLE (EMBEDDER_UNAVAILABLE) if it ends without one */
function answerOf(worker: Worker): Promise<FromWorker> {
  return new Promise((resolve, reject) => {
    const settle = (how: () => void) => {
      worker.off("message", onMessage).off("error", onError).off("exit", onExit);
      how();
    };
    const onMessage = (message: FromWorker) => settle(() => resolve(message));
    const onError = (error: unknown) => settle(() => reject(threadCrashed(error)));
    const onExit = () => settle(() => reject(threadCrashed()));
    worker.on("message", onMessage).on("error", onError).on("exit", onExit);
  });
}

function threadCrashed(cause?: unknown): VademecumError {
  const code =
    cause instanceof Error && "code" in cause && typeof cause.code === "string"
      ? ` (${cause.code})`
      : "";
  return new VademecumError(
    "UNAVAILABLE",
    "EMBEDDER_UNAVAILABLE",
    `the thread of the embedding model has crashed${code} and is started again by the next call; repeat the call`,
    { retryAfterMs: restartMs, cause },
  );
}
