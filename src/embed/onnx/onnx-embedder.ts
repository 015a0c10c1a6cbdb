import { VademecumError } from "../../core/model/errors.js";
import type { Embedder } from "../../core/ports/embedder.js";
import type { Log } from "../../core/ports/log.js";
import { assumedCalibration } from "../assumed-calibration.js";
import { BatchQueue } from "../batch-queue.js";
import { readCalibration } from "../calibration-file.js";
import { InferenceWorkerClient } from "./inference-worker-client.js";
import { inspectModelFolder } from "./model-folder.js";

export interface OnnxEmbedderOptions {
  /** Folder of a sentence transformer with `model.onnx` and `tokenizer.json`. */
  readonly folder: string;
  readonly log: Log;
}

/** An embedder that holds a thread. */
export interface OnnxEmbedder extends Embedder {
  /** Where the model's calibration is kept. */
  readonly calibrationFile: string;
  /** Whether `calibration` was measured with this model; else it is assumed. */
  readonly isCalibrated: boolean;
  /** Refuses texts from now on, and ends the thread. */
  close(): Promise<void>;
}

/** Texts that are handed to the thread at once: a search waits for a batch that began before it, so it must not take long. */
const maxBatchTexts = 16;

/** Texts that may wait, about ten seconds of work for a small model. */
const maxWaitingTexts = 1000;

/** As far from `dist` as the module itself. */
const workerEntry = new URL("./inference-worker.js", import.meta.url);

/**
 * Opens a sentence transformer in ONNX form and runs it in a thread of its own. No network.
 * @throws FAILED_PRECONDITION: MODEL_MISSING, MODEL_UNUSABLE, ONNX_RUNTIME_MISSING, CALIBRATION_UNREADABLE
 */
export async function openOnnxEmbedder({
  folder,
  log,
}: OnnxEmbedderOptions): Promise<OnnxEmbedder> {
  const model = await inspectModelFolder(folder);
  const { modelId, calibrationFile } = model;
  const measured = await readCalibration(calibrationFile, modelId);
  const thread = new InferenceWorkerClient(workerEntry, model, log);
  const dimension = await thread.start();
  let lastRun: Promise<unknown> = Promise.resolve();
  const queue = new BatchQueue({
    maxBatchTexts,
    maxRunningBatches: 1,
    maxWaitingTexts,
    run(texts) {
      const run = thread.encode(texts);
      lastRun = run.catch(() => undefined);
      return run;
    },
  });
  return {
    modelId,
    dimension,
    calibration: measured ?? assumedCalibration,
    isCalibrated: measured !== undefined,
    calibrationFile,
    embed: (texts, signal) => queue.embed(texts, signal),
    async close() {
      queue.close(
        new VademecumError("UNAVAILABLE", "EMBEDDER_UNAVAILABLE", "the embedder is closed"),
      );
      await lastRun;
      await thread.close();
    },
  };
}
