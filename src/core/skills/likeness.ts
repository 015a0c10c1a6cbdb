import { isStopWord, words } from "../text/words.js";
import { keywordCalibration } from "../vectors/calibration.js";
import type { QueryVector } from "../vectors/vectors.js";

/**
 * Factors for the likeness of short queries, by their number of content words. A word or two do not
 * describe a situation, even if a skill has them.
 */
const shortQueryFactors = [0.6, 0.6, 0.75];

/** Computes how well skills fit one query. */
export type Likeness = (keyword: number, cosine: number) => number;

/**
 * Returns a function from the keyword score and the cosine of a skill to its likeness, 0 to 1.
 *
 * Both scores are first put on scales of 0 (two random texts) to 1 (two texts that say the same).
 * They support each other: either can be low, because a situation is seldom described twice in the
 * same words. With n content words in the query, the likeness is
 *
 *     1 - (1 - vector)² (1 - keyword × (1 - 1 / n))
 *
 * A query of one or two words has a factor below 1. Without vectors, the likeness is the keyword
 * score times that factor.
 *
 * @param isVectorGiven Whether the vector comes from the caller. It may say more than the text, so
 *   a short query has no factor.
 */
export function likenessTo(
  query: string,
  { vector, calibration, vectorShare }: QueryVector,
  { isVectorGiven }: { readonly isVectorGiven: boolean },
): Likeness {
  const contentWords = new Set(words(query).filter((word) => !isStopWord(word))).size;
  const factor = isVectorGiven ? 1 : (shortQueryFactors[contentWords] ?? 1);
  const share = vector === undefined ? 0 : vectorShare;
  const keywordTrust = 1 - share / Math.max(1, contentWords);
  const { randomCosine, paraphraseCosine } = cosinesOf(calibration);
  return (keyword, cosine) => {
    const { randomScore, paraphraseScore } = keywordCalibration;
    const byKeywords = keywordTrust * scaled(keyword, randomScore, paraphraseScore);
    const byVectors = scaled(cosine, randomCosine, paraphraseCosine);
    return factor * (1 - (1 - byVectors) ** (2 * share) * (1 - byKeywords));
  };
}

/** Returns the mean cosines that a calibration was measured with. */
function cosinesOf({ vectorWeight, randomScore, paraphraseScore }: QueryVector["calibration"]): {
  readonly randomCosine: number;
  readonly paraphraseCosine: number;
} {
  if (vectorWeight === 0) return { randomCosine: 0, paraphraseCosine: 1 };
  const cosineOf = (score: number, keywordScore: number) =>
    (score - (1 - vectorWeight) * keywordScore) / vectorWeight;
  return {
    randomCosine: cosineOf(randomScore, keywordCalibration.randomScore),
    paraphraseCosine: cosineOf(paraphraseScore, keywordCalibration.paraphraseScore),
  };
}

/** Returns the position of a value between two others, 0 to 1. */
function scaled(value: number, low: number, high: number): number {
  return Math.min(1, Math.max(0, (value - low) / (high - low) || 0));
}
