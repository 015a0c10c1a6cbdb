import { createRequire } from "node:module";
import { availableParallelism } from "node:os";
import type { Log } from "../../core/ports/log.js";
import { BatchQueue } from "../batch-queue.js";
import {
  type CalibratedEmbedder,
  embedderClosed,
  readCalibratedModel,
} from "../calibrated-embedder.js";
import { InferenceWorkerClient } from "./inference-worker-client.js";
import { inspectModelFolder } from "./model-folder.js";

export interface OnnxEmbedderOptions {
  /** Folder of a sentence transformer with `model.onnx` and `tokenizer.json`. */
  readonly folder: string;
  readonly log: Log;
}

/** An embedder that runs its model in worker threads. */
export type OnnxEmbedder = CalibratedEmbedder<string>;

/** Maximum number of worker threads. Each holds the model in RAM. */
const maxWorkers = 4;

/**
 * Maximum number of texts in a batch. A search waits for a batch that is running, so a batch must
 * be short.
 */
const maxBatchTexts = 4;

/** Maximum number of waiting texts: seconds of work for a small model. */
const maxWaitingTexts = 1000;

/**
 * The compiled worker, found through `imports` of package.json. A worker thread needs compiled
 * JavaScript, even when the main thread runs from TypeScript sources.
 */
const workerEntry = (): string =>
  createRequire(import.meta.url).resolve("#dist/inference-worker.js");

/**
 * Opens a sentence transformer in ONNX format, and runs it in one worker thread for each core, at
 * most four. Uses no network.
 *
 * @throws FAILED_PRECONDITION (MODEL_MISSING) when the folder lacks a file of the model
 * @throws FAILED_PRECONDITION (MODEL_UNUSABLE) when the model cannot be used
 * @throws FAILED_PRECONDITION (ONNX_RUNTIME_MISSING) when the runtime is not installed or does not
 *   run on this machine
 * @throws FAILED_PRECONDITION (CALIBRATION_UNREADABLE) when the calibration file of the folder
 *   holds no calibration
 * @throws UNAVAILABLE (EMBEDDER_UNAVAILABLE) when a worker thread crashes as it starts
 */
export async function openOnnxEmbedder({
  folder,
  log,
}: OnnxEmbedderOptions): Promise<OnnxEmbedder> {
  const model = await inspectModelFolder(folder);
  const calibrated = await readCalibratedModel(model.modelId, model.calibrationFile);
  const workers = Array.from(
    { length: Math.min(maxWorkers, availableParallelism()) },
    () => new InferenceWorkerClient(workerEntry(), model, log),
  );
  const closeAll = () => Promise.all(workers.map((worker) => worker.close()));
  const starts = await Promise.allSettled(workers.map((worker) => worker.start()));
  const failed = starts.find((start) => start.status === "rejected");
  if (failed !== undefined) {
    await closeAll();
    throw failed.reason;
  }
  const [dimension = 0] = starts.flatMap((start) =>
    start.status === "fulfilled" ? [start.value] : [],
  );
  const idle = [...workers];
  const runs = new Set<Promise<unknown>>();
  const queue = new BatchQueue({
    maxBatchTexts,
    maxRunningBatches: workers.length,
    maxWaitingTexts,
    async run(texts) {
      const worker = idle.pop() as InferenceWorkerClient;
      const run = worker.encode(texts);
      runs.add(run);
      try {
        return await run;
      } finally {
        runs.delete(run);
        idle.push(worker);
      }
    },
  });
  return {
    ...calibrated,
    dimension,
    embed: (texts, signal) => queue.embed(texts, signal),
    async close() {
      queue.close(embedderClosed());
      await Promise.allSettled(runs);
      await closeAll();
    },
  };
}
