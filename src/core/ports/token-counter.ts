/** Counts tokens as chat models do. */
export interface TokenCounter {
  /**
   * Returns the exact number of tokens. Texts that look like special tokens count as plain text.
   * Takes time linear in the length of any text.
   */
  count(text: string): number;
  /**
   * Returns the number of tokens of `before + text + after`. For most texts, takes a fraction of
   * the time of `count`. Requires: `text.tokens` is the number of tokens of `text.text`.
   */
  countFramed(before: string, text: CountedText, after: string): number;
  /** Returns the same number as `count`, but lets other calls run every few milliseconds. */
  countInTurns(text: string): Promise<number>;
  /**
   * Returns the longest prefix of the text with at most `maxTokens` tokens. The prefix ends on a
   * boundary of both tokens and characters. Lets other calls run every few milliseconds.
   */
  truncateInTurns(text: string, maxTokens: number): Promise<string>;
}

/** A text whose tokens have been counted. */
export interface CountedText {
  readonly text: string;
  /** The exact number of its tokens. */
  readonly tokens: number;
}
