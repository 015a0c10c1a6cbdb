import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { EmbedderConfig } from "../config/server-settings.js";
import type { Embedder, WordPieces } from "../core/ports/embedder.js";
import type { Log } from "../core/ports/log.js";
import { packageFolder } from "../edge/package-folder.js";
import type { EmbeddingsEndpoint } from "../embed/openai/embeddings-request.js";

/** The configured embedder, ready for use. */
export interface EmbedderHandle {
  /** The embedder; `undefined` with `--embedder none`. */
  readonly embedder: Embedder | undefined;
  /**
   * The file for the model's calibration. `undefined` for an embedder that needs no calibration,
   * and when no folder can keep the file.
   */
  readonly calibrationFile: string | undefined;
  close(): Promise<void>;
}

/** Returns the folder for caches and calibrations of embedders, within a data folder. */
export function embeddingsFolder(dataFolder: string): string {
  return join(dataFolder, "embeddings");
}

/** The folder of the bundled models. */
const modelsFolder = join(packageFolder, "models");

/** The folder of the bundled model. */
export const bundledModel = join(modelsFolder, "static-256");

/** The folder of the model of `--embedder minilm`. */
export const miniLmModel = join(modelsFolder, "minilm");

/** The file of the texts that a calibration embeds. */
export const calibrationTexts = join(modelsFolder, "calibration", "texts.json");

/**
 * Opens the configured embedder, and logs a warning when its relevance is not calibrated.
 *
 * @param folder the folder for caches and calibrations; `undefined`: neither is stored
 * @param wordPieces the vectors of words for a model that has only vectors of texts
 * @throws VademecumError when the model or the endpoint cannot be used
 */
export async function openEmbedder(
  config: EmbedderConfig,
  folder: string | undefined,
  log: Log,
  wordPieces?: WordPieces,
): Promise<EmbedderHandle> {
  switch (config.embedder) {
    case "none":
      return { embedder: undefined, calibrationFile: undefined, close: async () => {} };
    case "local": {
      const { openStaticEmbedder } = await import("../embed/static/static-embedder.js");
      const embedder = await openStaticEmbedder({ folder: bundledModel });
      return { embedder, calibrationFile: undefined, close: async () => {} };
    }
    case "minilm": {
      const { openMiniLmEmbedder } = await import("../embed/minilm/minilm-embedder.js");
      const embedder = await openMiniLmEmbedder({ folder: miniLmModel, wordPieces, log });
      return { embedder, calibrationFile: undefined, close: () => embedder.close() };
    }
    case "onnx": {
      const { openOnnxEmbedder } = await import("../embed/onnx/onnx-embedder.js");
      return warnIfUncalibrated(
        await openOnnxEmbedder({ folder: config.onnxModel ?? "", log }),
        log,
      );
    }
    case "openai": {
      const { openOpenAiEmbedder } = await import("../embed/openai/openai-embedder.js");
      if (folder !== undefined) await mkdir(folder, { recursive: true, mode: 0o700 });
      return warnIfUncalibrated(
        await openOpenAiEmbedder({
          endpoint: endpointOf(config),
          folder,
          cacheMaxBytes: config.openaiCacheMaxBytes,
          log,
        }),
        log,
      );
    }
  }
}

function endpointOf(config: EmbedderConfig): EmbeddingsEndpoint {
  return {
    url: config.openaiUrl,
    model: config.openaiModel,
    dimensions: config.openaiDimensions,
    key: config.openaiKey,
    requestTimeoutMs: config.openaiTimeoutMs,
  };
}

/** An embedder whose calibration may be assumed instead of measured. */
interface CalibratableEmbedder extends Embedder {
  readonly calibrationFile: string | undefined;
  readonly isCalibrated: boolean;
  close(): Promise<void>;
}

function warnIfUncalibrated(embedder: CalibratableEmbedder, log: Log): EmbedderHandle {
  if (!embedder.isCalibrated) {
    log(
      "warn",
      "relevance is not calibrated for this model; run `vademecum calibrate` with the same settings",
      { model: embedder.modelId },
    );
  }
  return { embedder, calibrationFile: embedder.calibrationFile, close: () => embedder.close() };
}
