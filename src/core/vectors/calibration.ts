import type { Calibration, Embedder, Scale } from "../ports/embedder.js";
import { languagesOfText } from "../text/languages.js";
import { cjkShare } from "../text/words.js";

/**
 * Calibration of queries that keywords alone answer. docs/reference/relevance.md has the
 * measurements.
 */
export const keywordCalibration: Calibration = {
  vectorWeight: 0,
  randomScore: 0.005,
  paraphraseScore: 0.381,
};

/**
 * The same for Chinese, Japanese and Korean. The keywords of these languages are pairs of
 * characters. An answer has fewer of the pairs of a question than of its words in other languages.
 */
const keywordCalibrationCjk: Calibration = {
  vectorWeight: 0,
  randomScore: 0.005,
  paraphraseScore: 0.195,
};

/** A query with at least this share of Chinese, Japanese and Korean characters is in CJK. */
const cjkShareMin = 0.5;

/**
 * Returns the scale of a query that keywords alone answer. Without vectors, a memory that shares no
 * word with the query does not match, unless the query names the memory's author or date. So a
 * floor would remove more right hits than wrong hits.
 */
export function keywordScaleOf(text: string): Required<Scale> {
  const isCjk = cjkShare(text) >= cjkShareMin;
  const calibration = isCjk ? keywordCalibrationCjk : keywordCalibration;
  return { calibration, defaultFloor: 0 };
}

/** Returns the scale of a model for a query whose vector has its full weight. */
export function modelScaleOf(embedder: Embedder, text: string): Required<Scale> {
  const { mayBeEnglish } = languagesOfText(text);
  const scale = mayBeEnglish ? embedder : (embedder.otherLatin ?? embedder);
  const { calibration, defaultFloor = 0 } = scale;
  return { calibration, defaultFloor };
}

/**
 * Calibration of vectors that callers give. Their model is unknown, so these are the figures of the
 * bundled model (docs/reference/relevance.md). If the cosines of their model are distributed
 * differently, the order of the hits stays right, but relevance is too high or too low.
 */
export const callerCalibration: Calibration = {
  vectorWeight: 0.4,
  randomScore: 0.051,
  paraphraseScore: 0.541,
};

/**
 * Returns the scale for vectors that keep only a share, 0 to 1, of their weight. `randomScore` and
 * `paraphraseScore` are mean scores, and a mean score is linear in the weight. So each figure is
 * interpolated between keywords alone and the model.
 */
export function partialScale(
  keywords: Required<Scale>,
  model: Required<Scale>,
  share: number,
): Required<Scale> {
  const between = (from: number, to: number) => from + share * (to - from);
  const figure = (name: keyof Calibration) =>
    between(keywords.calibration[name], model.calibration[name]);
  return {
    calibration: {
      vectorWeight: figure("vectorWeight"),
      randomScore: figure("randomScore"),
      paraphraseScore: figure("paraphraseScore"),
    },
    defaultFloor: between(keywords.defaultFloor, model.defaultFloor),
  };
}
