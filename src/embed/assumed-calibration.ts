import type { Calibration } from "../core/ports/embedder.js";

/**
 * The assumed calibration of a model that has not been measured (docs/reference/relevance.md).
 * The figures are those of all-MiniLM-L6-v2, a common sentence transformer, on the texts of
 * models/calibration.
 *
 * If the cosines of a model are distributed differently, relevance is too high or too low, and
 * another weight may order the hits better.
 */
export const assumedCalibration: Calibration = {
  vectorWeight: 0.4,
  randomScore: 0.042,
  paraphraseScore: 0.562,
};
