import { Spellings } from "./spellings.js";

/**
 * The rows that have a term, ascending, and the frequencies of the term in them. The list is
 * `count` entries of `PostingLists.rows` and of `PostingLists.frequencies`, from index `start` on.
 */
export interface PostingList {
  readonly start: number;
  readonly count: number;
}

interface MutableList extends PostingList {
  start: number;
  count: number;
  /** Binary logarithm of the number of entries reserved for the list, its range. */
  power: number;
}

/**
 * Bytes of a posting list in addition to its entries: its map entry, object and term take 150
 * (measured on Node 20), its term in `spellings` takes 12. The 12 bytes count even before
 * `spellings` exists, because a query may create it at any time.
 */
const bytesPerList = 162;

/**
 * With more terms than this, `spellings` is created without a query. Creating it from so many terms
 * takes a few milliseconds.
 */
const unlistedTermsMax = 8_192;

/**
 * The posting lists of all terms, end to end in two parallel arrays. A list that outgrows its range
 * moves to a range of twice the length. The next list that needs the old length reuses the old
 * range.
 */
export class PostingLists {
  rows = new Int32Array(256);
  frequencies = new Float32Array(256);
  #used = 0;
  readonly #lists = new Map<string, MutableList>();
  #spellings: Spellings | undefined;
  /** Starts of unused ranges, by the binary logarithm of their length. */
  readonly #unused: number[][] = [];

  get bytes(): number {
    return this.rows.byteLength + this.frequencies.byteLength + this.#lists.size * bytesPerList;
  }

  /**
   * The terms, for look-ups by similar spelling. In a namespace with few terms, the first access
   * creates them, because most namespaces never get a query with a misspelled word. Creating them
   * from many terms would delay other queries for too long. So in a larger namespace, they are
   * created early and updated with each new term.
   */
  get spellings(): Spellings {
    this.#spellings ??= new Spellings(this.#lists.keys());
    return this.#spellings;
  }

  get(term: string): PostingList | undefined {
    return this.#lists.get(term);
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

  #holdAny(lists: readonly PostingList[], row: number): boolean {
    for (const list of lists) if (this.#holds(list, row)) return true;
    return false;
  }

  #holds({ start, count }: PostingList, row: number): boolean {
    const at = this.#find(row, start, start + count);
    return at < start + count && this.rows[at] === row;
  }

  /** Counts one more occurrence of a term in a row. Requires: no list has a greater row. */
  add(term: string, row: number): void {
    let list = this.#lists.get(term);
    if (list === undefined) {
      list = { start: this.#take(0), count: 0, power: 0 };
      this.#lists.set(term, list);
      if (this.#spellings !== undefined) this.#spellings.add(term);
      else if (this.#lists.size > unlistedTermsMax)
        this.#spellings = new Spellings(this.#lists.keys());
    }
    const last = list.start + list.count - 1;
    if (list.count > 0 && this.rows[last] === row) {
      this.frequencies[last] = (this.frequencies[last] ?? 0) + 1;
      return;
    }
    if (list.count === 2 ** list.power) this.#grow(list);
    this.rows[list.start + list.count] = row;
    this.frequencies[list.start + list.count] = 1;
    list.count += 1;
  }

  /** Removes all occurrences of a term in a row; does nothing if there are none. */
  remove(term: string, row: number): void {
    const list = this.#lists.get(term);
    if (list === undefined) return;
    const end = list.start + list.count;
    const at = this.#find(row, list.start, end);
    if (at === end || this.rows[at] !== row) return;
    this.rows.copyWithin(at, at + 1, end);
    this.frequencies.copyWithin(at, at + 1, end);
    list.count -= 1;
    if (list.count > 0) return;
    this.#release(list);
    this.#lists.delete(term);
    this.#spellings?.remove(term);
  }

  /**
   * Renumbers the rows: row `kept[i]` becomes row i. Requires: `kept` ascends and names every row
   * of the lists.
   */
  renumber(kept: Int32Array): void {
    const newRows = new Int32Array((kept.at(-1) ?? -1) + 1);
    for (const [to, from] of kept.entries()) newRows[from] = to;
    for (const { start, count } of this.#lists.values()) {
      for (let i = start; i < start + count; i++) this.rows[i] = newRows[this.rows[i] ?? 0] ?? 0;
    }
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

  #grow(list: MutableList): void {
    const start = this.#take(list.power + 1);
    this.rows.copyWithin(start, list.start, list.start + list.count);
    this.frequencies.copyWithin(start, list.start, list.start + list.count);
    this.#release(list);
    list.start = start;
    list.power += 1;
  }

  #take(power: number): number {
    const unused = this.#unused[power]?.pop();
    if (unused !== undefined) return unused;
    const start = this.#used;
    this.#used += 2 ** power;
    if (this.#used > this.rows.length) this.#enlarge();
    return start;
  }

  #release({ start, power }: MutableList): void {
    this.#unused[power] ??= [];
    this.#unused[power].push(start);
  }

  #enlarge(): void {
    const length = Math.ceil(Math.max(this.#used, this.rows.length * 1.5));
    const rows = new Int32Array(length);
    rows.set(this.rows);
    this.rows = rows;
    const frequencies = new Float32Array(length);
    frequencies.set(this.frequencies);
    this.frequencies = frequencies;
  }
}
