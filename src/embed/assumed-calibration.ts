import type { Calibration } from "../core/ports/embedder.js";

/**
 * For a model that was not calibrated: the figures of all-MiniLM-L6-v2, a common sentence transformer, measured on models/calibration (docs/embedders.md).
 * With a model whose cosines lie elsewhere the order of the hits stays right, but relevance reads too high or too low.
 */
export const assumedCalibration: Calibration = {
  vectorWeight: 0.4,
  randomScore: 0.041,
  paraphraseScore: 0.501,
};
