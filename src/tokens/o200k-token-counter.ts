import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { CountedText, TokenCounter } from "../core/ports/token-counter.js";
import { createPause } from "../core/requests/pause.js";
import { AsciiPieceCounts, contraction } from "./ascii-pieces.js";
import { BytePairMerge } from "./byte-pair-merge.js";
import { Vocabulary } from "./vocabulary.js";

/** Pieces up to this number of UTF-16 units share one buffer. */
const bufferedLength = 1024;

/** Texts up to this number of UTF-16 units are counted without a pause, in about a millisecond. */
const countedAtOnceLength = 4096;

/** Maximum number of UTF-8 bytes for a UTF-16 unit. */
const unitMaxBytes = 3;

/**
 * Matches the pieces of a text. Each piece is divided into tokens by itself. The pattern is that of
 * OpenAI's encoder for `o200k_base`, with Unicode's white space in place of JavaScript's.
 */
const pieces = new RegExp(
  [
    String.raw`[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+${contraction}`,
    String.raw`[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*${contraction}`,
    String.raw`\p{N}{1,3}`,
    String.raw` ?[^\p{White_Space}\p{L}\p{N}]+[\r\n/]*`,
    String.raw`\p{White_Space}*[\r\n]+`,
    String.raw`\p{White_Space}+(?!\P{White_Space})`,
    String.raw`\p{White_Space}+`,
  ].join("|"),
  "gu",
);

const onlyAscii = /^\p{ASCII}*$/u;

let shared: Promise<TokenCounter> | undefined;

/**
 * Returns the counter of `o200k_base` tokens, the encoding of OpenAI's models from GPT-4o on. The
 * first call reads the vocabulary of 200,000 tokens, which the build has prepared. All callers in
 * the process share the counter.
 *
 * Every text counts as in OpenAI's own encoder. `gpt-tokenizer` counts the same, except for texts
 * with U+FEFF or U+0085, because JavaScript and Unicode disagree on whether they are white space.
 */
export function createTokenCounter(): Promise<TokenCounter> {
  shared ??= loadTokenCounter();
  return shared;
}

async function loadTokenCounter(): Promise<TokenCounter> {
  // Resolved through `imports` of package.json: only the build makes this file, in `dist`.
  const file = createRequire(import.meta.url).resolve("#dist/o200k_base.bin");
  const merge = new BytePairMerge(new Vocabulary(await readFile(file)));
  const encoder = new TextEncoder();
  const buffer = new Uint8Array(bufferedLength * unitMaxBytes);

  /**
   * Yields the pieces of a text as UTF-8. Each piece is valid until the next piece is requested.
   */
  function* piecesOf(text: string): Generator<Uint8Array> {
    for (const [piece] of text.matchAll(pieces))
      yield piece.length <= bufferedLength
        ? buffer.subarray(0, encoder.encodeInto(piece, buffer).written)
        : encoder.encode(piece);
  }

  const asciiCounts = new AsciiPieceCounts((piece) =>
    merge.count(
      piece.length <= bufferedLength
        ? buffer.subarray(0, encoder.encodeInto(piece, buffer).written)
        : encoder.encode(piece),
    ),
  );

  function count(text: string): number {
    if (onlyAscii.test(text)) return asciiCounts.count(text);
    let tokens = 0;
    for (const piece of piecesOf(text)) tokens += merge.count(piece);
    return tokens;
  }

  function countFramed(before: string, counted: CountedText, after: string): number {
    const whole = before + counted.text + after;
    const tokens = onlyAscii.test(whole)
      ? asciiCounts.countFramed(before, counted, after)
      : undefined;
    return tokens ?? count(whole);
  }

  async function countInTurns(text: string): Promise<number> {
    if (text.length <= countedAtOnceLength) return count(text);
    const pause = createPause();
    let tokens = 0;
    for (const piece of piecesOf(text)) {
      tokens += await merge.countWithPauses(piece, pause);
      await pause();
    }
    return tokens;
  }

  async function truncateInTurns(text: string, maxTokens: number): Promise<string> {
    const utf8 = Buffer.from(text);
    const ends = await tokenEnds(merge, piecesOf(text), utf8, maxTokens);
    for (const end of ends.reverse()) {
      // Computed in UTF-16, because UTF-8 turns a lone surrogate into another character.
      const prefix = text.slice(0, utf8.toString("utf8", 0, end).length);
      // A prefix may be divided differently than the whole text: " I'" is two tokens on its own,
      // but one token within " I'S".
      if ((await countInTurns(prefix)) <= maxTokens) return prefix;
    }
    return "";
  }

  return { count, countFramed, countInTurns, truncateInTurns };
}

/**
 * Returns the offsets in the UTF-8 text at which both a token and a character end, for the first
 * `maxTokens` tokens.
 */
async function tokenEnds(
  merge: BytePairMerge,
  pieces: Iterable<Uint8Array>,
  utf8: Uint8Array,
  maxTokens: number,
): Promise<number[]> {
  const pause = createPause();
  const ends: number[] = [];
  let tokens = 0;
  let start = 0;
  for (const piece of pieces) {
    for (const pieceEnd of await merge.endsWithPauses(piece, pause)) {
      if (++tokens > maxTokens) return ends;
      if (isCharacterStart(utf8[start + pieceEnd])) ends.push(start + pieceEnd);
    }
    start += piece.length;
    await pause();
  }
  return ends;
}

/** Whether a byte of UTF-8, or the end of the text, starts a character. */
function isCharacterStart(byte: number | undefined): boolean {
  return byte === undefined || (byte & 0b1100_0000) !== 0b1000_0000;
}
