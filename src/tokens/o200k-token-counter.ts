import type { TokenCounter } from "../core/ports/token-counter.js";
import { BytePairMerge, pieceMaxBytes } from "./byte-pair-merge.js";

/**
 * Maximum length of a run of one kind of characters (letters and marks, punctuation, white space)
 * that is taken as one piece before it is divided into tokens. Longer runs are cut into pieces of
 * this length, so that matching is fast for any text. Their count may then differ a little from
 * that of the encoding. No token is longer than 128 characters, and no token of letters longer than
 * 26.
 */
export const maxRunLength = 256;

let shared: Promise<TokenCounter> | undefined;

/**
 * Returns the counter of `o200k_base` tokens, the encoding of OpenAI's models from GPT-4o on. The
 * first call loads the vocabulary of 200,000 tokens in about 0.3 s; the process shares the counter.
 *
 * The count equals that of OpenAI's own encoder for texts whose runs stay within `maxRunLength`. An
 * exception is texts with U+FEFF or U+0085: the encoders disagree on which of them is white space.
 * `gpt-tokenizer` counts the same, except that it drops U+FEFF from the start of tokens.
 */
export function createTokenCounter(): Promise<TokenCounter> {
  shared ??= loadTokenCounter();
  return shared;
}

async function loadTokenCounter(): Promise<TokenCounter> {
  const [{ O200KBase }, { default: ranks }] = await Promise.all([
    import("gpt-tokenizer/encodingParams/o200k_base"),
    import("gpt-tokenizer/bpeRanks/o200k_base"),
  ]);
  const pattern = withBoundedRuns(O200KBase(ranks).tokenSplitRegex);
  const merge = new BytePairMerge(ranks);
  const encoder = new TextEncoder();
  const buffer = new Uint8Array(pieceMaxBytes);

  /** Yields the pieces of a text as UTF-8. Each is valid until the next is requested. */
  function* piecesOf(text: string): Generator<Uint8Array> {
    for (const [piece] of text.matchAll(pattern))
      yield buffer.subarray(0, encoder.encodeInto(piece, buffer).written);
  }

  function count(text: string): number {
    let tokens = 0;
    for (const piece of piecesOf(text)) tokens += merge.count(piece);
    return tokens;
  }

  /**
   * Returns the offsets in the UTF-8 text at which both a token and a character end, for the first
   * `maxTokens` tokens.
   */
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
      // Computed in UTF-16, because UTF-8 turns a lone surrogate into another character.
      const prefix = text.slice(0, utf8.toString("utf8", 0, end).length);
      // A prefix may be divided differently than the whole text: " I'" alone is two tokens, but one
      // token of " I'S".
      if (count(prefix) <= maxTokens) return prefix;
    }
    return "";
  }

  return { count, truncate };
}

/** Returns the pattern with at most `maxRunLength` repetitions where it allows any number. */
export function withBoundedRuns({ source, flags }: RegExp): RegExp {
  return new RegExp(
    source.replaceAll("+", `{1,${maxRunLength}}`).replaceAll("*", `{0,${maxRunLength}}`),
    flags,
  );
}

/** Whether a byte of UTF-8, or the end of the text, starts a character. */
function isCharacterStart(byte: number | undefined): boolean {
  return byte === undefined || (byte & 0b1100_0000) !== 0b1000_0000;
}
