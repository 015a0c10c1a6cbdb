import type { Calibration } from "../core/ports/embedder.js";

/**
 * Calibration of a model that has not been measured: the figures of all-MiniLM-L6-v2, a common
 * sentence transformer, on models/calibration (docs/calibration.md). With a model of different
 * cosines, the order of the hits stays right, but relevance is too high or too low.
 */
export const assumedCalibration: Calibration = {
  vectorWeight: 0.4,
  randomScore: 0.041,
  paraphraseScore: 0.501,
};
