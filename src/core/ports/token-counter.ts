/** Counts tokens as chat models do. */
export interface TokenCounter {
  /**
   * Returns the exact number of tokens. Texts that look like special tokens count as plain text.
   * Takes time linear in the length of any text.
   */
  count(text: string): number;
  /** Returns the same number as `count`, but lets other calls run every few milliseconds. */
  countInTurns(text: string): Promise<number>;
  /**
   * Returns the longest prefix of the text with at most `maxTokens` tokens. The prefix ends on a
   * boundary of both tokens and characters. Lets other calls run every few milliseconds.
   */
  truncateInTurns(text: string, maxTokens: number): Promise<string>;
}
