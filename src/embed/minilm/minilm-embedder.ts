import { VademecumError } from "../../core/model/errors.js";
import type { WordPieces } from "../../core/ports/embedder.js";
import { modelDamaged } from "../model-damaged.js";
import {
  type OnnxEmbedder,
  type OnnxEmbedderOptions,
  openOnnxEmbedder,
} from "../onnx/onnx-embedder.js";
import { englishShare } from "../static/word-pieces.js";

/** The location of the model, and the vectors of words of another model. */
export interface MiniLmEmbedderOptions extends OnnxEmbedderOptions {
  /** Words of similar meaning. MiniLM has vectors of texts only. */
  readonly wordPieces: WordPieces | undefined;
}

/** Reasons that mean that a file of the model is missing, or is not the file that was installed. */
const damages: ReadonlySet<string> = new Set([
  "MODEL_MISSING",
  "MODEL_UNUSABLE",
  "CALIBRATION_UNREADABLE",
]);

/**
 * Opens the model of models/minilm, which knows English. Uses no network.
 *
 * @throws DATA_LOSS (MODEL_DAMAGED) when a file of the model is missing or damaged
 * @throws FAILED_PRECONDITION (ONNX_RUNTIME_MISSING) when the runtime is not installed or does not
 *   run on this machine
 * @throws UNAVAILABLE (EMBEDDER_UNAVAILABLE) when a worker thread crashes as it starts
 */
export async function openMiniLmEmbedder(options: MiniLmEmbedderOptions): Promise<OnnxEmbedder> {
  const { folder, wordPieces } = options;
  const embedder = await openOnnxEmbedder(options).catch((error: unknown) => {
    const isDamage = error instanceof VademecumError && damages.has(error.reason);
    throw isDamage ? modelDamaged(folder, `cannot be read: ${error.message}`, error) : error;
  });
  // The model id has a hash of the model, and the calibration names its model.
  if (!embedder.isCalibrated) {
    await embedder.close();
    throw modelDamaged(folder, `is damaged: it is ${embedder.modelId}, without a calibration`);
  }
  return { ...embedder, knownShare: englishShare, ...(wordPieces && { wordPieces }) };
}
