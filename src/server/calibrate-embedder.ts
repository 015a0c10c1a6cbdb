import type { CalibrateConfig } from "../config/config.js";
import { writeCalibration } from "../embed/calibration-file.js";
import {
  type CalibrationReport,
  measureCalibration,
} from "../index/calibration/measure-calibration.js";
import { calibrationTexts, embeddingsFolder, openEmbedder } from "./open-embedder.js";

/** What was measured, of which model, and where it is kept. */
export interface KeptCalibration extends CalibrationReport {
  readonly modelId: string;
  readonly file: string;
}

/** Measures the calibration of the embedder that a configuration asks for, and keeps it. @throws VademecumError for a model or an endpoint that cannot be used */
export async function calibrateEmbedder(
  config: CalibrateConfig,
  vectorWeight: number,
): Promise<KeptCalibration> {
  const opened = await openEmbedder(config, embeddingsFolder(config.dataFolder), () => {});
  const { embedder, calibrationFile } = opened;
  try {
    if (embedder === undefined || calibrationFile === undefined)
      throw new Error(`the figures of the embedder ${config.embedder} come with it`);
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
    await opened.close();
  }
}
