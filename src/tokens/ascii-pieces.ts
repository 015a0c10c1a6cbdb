import type { CountedText } from "../core/ports/token-counter.js";

/** Matches the ending of a contraction such as `I'll`, or nothing. */
export const contraction = "(?:'(?:[sS]|[dD]|[mM]|[tT]|[lL][lL]|[vV][eE]|[rR][eE]))?";

/**
 * Matches the same pieces as `pieces` of o200k-token-counter.ts in a text of ASCII characters, in a
 * fraction of the time.
 */
const asciiPieces = new RegExp(
  [
    String.raw`[^\r\nA-Za-z0-9]?[A-Z]*[a-z]+${contraction}`,
    String.raw`[^\r\nA-Za-z0-9]?[A-Z]+[a-z]*${contraction}`,
    "[0-9]{1,3}",
    String.raw` ?[^\t-\r A-Za-z0-9]+[\r\n/]*`,
    String.raw`[\t-\r ]*[\r\n]+`,
    String.raw`[\t-\r ]+(?![^\t-\r ])`,
    String.raw`[\t-\r ]+`,
  ].join("|"),
  "g",
);

/** Matches the piece that begins at `lastIndex`. */
const nextPiece = new RegExp(asciiPieces.source, "y");

/** `countFramed` looks only at this many characters at the start of a text, and at its end. */
const frameDepth = 64;

/**
 * Except for white space, the end of a piece depends on at most this many characters after it: a
 * contraction has up to three.
 */
const lookAhead = 3;

/** A piece of punctuation at the end of a text. A space before it belongs to it. */
const lastPunctuation = / ?[^\t-\r A-Za-z0-9]+$/;
const wordCharacter = /[A-Za-z0-9]/;
const lineBreak = /[\r\n]/;

/** Maximum number of pieces whose counts are remembered. A full cache is emptied. */
const rememberedPieces = 32_768;

/**
 * Pieces of this length or more are not remembered. V8 keeps a long piece as a slice of its text,
 * so the whole text would stay in RAM.
 */
const unrememberedLength = 13;

/** Counts the tokens of texts of ASCII characters. Remembers the counts of short pieces. */
export class AsciiPieceCounts {
  readonly #counts = new Map<string, number>();

  /** `countPiece` returns the number of tokens of a piece. */
  constructor(private readonly countPiece: (piece: string) => number) {}

  /** Returns the number of tokens of a text. Requires: all characters are ASCII. */
  count(text: string): number {
    let tokens = 0;
    for (const piece of text.match(asciiPieces) ?? []) tokens += this.#countOf(piece);
    return tokens;
  }

  /**
   * Returns the number of tokens of `before + text + after`, or `undefined` if it is not known
   * without counting all of it. Looks only at the pieces next to `before` and `after`: the others
   * are the same as in `text` alone. Requires: all characters are ASCII.
   */
  countFramed(before: string, { text, tokens }: CountedText, after: string): number | undefined {
    const start = this.#startOf(before, text);
    if (start === undefined) return undefined;
    if (after === "") return tokens + start.more;
    const ofLineBreak = after === "\n" ? this.#lineBreakTokens(text, start.end) : undefined;
    return ofLineBreak === undefined ? undefined : tokens + start.more + ofLineBreak;
  }

  /**
   * Compares the pieces of `text` with those of `before + text` up to the first place where both
   * have a boundary. From there on, both have the same pieces. Returns this place in `text`, and
   * how many tokens `before + text` has more than `text`. Returns `undefined` if there is no such
   * place near the start.
   */
  #startOf(
    before: string,
    text: string,
  ): { readonly end: number; readonly more: number } | undefined {
    const isWhole = text.length <= frameDepth;
    // The end of a piece of white space may depend on all white space after it.
    const head = isWhole ? text : text.slice(0, frameDepth).trimEnd();
    const endMax = isWhole ? text.length : head.length - lookAhead;
    const framed = before + head;
    let end = 0;
    let framedEnd = -before.length;
    let more = 0;
    while (end !== framedEnd) {
      if (framedEnd < end) {
        const piece = pieceAt(framed, framedEnd + before.length);
        more += this.#countOf(piece);
        framedEnd += piece.length;
      } else {
        const piece = pieceAt(head, end);
        more -= this.#countOf(piece);
        end += piece.length;
      }
      if (Math.max(end, framedEnd) > endMax) return undefined;
    }
    return { end, more };
  }

  /**
   * Returns how many tokens more a text has with a line break at its end; `undefined` if this is
   * not known. `from`: a place in the text where a piece ends.
   */
  #lineBreakTokens(text: string, from: number): number | undefined {
    if (wordCharacter.test(text.at(-1) ?? "")) return this.#countOf("\n");
    const start = Math.max(from, text.length - frameDepth);
    const tail = text.slice(start);
    // A slash after a line break belongs to the piece of the line break.
    if (lineBreak.test(tail)) return undefined;
    const last = lastPunctuation.exec(tail)?.[0];
    if (last === undefined || (last.length === tail.length && start > from)) return undefined;
    return this.#countOf(`${last}\n`) - this.#countOf(last);
  }

  #countOf(piece: string): number {
    const known = this.#counts.get(piece);
    if (known !== undefined) return known;
    const tokens = this.countPiece(piece);
    if (piece.length < unrememberedLength) {
      if (this.#counts.size >= rememberedPieces) this.#counts.clear();
      this.#counts.set(piece, tokens);
    }
    return tokens;
  }
}

function pieceAt(text: string, start: number): string {
  nextPiece.lastIndex = start;
  return nextPiece.exec(text)?.[0] ?? "";
}
