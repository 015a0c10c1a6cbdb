import type { TokenCounter } from "../ports/token-counter.js";

/**
 * The beginning of a text within a token budget: cut after a sentence if one fits, else after a word, else after a character as readers see it (a grapheme cluster). Empty if not even one of these fits.
 * The text is longer than the budget.
 */
export function excerptOf(text: string, maxTokens: number, counter: TokenCounter): string {
  const { length } = counter.truncate(text, maxTokens);
  for (const granularity of ["sentence", "word"] as const) {
    const cut = text.slice(0, lastBoundary(text, length, granularity)).trimEnd();
    if (cut !== "" && counter.count(cut) <= maxTokens) return cut;
  }
  for (let end = length; end > 0; end--) {
    end = lastBoundary(text, end, "grapheme");
    const cut = text.slice(0, end);
    // A beginning may be divided into more tokens than a longer one.
    if (counter.count(cut) <= maxTokens) return cut;
  }
  return "";
}

/** The last position, at most `end`, where a sentence, word or character of the text ends. */
function lastBoundary(
  text: string,
  end: number,
  granularity: "sentence" | "word" | "grapheme",
): number {
  // Going through the segments would take time quadratic in the text.
  return new Intl.Segmenter("und", { granularity }).segment(text).containing(end)?.index ?? end;
}
