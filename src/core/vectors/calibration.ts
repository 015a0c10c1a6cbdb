import type { Calibration } from "../ports/embedder.js";

/** For queries that are answered by keywords alone. Measured: docs/embedders.md. */
export const keywordCalibration: Calibration = {
  vectorWeight: 0,
  randomScore: 0.003,
  paraphraseScore: 0.277,
};

/**
 * For vectors that callers give. Nothing is known of their model, so it is taken to be like the bundled one, whose figures these are (docs/embedders.md).
 * With a model whose cosines lie elsewhere the order of the hits stays right, but relevance reads too high or too low.
 */
export const callerCalibration: Calibration = {
  vectorWeight: 0.4,
  randomScore: 0.05,
  paraphraseScore: 0.479,
};

/**
 * How scores translate where the vectors have only a share of their weight, 0 to 1.
 * The mean of scores is linear in that weight, so the figures lie on the line from those of keywords alone to those of the model.
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
