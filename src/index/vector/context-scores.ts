import { none, type ThreadLinks } from "../thread/thread-order.js";

/** Cosine of two rows; a row has one of 1 with itself if it has a vector. */
type RowCosine = (rowA: number, rowB: number) => number;

/**
 * Scores rows of threads as if the vector of each were the weighted sum of its own and those of the rows before it, at unit length.
 * The sum's dot product with a query is the sum of the dot products, so only the lengths of the sums are kept, and the vectors stay what they are.
 */
export class ContextScores {
  readonly #threads: ThreadLinks;
  readonly #weights: readonly number[];
  /** 1 / length of the sum, by row; 1 for a row that borrows nothing. */
  #scales = new Float32Array(64).fill(1);

  /** `weights`: of the vectors that a row of a thread borrows (`ContextWeights.vectors`). */
  constructor(threads: ThreadLinks, weights: readonly number[]) {
    this.#threads = threads;
    this.#weights = weights;
  }

  get bytes(): number {
    return this.#scales.byteLength;
  }

  /** Takes note that the place of these rows in their threads, or a vector in their context, has changed. */
  relink(rows: readonly number[], cosine: RowCosine): void {
    for (const row of rows) {
      this.#reserve(row + 1);
      this.#scales[row] = this.#scaleOf(row, cosine);
    }
  }

  /** Row i becomes what row `kept[i]` was. REQUIRES: `kept` ascends. */
  compact(kept: Int32Array): void {
    for (const [to, from] of kept.entries()) this.#scales[to] = this.#scales[from] ?? 1;
  }

  /** Writes to `scores` what the cosines of rows and query (`own`) come to with the rows before. The two may not be the same array. A score is no more exact than the cosines in it: beside an exact one there may be some of the scan (`VectorRows.score`), off by about 0.005 times their weight. */
  apply(own: Float32Array, rowCount: number, scores: Float32Array): void {
    const { previous, hasLinks } = this.#threads;
    scores.set(own.subarray(0, rowCount));
    if (!hasLinks) return;
    for (let row = 0; row < rowCount; row++) {
      if (previous[row] !== none) scores[row] = this.score(own, row);
    }
  }

  /** What the cosine of a row and the query (in `own`, by row) comes to with those of the rows before. */
  score(own: Float32Array, row: number): number {
    const { previous } = this.#threads;
    let before = previous[row] as number;
    if (before === none) return own[row] as number;
    let sum = own[row] as number;
    for (const weight of this.#weights) {
      sum += weight * (own[before] as number);
      before = previous[before] as number;
      if (before === none) break;
    }
    return sum * (this.#scales[row] as number);
  }

  #scaleOf(row: number, cosine: RowCosine): number {
    const rows = [row];
    const weights = [1];
    let before = this.#threads.previous[row] ?? none;
    for (const weight of this.#weights) {
      if (before === none) break;
      rows.push(before);
      weights.push(weight);
      before = this.#threads.previous[before] ?? none;
    }
    let squares = 0;
    for (const [i, rowA] of rows.entries()) {
      for (const [j, rowB] of rows.entries())
        squares += (weights[i] ?? 0) * (weights[j] ?? 0) * cosine(rowA, rowB);
    }
    return squares > 0 ? 1 / Math.sqrt(squares) : 1;
  }

  #reserve(rows: number): void {
    if (rows <= this.#scales.length) return;
    const larger = new Float32Array(Math.max(rows, this.#scales.length * 2)).fill(1);
    larger.set(this.#scales);
    this.#scales = larger;
  }
}
