import type { TokenCounter } from "../ports/token-counter.js";
import { segmentsOf, type TextSegment } from "../text/segments.js";

/** Scores passages by how well they match a query; 0: not at all. */
export type ScorePassages = (passages: readonly string[]) => ArrayLike<number>;

/** Written between two sentences that do not follow each other in the text. */
const gap = " … ";

/** Number of segments, words and spaces, that are scored together in a sentence that is cut. */
const phraseSegments = 16;

/** A sentence of a text. */
interface Sentence extends TextSegment {
  /** Position among the sentences, from 0. */
  readonly at: number;
  readonly score: number;
}

/**
 * Creates a function that makes excerpts of a text for a query, for any number of tokens. The
 * passages are scored once.
 *
 * An excerpt has the sentences that match best, and then their neighbours, in the order of the
 * text. If not even the best sentence fits, the excerpt is a part of it around a matching word. If
 * no sentence matches, it is the beginning of the text. Returns an empty string if not even one
 * token fits.
 *
 * Requires: the text has more tokens than the excerpt may have.
 */
export function createExcerpter(
  text: string,
  counter: TokenCounter,
  score: ScorePassages,
): (maxTokens: number) => string {
  const segments = segmentsOf(text, "sentence");
  const scores = score(segments.map(({ start, end }) => text.slice(start, end)));
  const sentences = segments.map((segment, at) => ({ ...segment, at, score: scores[at] ?? 0 }));
  const [best, ...others] = byMatch(sentences);
  return (maxTokens) => {
    if (best === undefined || best.score === 0) return cutToFit(text, maxTokens, counter);
    const sentence = text.slice(best.start, best.end).trim();
    return counter.count(sentence) > maxTokens
      ? cutAroundMatch(sentence, maxTokens, counter, score)
      : joinSentences(text, best, others, maxTokens, counter);
  };
}

/** Returns the sentences that match, best first, and then the others, those near the best first. */
function byMatch(sentences: readonly Sentence[]): readonly Sentence[] {
  const best = sentences.reduce<Sentence | undefined>(
    (first, one) => (first !== undefined && first.score >= one.score ? first : one),
    undefined,
  );
  const distance = ({ at }: Sentence) => Math.abs(at - (best?.at ?? 0));
  return sentences.toSorted(
    (a, b) => b.score - a.score || distance(a) - distance(b) || a.at - b.at,
  );
}

/** Joins the best sentence and as many of the others as fit, in their order. */
function joinSentences(
  text: string,
  best: Sentence,
  others: readonly Sentence[],
  maxTokens: number,
  counter: TokenCounter,
): string {
  let chosen = [best];
  let excerpt = textOf(text, chosen);
  let left = maxTokens - counter.count(excerpt);
  for (const sentence of others) {
    if (left < 2) break;
    if (counter.count(text.slice(sentence.start, sentence.end).trim()) > left) continue;
    const longer = [...chosen, sentence].toSorted((a, b) => a.at - b.at);
    const longerExcerpt = textOf(text, longer);
    const tokens = counter.count(longerExcerpt);
    if (tokens > maxTokens) continue;
    [chosen, excerpt, left] = [longer, longerExcerpt, maxTokens - tokens];
  }
  return excerpt;
}

/** Writes sentences in their order, with a sign where others are left out between them. */
function textOf(text: string, sentences: readonly Sentence[]): string {
  let written = "";
  for (const [i, { at, start, end }] of sentences.entries()) {
    const before = sentences[i - 1];
    const sentence = text.slice(start, end);
    written =
      before === undefined || before.at + 1 === at
        ? written + sentence
        : written.trimEnd() + gap + sentence.trimStart();
  }
  return written.trim();
}

/**
 * Returns a part of a sentence that does not fit: its beginning, if that has the phrase that
 * matches best, and else the words from the first match in that phrase on.
 */
function cutAroundMatch(
  sentence: string,
  maxTokens: number,
  counter: TokenCounter,
  score: ScorePassages,
): string {
  const beginning = cutToFit(sentence, maxTokens, counter);
  const words = segmentsOf(sentence, "word");
  const phrases = Array.from({ length: Math.ceil(words.length / phraseSegments) }, (_, i) =>
    words.slice(i * phraseSegments, (i + 1) * phraseSegments),
  );
  const textOfWords = (part: readonly TextSegment[]) =>
    sentence.slice(part[0]?.start ?? 0, part.at(-1)?.end ?? 0);
  const phrase = phrases[bestOf(score(phrases.map(textOfWords)))] ?? [];
  const wordScores = score(phrase.map((word) => textOfWords([word])));
  const match = phrase.find((_, at) => (wordScores[at] ?? 0) > 0) ?? phrase[0];
  if (match === undefined || match.end <= beginning.length) return beginning;
  const rest = sentence.slice(match.start);
  return counter.count(rest) <= maxTokens ? rest : cutToFit(rest, maxTokens, counter);
}

/** Returns the position of the greatest score, the first one of equal scores. */
function bestOf(scores: ArrayLike<number>): number {
  let best = 0;
  for (let at = 1; at < scores.length; at++)
    if ((scores[at] as number) > (scores[best] as number)) best = at;
  return best;
}

/**
 * Returns the beginning of a text that fits into a token budget. The cut comes after a sentence if
 * one fits, else after a word, else after a grapheme cluster (a character as readers see it), else
 * after a token. Returns an empty string if not even one token fits.
 *
 * Requires: the text has more than `maxTokens` tokens.
 */
export function cutToFit(text: string, maxTokens: number, counter: TokenCounter): string {
  const longest = counter.truncate(text, maxTokens);
  const { length } = longest;
  for (const granularity of ["sentence", "word"] as const) {
    const cut = text.slice(0, lastBoundary(text, length, granularity)).trimEnd();
    if (cut !== "" && counter.count(cut) <= maxTokens) return cut;
  }
  for (let end = length; end > 0; end--) {
    end = lastBoundary(text, end, "grapheme");
    const cut = text.slice(0, end);
    // A shorter prefix of a text can have more tokens than a longer prefix.
    if (cut !== "" && counter.count(cut) <= maxTokens) return cut;
  }
  return longest;
}

/** Returns the last boundary between two segments of a text, at most `end`. */
function lastBoundary(
  text: string,
  end: number,
  granularity: "sentence" | "word" | "grapheme",
): number {
  // Iterating over the segments would take quadratic time.
  return new Intl.Segmenter("und", { granularity }).segment(text).containing(end)?.index ?? end;
}
