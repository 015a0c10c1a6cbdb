import type { CalibrateConfig } from "../config/server-settings.js";
import { writeCalibration } from "../embed/calibration-file.js";
import {
  type CalibrationReport,
  measureCalibration,
} from "../index/calibration/measure-calibration.js";
import { calibrationTexts, embeddingsFolder, openEmbedder } from "./open-embedder.js";

/** A measured calibration, its model, and the file that keeps it. */
export interface StoredCalibration extends CalibrationReport {
  readonly modelId: string;
  readonly file: string;
}

/**
 * Measures the calibration of the configured embedder and writes it to the embedder's calibration
 * file.
 *
 * @param vectorWeight the weight of the vector score in the fused score, above 0 and at most 1
 * @throws VademecumError when the model or the endpoint cannot be used, or when the file cannot be
 *   written
 */
export async function calibrateEmbedder(
  config: CalibrateConfig,
  vectorWeight: number,
): Promise<StoredCalibration> {
  const handle = await openEmbedder(config, embeddingsFolder(config.dataFolder), () => {});
  const { embedder, calibrationFile } = handle;
  try {
    if (embedder === undefined || calibrationFile === undefined)
      throw new Error(`the embedder ${config.embedder} needs no calibration`);
    const report = await measureCalibration(
      embedder,
      calibrationTexts,
      vectorWeight,
      new AbortController().signal,
    );
    await writeCalibration(calibrationFile, {
      modelId: embedder.modelId,
      calibration: report.calibration,
    });
    return { modelId: embedder.modelId, file: calibrationFile, ...report };
  } finally {
    await handle.close();
  }
}
