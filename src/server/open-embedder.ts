import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { EmbedderConfig } from "../config/config.js";
import type { Embedder } from "../core/ports/embedder.js";
import type { Log } from "../core/ports/log.js";
import { openOnnxEmbedder } from "../embed/onnx/onnx-embedder.js";
import type { EmbeddingsEndpoint } from "../embed/openai/embeddings-request.js";
import { openOpenAiEmbedder } from "../embed/openai/openai-embedder.js";
import { openStaticEmbedder } from "../embed/static/static-embedder.js";

/** What the configuration asks for, in use. */
export interface OpenedEmbedder {
  /** `undefined`: keywords only. */
  readonly embedder: Embedder | undefined;
  /** Where a calibration of the model is to be kept; `undefined` for one whose figures come with it. */
  readonly calibrationFile: string | undefined;
  close(): Promise<void>;
}

/** Where an embedder keeps what it has learned, within a data folder. */
export function embeddingsFolder(dataFolder: string): string {
  return join(dataFolder, "embeddings");
}

/** The folder of the bundled models: as far from `dist/server` as from `src/server`. */
export const modelsFolder = fileURLToPath(new URL("../../models", import.meta.url));

/** The texts that calibration is measured with. */
export const calibrationTexts = join(modelsFolder, "calibration", "texts.json");

/**
 * Opens the embedder that a configuration asks for, and tells the log if relevance rests on figures of another model.
 * `folder` is where it may keep what it has learned; `undefined`: nowhere.
 * @throws VademecumError for a model or an endpoint that cannot be used
 */
export async function openEmbedder(
  config: EmbedderConfig,
  folder: string | undefined,
  log: Log,
): Promise<OpenedEmbedder> {
  switch (config.embedder) {
    case "none":
      return { embedder: undefined, calibrationFile: undefined, close: async () => {} };
    case "local": {
      const embedder = await openStaticEmbedder({ folder: join(modelsFolder, "static-256") });
      return { embedder, calibrationFile: undefined, close: async () => {} };
    }
    case "onnx":
      return opened(await openOnnxEmbedder({ folder: config.onnxModel ?? "", log }), log);
    case "openai":
      if (folder !== undefined) await mkdir(folder, { recursive: true });
      return opened(
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

function endpointOf(config: EmbedderConfig): EmbeddingsEndpoint {
  return {
    url: config.openaiUrl,
    model: config.openaiModel,
    dimensions: config.openaiDimensions,
    key: config.openaiKey,
    requestTimeoutMs: config.openaiTimeoutMs,
  };
}

/** An embedder whose calibration may be assumed. */
interface CalibratableEmbedder extends Embedder {
  readonly calibrationFile: string | undefined;
  readonly isCalibrated: boolean;
  close(): Promise<void>;
}

function opened(embedder: CalibratableEmbedder, log: Log): OpenedEmbedder {
  if (!embedder.isCalibrated) {
    log(
      "warn",
      "relevance is not calibrated for this model; run `vademecum calibrate` with the same settings",
      {
        model: embedder.modelId,
      },
    );
  }
  return { embedder, calibrationFile: embedder.calibrationFile, close: () => embedder.close() };
}
