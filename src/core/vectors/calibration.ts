import type { Calibration } from "../ports/embedder.js";

/**
 * Calibration of queries that keywords alone answer. docs/reference/relevance.md has the
 * measurements.
 */
export const keywordCalibration: Calibration = {
  vectorWeight: 0,
  randomScore: 0.003,
  paraphraseScore: 0.277,
};

/**
 * The default floor of queries that keywords alone answer (`Embedder.defaultFloor`). Without
 * vectors, a memory that shares no word with the query does not match, unless the query names the
 * memory's author or date. So a higher floor would remove more right hits than wrong hits.
 */
export const keywordFloor = 0;

/**
 * Calibration of vectors that callers give. Their model is unknown, so these are the figures of the
 * bundled model (docs/reference/relevance.md). If the cosines of their model are distributed
 * differently, the order of the hits stays right, but relevance is too high or too low.
 */
export const callerCalibration: Calibration = {
  vectorWeight: 0.4,
  randomScore: 0.05,
  paraphraseScore: 0.479,
};

/**
 * Returns the calibration for vectors that keep only a share, 0 to 1, of their weight.
 * `randomScore` and `paraphraseScore` are mean scores, and a mean score is linear in the weight. So
 * each figure is interpolated between keywords alone and the model.
 */
export function partialCalibration(calibration: Calibration, share: number): Calibration {
  const between = (figure: keyof Calibration) =>
    keywordCalibration[figure] + share * (calibration[figure] - keywordCalibration[figure]);
  return {
    vectorWeight: between("vectorWeight"),
    randomScore: between("randomScore"),
    paraphraseScore: between("paraphraseScore"),
  };
}
