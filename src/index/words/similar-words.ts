import type { WordPieces } from "../../core/ports/embedder.js";
import type { PieceRows } from "./piece-rows.js";

/** A piece of a query's words. */
export interface QueryPiece {
  readonly piece: number;
  /** How much the piece counts, above 0. */
  readonly weight: number;
}

/**
 * Pieces with at least this cosine match completely. The same piece counts no more than a close
 * one, because the keyword score counts it already.
 */
const completeMatch = 0.7;

/** Maximum number of pieces of a query that count: those of the greatest weights. */
const queryPiecesMax = 32;

/**
 * Scores rows by words of similar meaning. The pieces that are similar to a piece of the query get
 * an entry each in a table, so that a row costs one look-up for each of its pieces. All
 * namespaces of a model share the tables.
 */
export class SimilarWords {
  /** The entry of each piece in the table, from 1 on; 0 for pieces that are not similar. */
  readonly #entries: Uint16Array;
  /** How well each entry matches each piece of the query, 0 to 1. */
  #table = new Float32Array(0);

  constructor(private readonly model: WordPieces) {
    this.#entries = new Uint16Array(model.pieceCount);
  }

  /**
   * Writes the score of each of the first `count` rows to `scores`, 0 to 1. It is the weighted mean
   * of how well each piece of the query matches: the cosine of the most similar piece of the row,
   * divided by 0.7, at most 1.
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
    const width = sought.length;
    let entryCount = 0;
    const entries = this.#entries;
    for (const { pieces } of similar) {
      for (const piece of pieces) {
        if (entries[piece] === 0) entries[piece] = ++entryCount;
      }
    }
    const table = this.#tableOf((entryCount + 1) * width);
    for (const [at, { pieces, cosines }] of similar.entries()) {
      for (let i = 0; i < pieces.length; i++) {
        table[(entries[pieces[i] as number] as number) * width + at] = Math.min(
          1,
          (cosines[i] as number) / completeMatch,
        );
      }
    }
    const total = sought.reduce((sum, { weight }) => sum + weight, 0);
    const weights = Float64Array.from(sought, ({ weight }) => weight / total);
    const best = new Float64Array(width);
    for (let position = 0; position < count; position++) {
      scores[position] = 0;
      const own = pieceRows.of(rows[position] as number);
      if (own.length === 0) continue;
      best.fill(0);
      for (let i = 0; i < own.length; i++) {
        const entry = entries[own[i] as number] as number;
        if (entry === 0) continue;
        for (let at = 0, from = entry * width; at < width; at++, from++) {
          const match = table[from] as number;
          if (match > (best[at] as number)) best[at] = match;
        }
      }
      let score = 0;
      for (let at = 0; at < width; at++) score += (weights[at] as number) * (best[at] as number);
      scores[position] = score;
    }
    for (const { pieces } of similar) for (const piece of pieces) entries[piece] = 0;
  }

  #tableOf(length: number): Float32Array {
    if (this.#table.length < length) this.#table = new Float32Array(Math.ceil(length * 1.25));
    return this.#table.fill(0, 0, length);
  }
}

function heaviest(query: readonly QueryPiece[]): readonly QueryPiece[] {
  if (query.length <= queryPiecesMax) return query;
  return query.toSorted((a, b) => b.weight - a.weight).slice(0, queryPiecesMax);
}
