import type { TokenCounter } from "../token-counter.js";

/**
 * The beginning of a text within a token budget: cut after a sentence if one fits, else after a word, else after a token. Empty if not even one token fits.
 * The text is longer than the budget.
 */
export function excerptOf(text: string, maxTokens: number, counter: TokenCounter): string {
  const beginning = counter.truncate(text, maxTokens);
  for (const granularity of ["sentence", "word"] as const) {
    const cut = text.slice(0, lastBoundary(text, beginning.length, granularity)).trimEnd();
    if (cut !== "" && counter.count(cut) <= maxTokens) return cut;
  }
  return beginning;
}

/** The last position, at most `end`, where a sentence or word of the text ends. */
function lastBoundary(text: string, end: number, granularity: "sentence" | "word"): number {
  // A little beyond the end, so that a boundary there is seen as one and an unfinished word is not.
  const window = text.slice(0, end + lookaheadLength);
  let boundary = 0;
  for (const { index } of new Intl.Segmenter("und", { granularity }).segment(window)) {
    if (index > end) break;
    boundary = index;
  }
  return boundary;
}

/** UTF-16 units that decide whether a boundary is one. */
const lookaheadLength = 64;
