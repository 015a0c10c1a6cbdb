import type { WordPieces } from "../../core/ports/embedder.js";
import type { PieceRows } from "./piece-rows.js";

/** A piece of a query's words. */
export interface QueryPiece {
  readonly piece: number;
  /** Weight of the piece in the score of a row, above 0. */
  readonly weight: number;
}

/**
 * Pieces with at least this cosine match completely. An equal piece counts no more than a very
 * similar one, because the keyword score already counts equal words.
 */
const completeMatch = 0.75;

/**
 * Maximum number of pieces of a query that count. Only the pieces with the greatest weights count.
 */
const queryPiecesMax = 32;

/**
 * Scores rows by words of similar meaning.
 *
 * A match is a pair of similar pieces, one from the vocabulary of the model and one from the query.
 * The matches of each piece of the vocabulary form a linked list. So scoring a row takes one
 * look-up for each of its pieces. All namespaces with the same model share the lists, which are
 * empty between queries.
 */
export class SimilarWords {
  /**
   * By piece of the vocabulary: its first match, an index into the arrays below; 0 without a match.
   */
  readonly #heads: Int32Array;
  #capacity = 0;
  /** By match: the next match of the same piece of the vocabulary; 0 after the last match. */
  #next = new Int32Array(0);
  /** By match: the position of its piece in the query. */
  #positions = new Uint8Array(0);
  /** By match: the greatest share, 0 to 1, that it can add to a score. */
  #worths = new Float32Array(0);
  /** By position in the query: the greatest share of a match in the current row so far. */
  readonly #best = new Float32Array(queryPiecesMax);

  constructor(private readonly model: WordPieces) {
    this.#heads = new Int32Array(model.pieceCount);
  }

  /**
   * Writes the score of each of the first `count` rows to `scores`, 0 to 1. The score of a row is a
   * weighted mean over the pieces of the query. The value of a piece is its cosine with the most
   * similar piece of the row, divided by `completeMatch`, at most 1.
   */
  score(
    query: readonly QueryPiece[],
    pieceRows: PieceRows,
    rows: Int32Array,
    count: number,
    scores: Float64Array,
  ): void {
    const sought = heaviest(query);
    const similar = sought.map(({ piece }) => this.model.similarTo(piece));
    this.#link(sought, similar);
    this.#scoreRows(sought.length, pieceRows, rows, count, scores);
    const heads = this.#heads;
    for (const { pieces } of similar)
      for (let i = 0; i < pieces.length; i++) heads[pieces[i] as number] = 0;
  }

  /** Puts the matches of all pieces of the query into the lists. */
  #link(
    sought: readonly QueryPiece[],
    similar: readonly ReturnType<WordPieces["similarTo"]>[],
  ): void {
    this.#reserve(1 + similar.reduce((sum, { pieces }) => sum + pieces.length, 0));
    const total = sought.reduce((sum, { weight }) => sum + weight, 0);
    const heads = this.#heads;
    let match = 0;
    for (const [position, { pieces, cosines }] of similar.entries()) {
      const share = (sought[position] as QueryPiece).weight / total;
      for (let i = 0; i < pieces.length; i++) {
        const piece = pieces[i] as number;
        match += 1;
        this.#positions[match] = position;
        this.#worths[match] = share * Math.min(1, (cosines[i] as number) / completeMatch);
        this.#next[match] = heads[piece] as number;
        heads[piece] = match;
      }
    }
  }

  #scoreRows(
    width: number,
    { pieces, starts, counts }: PieceRows,
    rows: Int32Array,
    count: number,
    scores: Float64Array,
  ): void {
    const heads = this.#heads;
    const next = this.#next;
    const positions = this.#positions;
    const worths = this.#worths;
    const best = this.#best;
    for (let at = 0; at < count; at++) {
      const row = rows[at] as number;
      // Rows after the last turn are not in the arrays.
      const start = starts[row] ?? 0;
      const end = start + (counts[row] ?? 0);
      let score = 0;
      for (let i = start; i < end; i++) {
        let match = heads[pieces[i] as number] as number;
        while (match !== 0) {
          const position = positions[match] as number;
          const gain = (worths[match] as number) - (best[position] as number);
          if (gain > 0) {
            best[position] = worths[match] as number;
            score += gain;
          }
          match = next[match] as number;
        }
      }
      scores[at] = score;
      if (score > 0) best.fill(0, 0, width);
    }
  }

  #reserve(matches: number): void {
    if (matches <= this.#capacity) return;
    const capacity = Math.ceil(matches * 1.25);
    this.#next = new Int32Array(capacity);
    this.#positions = new Uint8Array(capacity);
    this.#worths = new Float32Array(capacity);
    // Set last: if an allocation fails, the next query tries again.
    this.#capacity = capacity;
  }
}

function heaviest(query: readonly QueryPiece[]): readonly QueryPiece[] {
  if (query.length <= queryPiecesMax) return query;
  return query.toSorted((a, b) => b.weight - a.weight).slice(0, queryPiecesMax);
}
