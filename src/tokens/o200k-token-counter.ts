import type { TokenCounter } from "../core/ports/token-counter.js";
import { BytePairMerge, pieceMaxBytes } from "./byte-pair-merge.js";

/**
 * Most characters of one kind (letters and marks, punctuation, white space) that are taken as one piece of text before it is divided into tokens.
 * A longer run is cut into pieces of this length, so that no text takes long to match; its count may then differ a little from the encoding's own.
 * No token is longer than 128 characters, and no token of letters longer than 26.
 */
export const maxRunLength = 256;

/**
 * Opens a counter of `o200k_base` tokens, as OpenAI's models count them from GPT-4o on. Loads the vocabulary of 200,000 tokens, about 0.3 s: make one and share it.
 *
 * Texts whose runs of one kind stay within `maxRunLength` count as in OpenAI's own encoder, but for texts with U+FEFF or U+0085: which of them is white space differs here. `gpt-tokenizer` counts the same, except that it drops U+FEFF from the beginning of tokens.
 */
export async function createTokenCounter(): Promise<TokenCounter> {
  const [{ O200KBase }, { default: ranks }] = await Promise.all([
    import("gpt-tokenizer/encodingParams/o200k_base"),
    import("gpt-tokenizer/bpeRanks/o200k_base"),
  ]);
  const pattern = withBoundedRuns(O200KBase(ranks).tokenSplitRegex);
  const merge = new BytePairMerge(ranks);
  const encoder = new TextEncoder();
  const buffer = new Uint8Array(pieceMaxBytes);

  /** The pieces of a text as UTF-8, one at a time: each is gone when the next is asked for. */
  function* piecesOf(text: string): Generator<Uint8Array> {
    for (const [piece] of text.matchAll(pattern))
      yield buffer.subarray(0, encoder.encodeInto(piece, buffer).written);
  }

  function count(text: string): number {
    let tokens = 0;
    for (const piece of piecesOf(text)) tokens += merge.count(piece);
    return tokens;
  }

  /** Offsets in the UTF-8 form of the text at which a token and a character end, for the first `maxTokens` tokens. */
  function tokenEnds(utf8: Uint8Array, text: string, maxTokens: number): number[] {
    const ends: number[] = [];
    let tokens = 0;
    let start = 0;
    for (const piece of piecesOf(text)) {
      for (const pieceEnd of merge.ends(piece)) {
        if (++tokens > maxTokens) return ends;
        if (isCharacterStart(utf8[start + pieceEnd])) ends.push(start + pieceEnd);
      }
      start += piece.length;
    }
    return ends;
  }

  function truncate(text: string, maxTokens: number): string {
    const utf8 = Buffer.from(text);
    for (const end of tokenEnds(utf8, text, maxTokens).reverse()) {
      // Measured in UTF-16, since a lone surrogate is another character in UTF-8.
      const beginning = text.slice(0, utf8.toString("utf8", 0, end).length);
      // A beginning may be divided in another way than the text it is from: " I'" is two tokens, but the first of the two tokens of " I'S".
      if (count(beginning) <= maxTokens) return beginning;
    }
    return "";
  }

  return { count, truncate };
}

/** The same pattern with at most `maxRunLength` repetitions where it has any number of them. */
export function withBoundedRuns({ source, flags }: RegExp): RegExp {
  return new RegExp(
    source.replaceAll("+", `{1,${maxRunLength}}`).replaceAll("*", `{0,${maxRunLength}}`),
    flags,
  );
}

/** Whether a byte of UTF-8, or the end of the text, begins a character: whether it does not continue one. */
function isCharacterStart(byte: number | undefined): boolean {
  return byte === undefined || (byte & 0b1100_0000) !== 0b1000_0000;
}
