import type { TimeZone } from "../../model/time-zone.js";
import { type NamespaceIndex, type Row, rowMarks } from "../../ports/search-index.js";
import { isWithin } from "./date.js";
import type { Hints } from "./rank-input.js";

/**
 * The rows that a query names. A query names a row by the author of the memory, or by a date on
 * which its event happened. Reads only `index.traits`, no records.
 */
export class NamedRows {
  readonly #authors: readonly number[];
  /** Whether the query names any author or date. */
  readonly canNameAny: boolean;
  /**
   * For days, by their numbers since 1970: whether the day lies within a date of the query. Filled
   * on demand.
   */
  #days: Map<number, boolean> | undefined;

  constructor(
    private readonly index: NamespaceIndex,
    private readonly hints: Pick<Hints, "authors" | "dates" | "isOnlyAboutAuthors">,
    private readonly timeZone: TimeZone,
  ) {
    const numbers = hints.authors.map((author) => index.authorNumber(author));
    this.#authors = numbers.filter((number) => number !== undefined);
    this.canNameAny = this.#authors.length > 0 || hints.dates.length > 0;
  }

  /** Whether the query names a row. */
  has(row: Row): boolean {
    return this.#hasAuthor(row) || this.hasDate(row);
  }

  /**
   * Whether being named is enough for a row to match: by a date, or by its author if the query asks
   * only what the author said.
   */
  isEnoughFor(row: Row): boolean {
    return (this.hints.isOnlyAboutAuthors && this.#hasAuthor(row)) || this.hasDate(row);
  }

  #hasAuthor(row: Row): boolean {
    return (
      this.#authors.length > 0 &&
      this.#authors.includes(this.index.traits.authorNumbers[row] as number)
    );
  }

  /** Whether the event of a row happened on a date that the query names. */
  hasDate(row: Row): boolean {
    const { marks } = this.index.traits;
    if (this.hints.dates.length === 0 || ((marks[row] as number) & rowMarks.dated) === 0)
      return false;
    const day = this.timeZone.dayOf(this.index.traits.happenedMs(row));
    this.#days ??= new Map();
    let isNamed = this.#days.get(day);
    if (isNamed === undefined) {
      isNamed = isWithin(this.hints.dates, day);
      this.#days.set(day, isNamed);
    }
    return isNamed;
  }

  /**
   * Returns all named rows of some types, ascending; `undefined` if the query names no author and
   * no date.
   *
   * @param types A set of types, as `typeSetOf` makes it.
   */
  rowsOfTypes(types: number): Int32Array | undefined {
    if (!this.canNameAny) return undefined;
    const { rowLimit, traits } = this.index;
    const rows = new Int32Array(rowLimit);
    let count = 0;
    for (let row = 0 as Row; row < rowLimit; row++) {
      if (traits.isOfType(row, types) && this.has(row)) rows[count++] = row;
    }
    return rows.subarray(0, count);
  }
}
