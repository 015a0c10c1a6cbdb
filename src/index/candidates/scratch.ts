import { RowSet } from "./row-set.js";

/**
 * Working columns of a query: scores by row or by position, with room for `capacity` rows. The next
 * query of any index reuses them.
 */
export interface Scratch {
  readonly capacity: number;
  /** All zeros between queries. */
  readonly keywordByRow: Float32Array;
  /**
   * Keyword scores of the rows' own words, without the words that a row borrows in its thread. All
   * zeros between queries, except after a query in a namespace with threads.
   */
  readonly ownKeywordByRow: Float32Array;
  readonly rows: Int32Array;
  readonly keyword: Float32Array;
  readonly vector: Float32Array;
  /**
   * Cosines of the rows' own vectors, without the vectors that a row borrows in its thread. By row
   * in a namespace with threads.
   */
  readonly ownVector: Float32Array;
  /** The rows that `gatherRows` chose for a query. Empty between queries. */
  readonly chosen: RowSet;
  /** The named rows of a query. Empty between queries. */
  readonly named: RowSet;
}

/** The scratch of all indexes, because candidates are found in one step. */
let scratch = createScratch(0);

/** Returns the clean scratch, with room for `rows` rows. */
export function scratchFor(rows: number): Scratch {
  // A quarter more, so that a few more rows need no new columns.
  if (scratch.capacity < rows) scratch = createScratch(Math.ceil(rows * 1.25));
  return scratch;
}

function createScratch(capacity: number): Scratch {
  return {
    capacity,
    keywordByRow: new Float32Array(capacity),
    ownKeywordByRow: new Float32Array(capacity),
    rows: new Int32Array(capacity),
    keyword: new Float32Array(capacity),
    vector: new Float32Array(capacity),
    ownVector: new Float32Array(capacity),
    chosen: new RowSet(capacity),
    named: new RowSet(capacity),
  };
}
