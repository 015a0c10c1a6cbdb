import type { Memory } from "../model/memory.js";
import type { TokenCounter } from "../ports/token-counter.js";

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

/** Renders contents as items of a list, for Recall. */
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
