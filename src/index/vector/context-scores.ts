import { contextRows, none, type ThreadLinks } from "../thread/thread-order.js";

/** What the vectors of the two rows before count in a row of a thread. Measured by bench/locomo. */
const contextWeight = 0.4;

/** Cosine of two rows; a row has one of 1 with itself if it has a vector. */
type RowCosine = (rowA: number, rowB: number) => number;

/**
 * Scores rows of threads as if the vector of each were the sum of its own and 0.4 times those of the two rows before it, at unit length.
 * The sum's dot product with a query is the sum of the dot products, so only the lengths of the sums are kept, and the vectors stay what they are.
 */
export class ContextScores {
  readonly #threads: ThreadLinks;
  /** 1 / length of the sum, by row; 1 for a row that borrows nothing. */
  #scales = new Float32Array(64).fill(1);

  constructor(threads: ThreadLinks) {
    this.#threads = threads;
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

  /** Writes to `scores` what the cosines of rows and query (`own`) come to with the rows before. The two may not be the same array. */
  apply(own: Float32Array, rowCount: number, scores: Float32Array): void {
    const { previous, threadCount } = this.#threads;
    scores.set(own.subarray(0, rowCount));
    if (threadCount === 0) return;
    for (let row = 0; row < rowCount; row++) {
      let before = previous[row] as number;
      if (before === none) continue;
      let sum = own[row] as number;
      for (let step = 0; step < contextRows && before !== none; step++) {
        sum += contextWeight * (own[before] as number);
        before = previous[before] as number;
      }
      scores[row] = sum * (this.#scales[row] as number);
    }
  }

  #scaleOf(row: number, cosine: RowCosine): number {
    const rows = [row];
    const weights = [1];
    let before = this.#threads.previous[row] ?? none;
    for (let step = 0; step < contextRows && before !== none; step++) {
      rows.push(before);
      weights.push(contextWeight);
      before = this.#threads.previous[before] ?? none;
    }
    let squares = 0;
    for (const [i, rowA] of rows.entries()) {
      for (const [j, rowB] of rows.entries()) squares += (weights[i] ?? 0) * (weights[j] ?? 0) * cosine(rowA, rowB);
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
