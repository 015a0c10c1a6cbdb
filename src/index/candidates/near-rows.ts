import type { NearestQuery, Row } from "../../core/ports/search-index.js";
import type { IndexRows } from "../rows/index-rows.js";
import { SignRows } from "../vector/sign-rows.js";
import { acceptedShare, reachFor } from "./reach.js";

/**
 * From this number of rows on, a search finds the rows that may be near by their sign bits, and
 * compares the vectors of these rows alone. With fewer rows, comparing all vectors is as fast.
 */
const defaultSignedFrom = 150_000;

/** Rows that the sign bits choose, at least, and for each row of the namespace. */
const chosenRows = { least: 3_000, share: 1 / 200 };

/** Finds the rows of a large namespace that are near a query. */
export class NearRows {
  /** @param signedFrom see `IndexParts.signedFrom`; default 150,000 */
  constructor(
    private readonly rows: IndexRows,
    private readonly signedFrom = defaultSignedFrom,
  ) {}

  /**
   * Makes the sign bits of the vectors, in steps. Returns `undefined` if there is nothing to do.
   * Never rejects: without sign bits, searches compare all vectors.
   *
   * @param isEnded whether to stop
   */
  tend(isEnded: () => boolean): Promise<void> | undefined {
    const { rows } = this;
    const { rowLimit, signs, vectors } = rows;
    if (vectors === undefined || rowLimit < this.signedFrom) {
      rows.signs = undefined;
      return undefined;
    }
    if (signs !== undefined && !signs.isOutdated(rowLimit)) return undefined;
    const made = new SignRows(vectors, rowLimit);
    rows.signs = made;
    const filled = made.fill(
      () => rows.rowLimit,
      () => rows.signs !== made || isEnded(),
    );
    const dropUnlessComplete = (): void => {
      if (rows.signs === made && !made.isComplete(rows.rowLimit)) rows.signs = undefined;
    };
    return filled.then(dropUnlessComplete, dropUnlessComplete);
  }

  /**
   * Returns the rows whose vectors are nearest to that of a query: more than the query wants, in
   * any order. Returns `undefined` if all vectors must be compared: there are no sign bits, or too
   * few of the near rows are accepted.
   */
  find({ vector, count }: NearestQuery, accepts: (row: Row) => boolean): Int32Array | undefined {
    const { rowLimit, signs, size, vectors } = this.rows;
    if (vectors?.dimension !== vector.length || signs?.isComplete(rowLimit) !== true)
      return undefined;
    const reach = reachFor(count, acceptedShare(this.rows, accepts), size);
    if (reach === undefined) return undefined;
    const most = Math.max(chosenRows.least, rowLimit * chosenRows.share, 2 * reach);
    const chosen = signs.nearest(vector, rowLimit, most);
    const cosines = new Float32Array(chosen.length);
    vectors.scoreSome(vector, chosen, chosen.length, cosines);
    const least = cosines.toSorted().at(-reach) ?? -1;
    const near = chosen.filter((_, place) => (cosines[place] as number) >= least);
    let accepted = 0;
    for (const row of near) {
      if (accepts(row as Row)) accepted += 1;
      if (accepted >= count) return near;
    }
    return near.length === size ? near : undefined;
  }
}
