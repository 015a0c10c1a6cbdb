import type { Memory } from "../model/memory.js";
import type { TokenCounter } from "../ports/token-counter.js";
import type { SearchHit } from "./search.js";

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
  tokensOfList(hits: readonly SearchHit[]): Promise<number>;
}

/** Renders contents as items of a list. */
export function listRendering(counter: TokenCounter): ListRendering {
  return {
    counter,
    render: (content) => listItem(content),
    // A line break never shares a token with the next item, so the counts of items add up.
    tokensOf: ({ content }) => counter.count(`${listItem(content)}\n`),
    async tokensOfList(hits) {
      const last = hits.at(-1);
      if (last === undefined) return 0;
      const before = hits.slice(0, -1).reduce((sum, { tokens }) => sum + tokens, 0);
      return before + (await counter.countInTurns(listItem(last.memory.content)));
    },
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
