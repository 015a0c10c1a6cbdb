import type { RowLists } from "../columns/row-lists.js";
import { TextLists } from "../columns/text-lists.js";
import type { TextTable } from "../columns/text-table.js";
import type { ImageReader } from "../image/image-reader.js";
import type { ImageWriter } from "../image/image-writer.js";
import { type NearestTerms, Spellings } from "./spellings.js";

/**
 * The rows that have a term, ascending, and the frequencies of the term in them. The list is
 * `count` entries of `PostingLists.rows` and of `PostingLists.frequencies`, from index `start` on.
 */
export interface PostingList {
  readonly start: number;
  readonly count: number;
}

/** The posting lists of all terms. A term without rows keeps its number, and has an empty list. */
export class PostingLists {
  readonly #byTerm = new TextLists();
  readonly #spellings = new Spellings(this.#byTerm.texts);

  get bytes(): number {
    return this.#byTerm.bytes + this.#spellings.bytes;
  }

  async save(image: ImageWriter): Promise<void> {
    await this.#spellings.save(image, await this.#byTerm.saveInUse("terms", image));
  }

  async load(image: ImageReader): Promise<void> {
    await this.#byTerm.load("terms", image);
    await this.#spellings.load(image);
  }

  get #terms(): TextTable {
    return this.#byTerm.texts;
  }

  get #lists(): RowLists {
    return this.#byTerm.lists;
  }

  get rows(): Int32Array {
    return this.#lists.rows;
  }

  /** How often a row has a term, at most 255. */
  get frequencies(): Uint8Array {
    return this.#lists.frequencies;
  }

  get(term: string): PostingList | undefined {
    const number = this.#terms.find(term);
    const count = number < 0 ? 0 : this.#lists.count(number);
    return count === 0 ? undefined : { start: this.#lists.start(number), count };
  }

  /** Returns the terms of the nearest spelling. See `Spellings.nearest`. */
  nearest(term: string): NearestTerms {
    return this.#spellings.nearest(term, (number) => this.#lists.count(number) > 0);
  }

  /**
   * Returns the rows that are in at least one list of every group, ascending. Requires: there is a
   * group, and no group is empty.
   */
  intersect(groups: readonly (readonly PostingList[])[]): Int32Array {
    let shortest: readonly PostingList[] = [];
    let length = Number.POSITIVE_INFINITY;
    for (const lists of groups) {
      const ofLists = lists.reduce((sum, { count }) => sum + count, 0);
      if (ofLists < length) [shortest, length] = [lists, ofLists];
    }
    const found: number[] = [];
    for (const { start, count } of shortest)
      for (let at = start; at < start + count; at++) {
        const row = this.rows[at] as number;
        if (groups.every((lists) => lists === shortest || this.#holdAny(lists, row)))
          found.push(row);
      }
    // Only the rows of several lists may be out of order, or repeated.
    return Int32Array.from(shortest.length === 1 ? found : new Set(found.sort((a, b) => a - b)));
  }

  /** Counts one more occurrence of a term in a row. Requires: no list has a greater row. */
  add(term: string, row: number): void {
    const known = this.#terms.find(term);
    const number = known < 0 ? this.#terms.add(term) : known;
    if (known < 0) this.#spellings.add(number, term);
    const count = this.#lists.count(number);
    const last = count === 0 ? -1 : this.#lists.start(number) + count - 1;
    if (last >= 0 && this.rows[last] === row) this.#lists.repeat(last);
    else this.#lists.insert(number, count, row);
  }

  /** Removes all occurrences of a term in a row; does nothing if there are none. */
  remove(term: string, row: number): void {
    const number = this.#terms.find(term);
    if (number < 0 || this.#lists.count(number) === 0) return;
    const start = this.#lists.start(number);
    const end = start + this.#lists.count(number);
    const at = this.#find(row, start, end);
    if (at < end && this.rows[at] === row) this.#lists.remove(number, at - start);
  }

  /**
   * Renumbers the rows: row `kept[i]` becomes row i. Requires: `kept` ascends and names every row
   * of the lists.
   */
  renumber(kept: Int32Array): void {
    const newRows = new Int32Array((kept.at(-1) ?? -1) + 1);
    for (const [to, from] of kept.entries()) newRows[from] = to;
    this.#lists.renumber(newRows);
  }

  #holdAny(lists: readonly PostingList[], row: number): boolean {
    for (const list of lists) if (this.#holds(list, row)) return true;
    return false;
  }

  #holds({ start, count }: PostingList, row: number): boolean {
    const at = this.#find(row, start, start + count);
    return at < start + count && this.rows[at] === row;
  }

  /**
   * Returns the first position from `start` on with a row of at least `row`; `end` if there is
   * none.
   */
  #find(row: number, start: number, end: number): number {
    let low = start;
    let high = end;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.rows[middle] ?? row) < row) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
