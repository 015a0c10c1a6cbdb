import { RowSet } from "./row-set.js";

/**
 * Working columns of a query: scores by row or by position, with room for `capacity` rows. The next
 * query reuses them.
 */
export interface Scratch {
  readonly capacity: number;
  /** All zeros between queries. */
  readonly keywordByRow: Float32Array;
  readonly rows: Int32Array;
  readonly keyword: Float32Array;
  readonly vector: Float32Array;
  /** Cosines of the rows' own vectors, without the vectors that a row borrows in its thread. */
  readonly ownVector: Float32Array;
  readonly thread: Float32Array;
  /** The rows that `gatherRows` chose for a query. Empty between queries. */
  readonly chosen: RowSet;
  /** The named rows of a query. Empty between queries. */
  readonly named: RowSet;
}

/** Creates a clean scratch with room for `capacity` rows. */
export function createScratch(capacity: number): Scratch {
  return {
    capacity,
    keywordByRow: new Float32Array(capacity),
    rows: new Int32Array(capacity),
    keyword: new Float32Array(capacity),
    vector: new Float32Array(capacity),
    ownVector: new Float32Array(capacity),
    thread: new Float32Array(capacity),
    chosen: new RowSet(capacity),
    named: new RowSet(capacity),
  };
}

/** Returns the resident bytes of a scratch with room for `capacity` rows. */
export function scratchBytes(capacity: number): number {
  // Six columns and the rows of two sets. In each set, one more byte for each row says whether the
  // set has the row.
  return capacity * (8 * Float32Array.BYTES_PER_ELEMENT + 2);
}
