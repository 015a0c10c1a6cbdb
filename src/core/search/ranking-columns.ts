/**
 * Room for what ranking computes of each candidate, used again by each search: were it made anew for a large namespace, the garbage collector would go through the whole heap every few searches.
 * What one ranking has written is gone with the next.
 */
export class RankingColumns {
  #capacity = 0;
  /** Scores from keywords and vector, by position. */
  fused = new Float64Array(0);
  /** The same with what the row that follows adds, by position. */
  smoothed = new Float64Array(0);
  /** Scores from keywords and vector, by row; all zeros between searches. */
  fusedByRow = new Float64Array(0);
  /** Positions of the matches. */
  positions = new Int32Array(0);
  /** Final scores of the matches that were asked for theirs; NaN for the others. */
  finals = new Float64Array(0);

  /** Makes room for the candidates of an index of so many rows. */
  reserve(rowLimit: number): void {
    if (rowLimit <= this.#capacity) return;
    const capacity = Math.ceil(rowLimit * 1.25);
    this.fused = new Float64Array(capacity);
    this.smoothed = new Float64Array(capacity);
    this.fusedByRow = new Float64Array(capacity);
    this.positions = new Int32Array(capacity);
    this.finals = new Float64Array(capacity);
    // Last: if memory runs out before, the next search tries again.
    this.#capacity = capacity;
  }
}
