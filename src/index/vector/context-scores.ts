import { empty, gathered, withRoom } from "../columns/column.js";
import type { ImageReader } from "../image/image-reader.js";
import type { ImageWriter } from "../image/image-writer.js";
import { absent, type ThreadLinks } from "../thread/thread-order.js";

/** Returns the cosine of two rows: 0 if either has no vector, else 1 for a row with itself. */
type RowCosine = (rowA: number, rowB: number) => number;

/**
 * Scores rows of threads. A row is scored as if its vector were a weighted sum, scaled to unit
 * length, of its own vector and the vectors of the rows before it.
 *
 * The dot product of a sum with a query is the sum of the dot products. So the sums themselves need
 * not be stored, only their lengths.
 */
export class ContextScores {
  readonly #threads: ThreadLinks;
  readonly #weights: readonly number[];
  /**
   * 1 / length of the sum, by row; 1 for a row that borrows nothing. May have no entries for the
   * rows after the last row that borrows.
   */
  #scales = empty.float32;

  /**
   * `weights`: weights of the vectors that a row borrows in its thread (`ContextWeights.vectors`).
   */
  constructor(threads: ThreadLinks, weights: readonly number[]) {
    this.#threads = threads;
    this.#weights = weights;
  }

  get bytes(): number {
    return this.#scales.byteLength;
  }

  /** Updates rows that have a new position in their threads, or that borrow a changed vector. */
  relink(rows: readonly number[], cosine: RowCosine): void {
    for (const row of rows) {
      const borrows = (this.#threads.previous[row] ?? absent) !== absent;
      if (borrows) this.#scales = withRoom(this.#scales, row + 1, 1);
      if (row < this.#scales.length) this.#scales[row] = borrows ? this.#scaleOf(row, cosine) : 1;
    }
  }

  async save(image: ImageWriter, rows: number): Promise<void> {
    await image.put("scales", this.#scales.subarray(0, rows));
  }

  async load(image: ImageReader): Promise<void> {
    this.#scales = await image.column("scales", Float32Array);
  }

  /** Gives row i the scale of row `kept[i]`. Requires: `kept` ascends. */
  compact(kept: Int32Array): void {
    if (this.#scales.length > 0) this.#scales = gathered(this.#scales, kept, 1);
  }

  /**
   * Combines the cosine of each row alone (`own`) with the cosines of the rows before it. Writes
   * the results to `scores`. Requires: `own` and `scores` are different arrays.
   *
   * A score is as exact as the cosines that it combines. `VectorRows.score` computes some cosines
   * only to about 0.005. The weight of a cosine also scales its error.
   */
  apply(own: Float32Array, rowCount: number, scores: Float32Array): void {
    const { previous, hasLinks } = this.#threads;
    scores.set(own.subarray(0, rowCount));
    if (!hasLinks) return;
    for (let row = 0; row < rowCount; row++) {
      if (previous[row] !== absent) scores[row] = this.score(own, row);
    }
  }

  /**
   * Returns the cosine of the query with the weighted sum of the vectors of the row and the rows
   * before it. `own` holds the cosines of single rows.
   */
  score(own: Float32Array, row: number): number {
    const { previous, lends } = this.#threads;
    let before = previous[row] as number;
    if (before === absent) return own[row] as number;
    let sum = own[row] as number;
    for (const weight of this.#weights) {
      sum += weight * (lends[before] as number) * (own[before] as number);
      before = previous[before] as number;
      if (before === absent) break;
    }
    return sum * (this.#scales[row] as number);
  }

  #scaleOf(row: number, cosine: RowCosine): number {
    const rows = [row];
    const weights = [1];
    let before = this.#threads.previous[row] ?? absent;
    for (const weight of this.#weights) {
      if (before === absent) break;
      rows.push(before);
      weights.push(weight * (this.#threads.lends[before] as number));
      before = this.#threads.previous[before] ?? absent;
    }
    let squares = 0;
    for (const [i, rowA] of rows.entries()) {
      for (const [j, rowB] of rows.entries())
        squares += (weights[i] ?? 0) * (weights[j] ?? 0) * cosine(rowA, rowB);
    }
    return squares > 0 ? 1 / Math.sqrt(squares) : 1;
  }
}
