import type { Memory } from "../../model/memory.js";
import type { TokenCounter } from "../../ports/token-counter.js";
import { hasLineBreak, replaceLineBreaks } from "../../text/line-breaks.js";
import type { SearchHit } from "../query/search.js";

const bullet = "- ";

/**
 * Early versions of the server counted a longer run of characters in pieces. So the stored count of
 * a content with such a run may be inexact.
 */
const exactRunLength = 256;
const longRun = new RegExp(`\\S{${exactRunLength + 1}}|\\s{${exactRunLength + 1}}`);

/** Writes the contents of hits into an answer, and counts the tokens that they use there. */
export interface Rendering {
  readonly counter: TokenCounter;
  render(content: string): string;
  /** Number of tokens that the whole memory uses of a budget. At least `memory.tokenCount`. */
  tokensOf(memory: Memory): number;
}

/** Renders contents as they are stored. */
export function plainRendering(counter: TokenCounter): Rendering {
  return { counter, render: (content) => content, tokensOf: ({ tokenCount }) => tokenCount };
}

/** Writes contents as items of a list, for Recall. */
export interface ListRendering extends Rendering {
  /** Returns the number of tokens of the hits as one list (`listText`). */
  tokensOfList(hits: readonly ListedHit[]): number;
}

/**
 * What a list needs of a hit. `tokens` are those of `tokensOf`. For an excerpt, which is the only
 * hit, they are those of its item.
 */
export type ListedHit = Pick<SearchHit, "memory" | "tokens" | "excerpt">;

/** Renders contents as items of a list. */
export function listRendering(counter: TokenCounter): ListRendering {
  return {
    counter,
    render: (content) => listItem(content),
    // A line break never shares a token with the next item, so the counts of items add up.
    tokensOf: (memory) => itemTokens(counter, memory, "\n"),
    tokensOfList(hits) {
      const last = hits.at(-1);
      if (last === undefined) return 0;
      if (last.excerpt) return last.tokens;
      const before = hits.slice(0, -1).reduce((sum, { tokens }) => sum + tokens, 0);
      return before + itemTokens(counter, last.memory, "");
    },
  };
}

/** Returns the number of tokens of a memory as an item of a list, followed by `after`. */
function itemTokens(
  counter: TokenCounter,
  { content, tokenCount }: Memory,
  after: "" | "\n",
): number {
  // `listItem` changes a content of several lines.
  const isOneLine = !hasLineBreak(content);
  const isExact = content.length <= exactRunLength || !longRun.test(content);
  if (!isOneLine || !isExact) return counter.count(listItem(content) + after);
  return counter.countFramed(bullet, { text: content, tokens: tokenCount }, after);
}

/** Writes contents as one list, an item for each. */
export function listText(contents: readonly string[]): string {
  return contents.map(listItem).join("\n");
}

/**
 * Writes a content as an item of a list. Its further lines are indented, so that no content looks
 * like another item.
 */
function listItem(content: string): string {
  return bullet + replaceLineBreaks(content, "\n  ");
}
