import type { Calibration } from "./embedder.js";

/** For queries that are answered by keywords alone. Measured: docs/embedders.md. */
export const keywordCalibration: Calibration = { vectorWeight: 0, randomScore: 0.003, paraphraseScore: 0.277 };

/**
 * For vectors that callers give. Nothing is known of their model, so it is taken to be like the bundled one, whose figures these are (docs/embedders.md).
 * With a model whose cosines lie elsewhere the order of the hits stays right, but relevance reads too high or too low.
 */
export const callerCalibration: Calibration = { vectorWeight: 0.4, randomScore: 0.05, paraphraseScore: 0.479 };
