/**
 * Arrays for the scores of a ranking. All searches share them. New arrays for each search of a
 * large namespace would make the garbage collector walk the whole heap every few searches.
 *
 * Each ranking overwrites the values of the previous ranking.
 */
export class RankingColumns {
  #capacity = 0;
  /** Fused scores by position (`ScoredCandidates.fused`). */
  fused = new Float64Array(0);
  /** Fused scores of own words and vectors by position (`WeighedCandidates.ownFused`). */
  ownFused = new Float64Array(0);
  /** Base scores by position (`ScoredCandidates.base`). */
  base = new Float64Array(0);
  /** Partial scores by position (`ScoredCandidates.partial`). */
  partial = new Float64Array(0);
  /**
   * Keyword scores of the questions before the candidates, by position (`ScoredCandidates.asked`).
   */
  asked = new Float64Array(0);
  /** Scores for words of similar meaning, by position (`ScoredCandidates.similarWords`). */
  similarWords = new Float64Array(0);
  /** Positions of the turns whose words `addSimilarWords` compares with the query. */
  comparedPositions = new Int32Array(0);
  /** Rows of the turns in `comparedPositions`, in the same order. */
  comparedRows = new Int32Array(0);
  /** How well the words of each turn in `comparedPositions` match, in the same order. */
  wordMatches = new Float64Array(0);
  /** By row: the position of the row plus 1; 0 if it has none. All zeros between searches. */
  positionsByRow = new Int32Array(0);
  /** Positions of the matches, by match number. */
  positions = new Int32Array(0);
  /** Final scores by match number. NaN: not computed yet. */
  finals = new Float64Array(0);
  /** By match number: 1 if the match is weak, else 0. */
  weak = new Uint8Array(0);

  /** Grows the columns to hold at least `rowLimit` entries. */
  reserve(rowLimit: number): void {
    if (rowLimit <= this.#capacity) return;
    const capacity = Math.ceil(rowLimit * 1.25);
    this.fused = new Float64Array(capacity);
    this.ownFused = new Float64Array(capacity);
    this.base = new Float64Array(capacity);
    this.partial = new Float64Array(capacity);
    this.asked = new Float64Array(capacity);
    this.similarWords = new Float64Array(capacity);
    this.comparedPositions = new Int32Array(capacity);
    this.comparedRows = new Int32Array(capacity);
    this.wordMatches = new Float64Array(capacity);
    this.positionsByRow = new Int32Array(capacity);
    this.positions = new Int32Array(capacity);
    this.finals = new Float64Array(capacity);
    this.weak = new Uint8Array(capacity);
    // Set last: if an allocation fails, the next search tries again.
    this.#capacity = capacity;
  }
}
