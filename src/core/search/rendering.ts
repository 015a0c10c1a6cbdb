import type { Memory } from "../model/memory.js";
import type { TokenCounter } from "../ports/token-counter.js";

/** How the contents of hits are written in an answer, which decides how many tokens they use. */
export interface Rendering {
  readonly counter: TokenCounter;
  render(content: string): string;
  /** Number of tokens that the whole memory uses of a budget. At least `memory.tokenCount`. */
  tokensOf(memory: Memory): number;
}

/** Contents as they are stored. */
export function plainRendering(counter: TokenCounter): Rendering {
  return { counter, render: (content) => content, tokensOf: ({ tokenCount }) => tokenCount };
}

/** Contents as items of a list, for Recall. */
export function listRendering(counter: TokenCounter): Rendering {
  return {
    counter,
    render: listItem,
    // A line break never shares a token with the next item, so the counts of items add up.
    tokensOf: ({ content }) => counter.count(`${listItem(content)}\n`),
  };
}

/** Writes contents as one list, an item for each. */
export function listText(contents: readonly string[]): string {
  return contents.map(listItem).join("\n");
}

/** Writes a content as an item of a list. Its further lines are indented. */
function listItem(content: string): string {
  return `- ${content.replaceAll(/\r\n|\r|\n/g, "\n  ")}`;
}

/**
 * Returns the beginning of a text that fits into a token budget. The cut comes after a sentence if
 * one fits, otherwise after a word, otherwise after a grapheme cluster (a character as readers see
 * it). Returns an empty string if not even one grapheme cluster fits.
 *
 * Requires: the text has more than `maxTokens` tokens.
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
    // A shorter prefix of a text can have more tokens than a longer prefix.
    if (counter.count(cut) <= maxTokens) return cut;
  }
  return "";
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
