import { isStopWord, words } from "../text/words.js";
import { keywordCalibration } from "../vectors/calibration.js";
import type { QueryVector } from "../vectors/vectors.js";

/**
 * Factors for the likeness to a short query, by its number of content words (all words but stop
 * words). One or two words do not describe a situation, even if a skill contains them.
 */
const shortQueryFactors = [0.6, 0.6, 0.75];

/** Returns how well a skill fits one query, 0 to 1, from its keyword score and its cosine. */
export type Likeness = (keyword: number, cosine: number) => number;

/**
 * Returns a function from the keyword score and the cosine of a skill to its likeness, 0 to 1.
 *
 * Both scores are first put on scales of 0 (two random texts) to 1 (two texts that say the same).
 * One of them may be low if the other is high, because a situation is seldom described twice in the
 * same words. With n content words in the query, the likeness is
 *
 *     1 - (1 - vector)² (1 - keyword × (1 - 1 / n))
 *
 * If the vector keeps only a share s of its weight (`QueryVector.vectorShare`), the exponent is 2s
 * and 1 / n becomes s / n. Without vectors, s is 0 and the likeness is the keyword score.
 *
 * A query of at most two content words multiplies its likeness by a factor below 1.
 *
 * @param isVectorGiven Whether the vector comes from the caller. The caller's vector may say more
 *   than a short text, so the factor is 1.
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

/** Returns where a value lies between `low` and `high`: 0 at or below `low`, 1 from `high` on. */
function scaled(value: number, low: number, high: number): number {
  return Math.min(1, Math.max(0, (value - low) / (high - low) || 0));
}
