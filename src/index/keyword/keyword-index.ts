import { empty, gathered, withRoom } from "../columns/column.js";
import type { ImageReader } from "../image/image-reader.js";
import type { ImageWriter } from "../image/image-writer.js";
import { absent, type ThreadLinks } from "../thread/thread-order.js";
import { inverseDocumentFrequency, lengthWeight, termSaturation } from "./bm25.js";
import type { FoundTerm, WeightedList } from "./found-term.js";
import { type PostingList, PostingLists } from "./posting-lists.js";
import type { QueryTerm, WeightedTerm } from "./query-term.js";
import type { NearestTerms } from "./spellings.js";

const noWeights: readonly number[] = [];

/** The terms of a row. */
export interface RowTerms {
  readonly terms: readonly string[];
  /** Terms that do not count for the length of the row. Default: none. */
  readonly extras?: readonly string[];
  /** Number of `terms` that are pairs of characters. Default: 0. */
  readonly pairCount?: number;
}

/**
 * BM25 over rows of terms. A row of a thread is scored as if it also had the terms of the two rows
 * before it, at lower weights (`ContextWeights`). Document frequencies count only own terms.
 *
 * Counts and mean length describe the current rows, so scores equal those of an index built from
 * these rows alone.
 */
export class KeywordIndex {
  /** Number of times that a row was added or removed. */
  changes = 0;
  readonly #postings = new PostingLists();
  readonly #threads: ThreadLinks;
  readonly #contextWeights: readonly number[];
  /** Number of own terms by row; 0 for empty rows. */
  #ownLengths = empty.float32;
  /** Weighted number of terms by row, including borrowed terms. */
  #lengths = empty.float32;
  #rowCount = 0;
  #ownLength = 0;
  #pairCount = 0;
  #totalLength = 0;

  /** `weights`: weights of the terms that a row borrows in its thread (`ContextWeights.terms`). */
  constructor(threads: ThreadLinks, weights: readonly number[]) {
    this.#threads = threads;
    this.#contextWeights = weights;
  }

  /** Mean number of own terms of a row; 0 without rows. */
  get meanTerms(): number {
    return this.#rowCount === 0 ? 0 : this.#ownLength / this.#rowCount;
  }

  get bytes(): number {
    return this.#postings.bytes + this.#ownLengths.byteLength + this.#lengths.byteLength;
  }

  /** Returns how rare a term is: a number above 0, greatest for a term that no row has. */
  rarityOf(term: string): number {
    return inverseDocumentFrequency(this.countOf(term), this.#rowCount);
  }

  /** Returns the number of rows that have a term themselves. */
  countOf(term: string): number {
    return this.#postings.get(term)?.count ?? 0;
  }

  /** See `Spellings.nearest`. */
  nearestTerms(term: string): NearestTerms {
    return this.#postings.nearest(term);
  }

  /**
   * Adds a row. Requires: `row` is greater than all earlier rows. For a row of a thread, the caller
   * calls `relink` once the row has its position in the thread.
   */
  add(row: number, { terms, extras = [], pairCount = 0 }: RowTerms): void {
    this.changes += 1;
    this.#reserve(row + 1);
    for (const term of terms) this.#postings.add(term, row);
    for (const term of extras) this.#postings.add(term, row);
    this.#ownLengths[row] = terms.length;
    this.#rowCount += 1;
    this.#ownLength += terms.length;
    this.#pairCount += pairCount;
    this.#setLength(row, terms.length);
  }

  /**
   * Removes a row. Requires: `row` was added with exactly these terms, and has already left its
   * thread. Afterwards the caller calls `relink` for the rows that came after it in the thread.
   */
  remove(row: number, { terms, extras = [], pairCount = 0 }: RowTerms): void {
    this.changes += 1;
    for (const term of [...terms, ...extras]) this.#postings.remove(term, row);
    this.#rowCount -= 1;
    this.#ownLength -= terms.length;
    this.#pairCount -= pairCount;
    this.#ownLengths[row] = 0;
    this.#setLength(row, 0);
  }

  /** @param rows Greater than every row. */
  async save(image: ImageWriter, rows: number): Promise<void> {
    await this.#postings.save(image);
    await image.put("own-lengths", this.#ownLengths.subarray(0, rows));
    await image.put("lengths", this.#lengths.subarray(0, rows));
    image.set("keywords", [this.#rowCount, this.#ownLength, this.#pairCount, this.#totalLength]);
  }

  async load(image: ImageReader): Promise<void> {
    await this.#postings.load(image);
    this.#ownLengths = await image.column("own-lengths", Float32Array);
    this.#lengths = await image.column("lengths", Float32Array);
    [this.#rowCount, this.#ownLength, this.#pairCount, this.#totalLength] =
      image.value<[number, number, number, number]>("keywords");
  }

  /** Updates rows that have a new position in their threads. */
  relink(rows: readonly number[]): void {
    for (const row of rows) {
      let length = this.#ownLengths[row] ?? 0;
      let before = row;
      for (const weight of this.#contextWeights) {
        before = this.#threads.previous[before] ?? absent;
        if (before === absent) break;
        const lent = this.#threads.lends[before] as number;
        length += weight * lent * (this.#ownLengths[before] ?? 0);
      }
      this.#setLength(row, length);
    }
  }

  /**
   * Gives row i the terms of row `kept[i]`. Requires: `kept` ascends and names every row that was
   * not removed.
   */
  compact(kept: Int32Array): void {
    this.#postings.renumber(kept);
    this.#ownLengths = gathered(this.#ownLengths, kept);
    this.#lengths = gathered(this.#lengths, kept);
  }

  /**
   * Adds each row's BM25 to `scores[row]`, as a share of the highest possible score of the query, 0
   * to 1: BM25 / ((k1 + 1) * sum of idf of the query's terms). Repeated terms count each time.
   * Writes the rows with a score to `scoredRows` and returns their number.
   *
   * Requires: `scores`, `respelled` and `own` hold zeros. All arrays are at least as long as there
   * are rows.
   *
   * @param respelled Gets the part of the scores that comes from respelled terms.
   * @param own Gets the scores without borrowed terms, if any row has a neighbour in a thread.
   */
  score(
    queryTerms: readonly QueryTerm[],
    scores: Float32Array,
    scoredRows: Int32Array,
    { respelled, own }: { readonly respelled?: Float32Array; readonly own?: Float32Array } = {},
  ): number {
    reserveSums(this.#lengths.length);
    const meanTerms = this.#totalLength / this.#rowCount;
    const pairShare = this.#pairCount / Math.max(1, this.#ownLength);
    const b = lengthWeight(this.meanTerms, pairShare);
    const k1 = termSaturation(this.meanTerms, pairShare);
    const base = k1 * (1 - b);
    const perTerm = (k1 * b) / meanTerms;
    const perOwnTerm = (k1 * b) / this.meanTerms;
    const borrows = this.#threads.hasLinks;
    let scored = 0;
    for (const { term, lists, share } of this.#find(queryTerms)) {
      if (borrows && own !== undefined) this.#addOwn(own, lists, { share, base, perOwnTerm });
      const part = term.isRespelled ? respelled : undefined;
      const only = this.#onlyList(lists);
      const start = only?.start ?? 0;
      const end = only === undefined ? this.#sumFrequencies(lists) : only.start + only.count;
      const rows = only === undefined ? touched : this.#postings.rows;
      const { frequencies } = this.#postings;
      for (let i = start; i < end; i++) {
        const row = rows[i] as number;
        let frequency: number;
        if (only === undefined) {
          frequency = sums[row] as number;
          sums[row] = 0;
        } else frequency = frequencies[i] as number;
        const before = scores[row] as number;
        if (before === 0) scoredRows[scored++] = row;
        // BM25's factor k1 + 1 is omitted here and in the divisor of `share`, because it would
        // cancel out.
        const score =
          (share * frequency) / (frequency + base + perTerm * (this.#lengths[row] as number));
        scores[row] = before + score;
        if (part !== undefined) part[row] = (part[row] as number) + score;
      }
    }
    return scored;
  }

  /**
   * Returns, for each word of a query, the terms that stand for it and its share of the highest
   * possible score. A word that no row has is left out.
   */
  sharesOf(queryTerms: readonly QueryTerm[]): { terms: readonly string[]; share: number }[] {
    const repeats = new Map<string, { readonly term: QueryTerm; times: number }>();
    this.#countRepeats(queryTerms, repeats);
    const found = [...repeats.values()].flatMap(({ term, times }) => {
      const lists = this.#listsOf(term.terms);
      if (lists.length === 0) return [];
      const holding = lists.reduce((sum, { count, weight }) => sum + count * weight, 0);
      const weight = times * inverseDocumentFrequency(holding, this.#rowCount);
      const terms = [...term.terms, ...(term.related ?? [])].map((one) => one.term);
      return [{ terms, weight }];
    });
    const total = found.reduce((sum, { weight }) => sum + weight, 0);
    return found.map(({ terms, weight }) => ({ terms, share: weight / total }));
  }

  /** Returns the rows that have all of these words themselves, ascending; none without words. */
  rowsWithAll(queryTerms: readonly QueryTerm[]): Int32Array {
    const repeats = new Map<string, { readonly term: QueryTerm; times: number }>();
    this.#countRepeats(queryTerms, repeats);
    const words = [...repeats.values()].map(({ term }) => this.#listsOf(term.terms));
    return words.length === 0 || words.some((lists) => lists.length === 0)
      ? new Int32Array(0)
      : this.#postings.intersect(words);
  }

  /** Adds the score of one term of the query to each row that has the term itself. */
  #addOwn(
    scores: Float32Array,
    lists: readonly WeightedList[],
    { share, base, perOwnTerm }: Readonly<Record<"share" | "base" | "perOwnTerm", number>>,
  ): void {
    const end = this.#sumFrequencies(lists, noWeights);
    for (let i = 0; i < end; i++) {
      const row = touched[i] as number;
      const frequency = sums[row] as number;
      sums[row] = 0;
      const divisor = frequency + base + perOwnTerm * (this.#ownLengths[row] as number);
      scores[row] = (scores[row] as number) + (share * frequency) / divisor;
    }
  }

  /**
   * Returns the posting list whose entries are already the frequencies to score: the only list of a
   * term, if its weight is 1 and no row borrows terms. Otherwise returns `undefined`.
   */
  #onlyList(lists: readonly WeightedList[]): PostingList | undefined {
    const [first] = lists;
    return lists.length === 1 && first?.weight === 1 && !this.#threads.hasLinks ? first : undefined;
  }

  /**
   * Sums the weighted frequencies of a term in each row, borrowed occurrences included. Writes the
   * sums to `sums` and the rows to `touched`. Returns the number of rows.
   *
   * @param contextWeights Weights of borrowed occurrences, nearest row first.
   */
  #sumFrequencies(
    lists: readonly WeightedList[],
    contextWeights = this.#threads.hasLinks ? this.#contextWeights : noWeights,
  ): number {
    const { rows, frequencies } = this.#postings;
    const { next, lends } = this.#threads;
    let total = 0;
    for (const { start, count, weight } of lists) {
      for (let i = start; i < start + count; i++) {
        const frequency = weight * (frequencies[i] as number);
        let row = rows[i] as number;
        if (sums[row] === 0) touched[total++] = row;
        sums[row] = (sums[row] as number) + frequency;
        const lent = frequency * (lends[row] as number);
        for (const contextWeight of contextWeights) {
          row = next[row] as number;
          if (row === absent) break;
          if (sums[row] === 0) touched[total++] = row;
          sums[row] = (sums[row] as number) + contextWeight * lent;
        }
      }
    }
    return total;
  }

  #find(queryTerms: readonly QueryTerm[]): FoundTerm[] {
    const repeats = new Map<string, { readonly term: QueryTerm; times: number }>();
    this.#countRepeats(queryTerms, repeats);
    const found: { -readonly [Field in keyof FoundTerm]: FoundTerm[Field] }[] = [];
    let best = 0;
    for (const { term, times } of repeats.values()) {
      const lists = this.#listsOf(term.terms);
      let holding = 0;
      for (const { count, weight } of lists) holding += count * weight;
      const weight = times * inverseDocumentFrequency(holding, this.#rowCount);
      best += weight;
      if (lists.length === 0) continue;
      if (term.related !== undefined) lists.push(...this.#listsOf(term.related));
      found.push({ term, lists, times, share: weight });
    }
    for (const one of found) one.share /= best;
    return found;
  }

  /**
   * Counts how often each query term occurs in the query. Query terms with the same first term
   * count as equal. A query term that no row has is replaced by its fallback, if it has one.
   */
  #countRepeats(
    queryTerms: readonly QueryTerm[],
    repeats: Map<string, { readonly term: QueryTerm; times: number }>,
  ): void {
    for (const term of queryTerms) {
      if (term.fallback !== undefined && !this.#isKnown(term)) {
        this.#countRepeats(term.fallback, repeats);
        continue;
      }
      const key = term.terms[0]?.term ?? "";
      const known = repeats.get(key);
      if (known === undefined) repeats.set(key, { term, times: 1 });
      else known.times += 1;
    }
  }

  #isKnown({ terms }: QueryTerm): boolean {
    return terms.some(({ term }) => this.#postings.get(term) !== undefined);
  }

  #listsOf(terms: readonly WeightedTerm[]): WeightedList[] {
    const lists: WeightedList[] = [];
    for (const { term, weight } of terms) {
      const list = this.#postings.get(term);
      if (list !== undefined) lists.push({ start: list.start, count: list.count, weight });
    }
    return lists;
  }

  #setLength(row: number, length: number): void {
    // The column rounds to float32. So must the sum, or it would drift with every change.
    const rounded = Math.fround(length);
    this.#totalLength += rounded - (this.#lengths[row] ?? 0);
    this.#lengths[row] = rounded;
  }

  #reserve(rows: number): void {
    this.#ownLengths = withRoom(this.#ownLengths, rows);
    this.#lengths = withRoom(this.#lengths, rows);
  }
}

/**
 * By row: the frequencies of the term that `score` is working on; zeros between terms. All indexes
 * share these columns, because a score is computed in one step.
 */
let sums = new Float32Array(0);
/** The rows with a frequency. */
let touched = new Int32Array(0);

function reserveSums(rows: number): void {
  sums = withRoom(sums, rows);
  touched = withRoom(touched, rows);
}
