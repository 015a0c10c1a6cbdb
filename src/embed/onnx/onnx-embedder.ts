import { createRequire } from "node:module";
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

/** An embedder that runs its model in a worker thread. */
export type OnnxEmbedder = CalibratedEmbedder<string>;

/**
 * Maximum number of texts in a batch. A search waits for the batch that is running, so a batch must
 * be short.
 */
const maxBatchTexts = 16;

/** Maximum number of waiting texts: about ten seconds of work for a small model. */
const maxWaitingTexts = 1000;

/**
 * The compiled worker, found through `imports` of package.json. A worker thread needs compiled
 * JavaScript, even when the main thread runs from TypeScript sources.
 */
const workerEntry = (): string =>
  createRequire(import.meta.url).resolve("#dist/inference-worker.js");

/**
 * Opens a sentence transformer in ONNX format and runs it in a worker thread. Uses no network.
 *
 * @throws FAILED_PRECONDITION (MODEL_MISSING) when the folder lacks a file of the model
 * @throws FAILED_PRECONDITION (MODEL_UNUSABLE) when the model cannot be used
 * @throws FAILED_PRECONDITION (ONNX_RUNTIME_MISSING) when the runtime is not installed or does not
 *   run on this machine
 * @throws FAILED_PRECONDITION (CALIBRATION_UNREADABLE) when the calibration file of the folder
 *   holds no calibration
 * @throws UNAVAILABLE (EMBEDDER_UNAVAILABLE) when the worker thread crashes as it starts
 */
export async function openOnnxEmbedder({
  folder,
  log,
}: OnnxEmbedderOptions): Promise<OnnxEmbedder> {
  const model = await inspectModelFolder(folder);
  const calibrated = await readCalibratedModel(model.modelId, model.calibrationFile);
  const worker = new InferenceWorkerClient(workerEntry(), model, log);
  const dimension = await worker.start();
  let lastRun: Promise<unknown> = Promise.resolve();
  const queue = new BatchQueue({
    maxBatchTexts,
    maxRunningBatches: 1,
    maxWaitingTexts,
    run(texts) {
      const run = worker.encode(texts);
      lastRun = run.catch(() => undefined);
      return run;
    },
  });
  return {
    ...calibrated,
    dimension,
    embed: (texts, signal) => queue.embed(texts, signal),
    async close() {
      queue.close(embedderClosed());
      await lastRun;
      await worker.close();
    },
  };
}
