import type { ScorePassages } from "../../ports/search-index.js";
import type { TokenCounter } from "../../ports/token-counter.js";
import { createPause } from "../../requests/pause.js";
import { segmentsOf, type TextSegment } from "../../text/segments.js";

/** Written between two sentences that do not follow each other in the text. */
const gap = " … ";

/** Number of words and spaces that are scored together when a sentence is cut. */
const phraseSegments = 16;

/**
 * Approximate maximum number of sentences of a text, so that the work stays bounded. A sentence
 * shorter than 1/512 of its text counts as one with the sentence after it.
 */
const sentencesMax = 512;

/** A sentence of a text. */
interface Sentence extends TextSegment {
  /** Position among the sentences, from 0. */
  readonly at: number;
  readonly score: number;
}

/**
 * Creates a function that makes excerpts of a text, for any number of tokens. `score` tells how
 * well a passage matches the query. Scores the sentences of the text only once. Lets other calls
 * run every few milliseconds.
 *
 * An excerpt has the sentences that match best, and then their neighbours, in the order of the
 * text. There are three exceptions:
 *
 * - If not even the best sentence fits, the excerpt is a part of it around a matching word.
 * - If no sentence matches, the excerpt is the beginning of the text.
 * - If not even one token fits, the excerpt is empty.
 *
 * Requires: the text has more tokens than the excerpt may have.
 */
export async function createExcerpter(
  text: string,
  counter: TokenCounter,
  score: ScorePassages,
): Promise<(maxTokens: number) => Promise<string>> {
  const all = await segmentsOf(text, "sentence", createPause());
  const segments = joinShort(all, text.length / sentencesMax);
  const scores = await score(segments.map(({ start, end }) => text.slice(start, end)));
  const sentences = segments.map((segment, at) => ({ ...segment, at, score: scores[at] ?? 0 }));
  const [best, ...others] = byMatch(sentences);
  return async (maxTokens) => {
    if (best === undefined || best.score === 0) return cutToFit(text, maxTokens, counter);
    const sentence = text.slice(best.start, best.end).trim();
    return (await counter.countInTurns(sentence)) > maxTokens
      ? cutAroundMatch(sentence, maxTokens, counter, score)
      : joinSentences(text, best, others, maxTokens, counter);
  };
}

/**
 * Joins each segment with the next until all but the last have at least `minLength` UTF-16 units.
 */
function joinShort(segments: readonly TextSegment[], minLength: number): TextSegment[] {
  const joined: TextSegment[] = [];
  for (const { start, end } of segments) {
    const last = joined.at(-1);
    if (last !== undefined && last.end - last.start < minLength)
      joined[joined.length - 1] = { start: last.start, end };
    else joined.push({ start, end });
  }
  return joined;
}

/**
 * Returns all sentences. The sentences that match come first, best first. The others follow, the
 * nearest to the best sentence first.
 */
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

/**
 * Joins the best sentence and others that fit, in the order of the text. Counts the tokens of each
 * sentence once. The joined text can have more tokens than this sum. Then a binary search drops the
 * sentences that were chosen last, so that the whole text is counted only a few times.
 */
async function joinSentences(
  text: string,
  best: Sentence,
  others: readonly Sentence[],
  maxTokens: number,
  counter: TokenCounter,
): Promise<string> {
  const pause = createPause();
  const chosen = [best];
  let left = maxTokens - (await counter.countInTurns(text.slice(best.start, best.end).trim()));
  for (const sentence of others) {
    if (left < 1) break;
    await pause();
    const tokens = await counter.countInTurns(text.slice(sentence.start, sentence.end).trimEnd());
    if (tokens > left) continue;
    chosen.push(sentence);
    left -= tokens;
  }
  const excerptOf = (count: number) =>
    textOf(
      text,
      chosen.slice(0, count).toSorted((a, b) => a.at - b.at),
    );
  const fits = async (count: number) => (await counter.countInTurns(excerptOf(count))) <= maxTokens;
  if (await fits(chosen.length)) return excerptOf(chosen.length);
  // The best sentence alone fits. A binary search works because adding a sentence hardly ever makes
  // the excerpt have fewer tokens.
  let [fitting, tooMany] = [1, chosen.length];
  while (fitting + 1 < tooMany) {
    const middle = (fitting + tooMany) >>> 1;
    if (await fits(middle)) fitting = middle;
    else tooMany = middle;
  }
  return excerptOf(fitting);
}

/** Writes sentences in their order, with `gap` between sentences that do not follow each other. */
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
 * Returns a part of a sentence that does not fit: the beginning that fits, if it contains the best
 * match. Otherwise, returns the words from the best match on.
 */
async function cutAroundMatch(
  sentence: string,
  maxTokens: number,
  counter: TokenCounter,
  score: ScorePassages,
): Promise<string> {
  const beginning = await cutToFit(sentence, maxTokens, counter);
  const words = await segmentsOf(sentence, "word", createPause());
  const phrases = Array.from({ length: Math.ceil(words.length / phraseSegments) }, (_, i) =>
    words.slice(i * phraseSegments, (i + 1) * phraseSegments),
  );
  const textOfWords = (part: readonly TextSegment[]) =>
    sentence.slice(part[0]?.start ?? 0, part.at(-1)?.end ?? 0);
  const phrase = phrases[bestOf(await score(phrases.map(textOfWords)))] ?? [];
  const wordScores = await score(phrase.map((word) => textOfWords([word])));
  const match = phrase.find((_, at) => (wordScores[at] ?? 0) > 0) ?? phrase[0];
  if (match === undefined || match.end <= beginning.length) return beginning;
  const rest = sentence.slice(match.start);
  return (await counter.countInTurns(rest)) <= maxTokens
    ? rest
    : cutToFit(rest, maxTokens, counter);
}

/** Returns the position of the greatest score, the first one of equal scores. */
function bestOf(scores: ArrayLike<number>): number {
  let best = 0;
  for (let at = 1; at < scores.length; at++)
    if ((scores[at] as number) > (scores[best] as number)) best = at;
  return best;
}

/**
 * Returns the beginning of a text that fits into a token budget. The cut comes after the last
 * sentence that fits. If no sentence fits, the cut comes after the last word that fits. If no word
 * fits, it comes after the last grapheme cluster (a character as readers see it), or else after the
 * last token.
 *
 * Returns an empty string if not even one token fits. Lets other calls run every few milliseconds.
 *
 * Requires: the text has more than `maxTokens` tokens.
 */
export async function cutToFit(
  text: string,
  maxTokens: number,
  counter: TokenCounter,
): Promise<string> {
  const longest = await counter.truncateInTurns(text, maxTokens);
  const { length } = longest;
  for (const granularity of ["sentence", "word"] as const) {
    const cut = text.slice(0, lastBoundary(text, length, granularity)).trimEnd();
    if (cut !== "" && (await counter.countInTurns(cut)) <= maxTokens) return cut;
  }
  for (let end = length; end > 0; end--) {
    end = lastBoundary(text, end, "grapheme");
    const cut = text.slice(0, end);
    // A shorter prefix of a text can have more tokens than a longer prefix.
    if (cut !== "" && (await counter.countInTurns(cut)) <= maxTokens) return cut;
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
