/**
 * Arrays that every ranking writes to. All searches share them. New arrays for each search of a
 * large namespace would make the garbage collector walk the whole heap every few searches.
 *
 * Each ranking overwrites the values of the previous ranking.
 */
export class RankingColumns {
  #capacity = 0;
  /** Fused scores by position (`ScoredCandidates.fused`). */
  fused = new Float64Array(0);
  /** Base scores by position (`ScoredCandidates.base`). */
  base = new Float64Array(0);
  /** Scores of turns by position (`TurnScores`). */
  turn = new Float64Array(0);
  answer = new Float64Array(0);
  mention = new Float64Array(0);
  /** Scores by row. All zeros whenever nobody works with them. */
  scratchByRow = new Float64Array(0);
  /** Positions of the matches, by match number. */
  positions = new Int32Array(0);
  /** Final scores by match number. NaN: not computed yet. */
  finals = new Float64Array(0);

  /** Grows the columns to hold at least `rowLimit` entries. */
  reserve(rowLimit: number): void {
    if (rowLimit <= this.#capacity) return;
    const capacity = Math.ceil(rowLimit * 1.25);
    this.fused = new Float64Array(capacity);
    this.base = new Float64Array(capacity);
    this.turn = new Float64Array(capacity);
    this.answer = new Float64Array(capacity);
    this.mention = new Float64Array(capacity);
    this.scratchByRow = new Float64Array(capacity);
    this.positions = new Int32Array(capacity);
    this.finals = new Float64Array(capacity);
    // Set last: if an allocation fails, the next search tries again.
    this.#capacity = capacity;
  }
}
