import { RowSet } from "./row-set.js";

/** What an index computes of a query: scores by row or by place, with room for so many rows. Used again by the next query. */
export interface Scratch {
  readonly capacity: number;
  /** All zeros between queries. */
  readonly keywordByRow: Float32Array;
  readonly rows: Int32Array;
  readonly keyword: Float32Array;
  readonly vector: Float32Array;
  /** Cosines, before those of the rows before are added. */
  readonly ownVector: Float32Array;
  readonly thread: Float32Array;
  /** Empty between queries. */
  readonly chosen: RowSet;
}

/** An empty one with room for so many rows. */
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
  };
}

/** About how much memory it takes. */
export function scratchBytes({ capacity }: Scratch): number {
  // Six columns and the rows of the set; one byte says which rows are in the set.
  return capacity * (7 * Float32Array.BYTES_PER_ELEMENT + 1);
}
