import type { Calibration } from "./embedder.js";

/** For queries that are answered by keywords alone: no embedder, or none that knows the namespace's vectors. Measured as docs/embedders.md says. */
export const keywordCalibration: Calibration = { vectorWeight: 0, randomScore: 0.02, paraphraseScore: 0.5 };

/**
 * For vectors that callers give. Their model is not known, so the figures are those of the bundled model (docs/embedders.md): the order of the hits does not depend on
 * them, only how high their relevance reads.
 */
export const callerCalibration: Calibration = { vectorWeight: 0.4, randomScore: 0.1, paraphraseScore: 0.6 };
