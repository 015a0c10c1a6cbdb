/** Counts tokens as chat models do. */
export interface TokenCounter {
  /** Name of the encoding, such as `o200k_base`. */
  readonly encoding: string;
  /** Exact number of tokens of a text; texts that look like special tokens are counted as plain text. Takes time linear in the text, whatever it holds. */
  count(text: string): number;
  /** Longest beginning of the text that ends between two tokens and two characters and has at most `maxTokens` tokens. */
  truncate(text: string, maxTokens: number): string;
}
