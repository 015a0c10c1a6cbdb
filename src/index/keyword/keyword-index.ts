import { longTextShare } from "../../core/text/text-length.js";
import { none, type ThreadLinks } from "../thread/thread-order.js";
import { type PostingList, PostingLists } from "./posting-lists.js";

/** How fast a term's weight saturates as it repeats. The usual value of BM25. */
const k1 = 1.2;

/** How much length counts against a whole thread: fully, as threads differ in length for no reason of relevance. */
const threadLengthWeight = 0.75;

/**
 * How much the length of a text counts against it in BM25 (its parameter `b`), by the mean number of terms of all texts: 0.3 among short texts, where length says little, 0.75 among long ones.
 */
export function lengthWeight(meanTerms: number): number {
  return 0.3 + 0.45 * longTextShare(meanTerms);
}

/** A term of a query that some row has. */
interface FoundTerm {
  readonly list: PostingList;
  /** How often the query has it. */
  readonly times: number;
  /** Its share of the best score that the query could reach. */
  readonly share: number;
}

/**
 * BM25 over rows of terms. A row of a thread is searched as if it also had the terms of the two rows before it, at lower weights; how many rows have a term is counted by their own terms.
 * Counts and mean length are those of the rows it holds now, so scores equal those of an index that was built of these alone.
 */
export class KeywordIndex {
  readonly #postings = new PostingLists();
  readonly #threads: ThreadLinks;
  readonly #contextWeights: readonly number[];
  /** Number of own terms by row; 0 for rows that are not there. */
  #ownLengths = new Float32Array(64);
  /** Number of terms with those of the rows before, weighted, by row. */
  #lengths = new Float32Array(64);
  /** Frequency of one term by row, while `score` works on it; zeros otherwise. */
  #frequencies = new Float32Array(64);
  #touched = new Int32Array(64);
  #rowCount = 0;
  #ownLength = 0;
  #totalLength = 0;

  /** `weights`: of the terms that a row of a thread borrows (`ContextWeights.terms`). */
  constructor(threads: ThreadLinks, weights: readonly number[]) {
    this.#threads = threads;
    this.#contextWeights = weights;
  }

  /** Mean number of own terms of the rows; 0 without rows. */
  get meanTerms(): number {
    return this.#rowCount === 0 ? 0 : this.#ownLength / this.#rowCount;
  }

  get bytes(): number {
    return this.#postings.bytes + this.#ownLengths.byteLength * 4;
  }

  /** REQUIRES: `row` is greater than all rows added before; if it is to have a thread, `relink` follows once it has its place there. */
  add(row: number, terms: readonly string[]): void {
    this.#reserve(row + 1);
    for (const term of terms) this.#postings.add(term, row);
    this.#ownLengths[row] = terms.length;
    this.#rowCount += 1;
    this.#ownLength += terms.length;
    this.#setLength(row, terms.length);
  }

  /** REQUIRES: `row` was added with just these terms, has left its thread, and `relink` follows for those that came behind it. */
  remove(row: number, terms: readonly string[]): void {
    for (const term of terms) this.#postings.remove(term, row);
    this.#rowCount -= 1;
    this.#ownLength -= terms.length;
    this.#ownLengths[row] = 0;
    this.#setLength(row, 0);
  }

  /** Takes note that the place of these rows in their threads has changed. */
  relink(rows: readonly number[]): void {
    for (const row of rows) {
      let length = this.#ownLengths[row] ?? 0;
      let before = row;
      for (const weight of this.#contextWeights) {
        before = this.#threads.previous[before] ?? none;
        if (before === none) break;
        length += weight * (this.#ownLengths[before] ?? 0);
      }
      this.#setLength(row, length);
    }
  }

  /** Row i becomes what row `kept[i]` was. REQUIRES: `kept` ascends and names all rows that were not removed. */
  compact(kept: Int32Array): void {
    this.#postings.renumber(kept);
    for (const lengths of [this.#ownLengths, this.#lengths]) {
      for (const [to, from] of kept.entries()) lengths[to] = lengths[from] ?? 0;
      lengths.fill(0, kept.length);
    }
  }

  /**
   * Adds to `scores[row]` the row's BM25 as a share of what the query could reach at best: BM25 / ((k1 + 1) * sum of idf of the query's terms), 0 to 1, repeated terms counting each time.
   * Writes the rows that have a score to `scoredRows` and returns how many they are. REQUIRES: `scores` holds zeros; both arrays have room for all rows.
   */
  score(queryTerms: readonly string[], scores: Float32Array, scoredRows: Int32Array): number {
    const meanTerms = this.#totalLength / this.#rowCount;
    const b = lengthWeight(this.meanTerms);
    const base = k1 * (1 - b);
    const perTerm = (k1 * b) / meanTerms;
    let scored = 0;
    // Without threads no row borrows anything, and a list holds each row once with its whole frequency.
    const isSpread = this.#threads.hasLinks;
    for (const { list, share } of this.#find(queryTerms)) {
      const end = isSpread ? this.#spread(list) : list.start + list.count;
      const { rows, frequencies } = isSpread
        ? { rows: this.#touched, frequencies: this.#frequencies }
        : this.#postings;
      for (let i = isSpread ? 0 : list.start; i < end; i++) {
        const row = rows[i] as number;
        const at = isSpread ? row : i;
        const frequency = frequencies[at] as number;
        if (isSpread) frequencies[at] = 0;
        const before = scores[row] as number;
        if (before === 0) scoredRows[scored++] = row;
        // The factor k1 + 1 of BM25 is left out, as it is in the normaliser too.
        scores[row] =
          before +
          (share * frequency) / (frequency + base + perTerm * (this.#lengths[row] as number));
      }
    }
    return scored;
  }

  /** BM25 of each thread as one text, by its number, moved and stretched so that the worst has 0 and the best 1. */
  scoreThreads(queryTerms: readonly string[]): Float64Array {
    const { thread, threadCount } = this.#threads;
    const scores = new Float64Array(threadCount);
    if (threadCount === 0) return scores;
    const lengths = this.#threadLengths();
    const inUse = lengths.filter((length) => length > 0).length;
    const meanTerms = lengths.reduce((sum, length) => sum + length, 0) / inUse;
    const frequencies = new Float64Array(threadCount);
    for (const { list, times } of this.#find(queryTerms)) {
      frequencies.fill(0);
      for (let i = list.start; i < list.start + list.count; i++) {
        const number = thread[this.#postings.rows[i] as number] as number;
        if (number !== none)
          frequencies[number] =
            (frequencies[number] as number) + (this.#postings.frequencies[i] as number);
      }
      const holding = frequencies.filter((frequency) => frequency > 0).length;
      const weight = times * inverseDocumentFrequency(holding, inUse);
      for (const [number, frequency] of frequencies.entries()) {
        if (frequency === 0) continue;
        const lengthFactor =
          1 - threadLengthWeight + (threadLengthWeight * (lengths[number] as number)) / meanTerms;
        scores[number] =
          (scores[number] as number) +
          (weight * frequency * (k1 + 1)) / (frequency + k1 * lengthFactor);
      }
    }
    return stretch(scores, lengths);
  }

  /** Sums each row's frequency of a term, its own and what it borrows, in `#frequencies`; lists the rows in `#touched` and returns how many they are. */
  #spread({ start, count }: PostingList): number {
    const { rows, frequencies } = this.#postings;
    const { next } = this.#threads;
    const sums = this.#frequencies;
    const touched = this.#touched;
    const weights = this.#contextWeights;
    let total = 0;
    for (let i = start; i < start + count; i++) {
      const frequency = frequencies[i] as number;
      let row = rows[i] as number;
      if (sums[row] === 0) touched[total++] = row;
      sums[row] = (sums[row] as number) + frequency;
      for (const weight of weights) {
        row = next[row] as number;
        if (row === none) break;
        if (sums[row] === 0) touched[total++] = row;
        sums[row] = (sums[row] as number) + weight * frequency;
      }
    }
    return total;
  }

  #find(queryTerms: readonly string[]): FoundTerm[] {
    const repeats = new Map<string, number>();
    for (const term of queryTerms) repeats.set(term, (repeats.get(term) ?? 0) + 1);
    const found: { list: PostingList; times: number; weight: number }[] = [];
    let best = 0;
    for (const [term, times] of repeats) {
      const list = this.#postings.get(term);
      const weight = times * inverseDocumentFrequency(list?.count ?? 0, this.#rowCount);
      best += weight;
      if (list !== undefined) found.push({ list, times, weight });
    }
    return found.map(({ list, times, weight }) => ({ list, times, share: weight / best }));
  }

  /** Number of own terms of the rows of each thread, by its number. */
  #threadLengths(): Float64Array {
    const { thread, threadCount } = this.#threads;
    const lengths = new Float64Array(threadCount);
    for (let row = 0; row < this.#ownLengths.length; row++) {
      const number = thread[row] ?? none;
      if (number !== none)
        lengths[number] = (lengths[number] as number) + (this.#ownLengths[row] as number);
    }
    return lengths;
  }

  #setLength(row: number, length: number): void {
    this.#totalLength += length - (this.#lengths[row] ?? 0);
    this.#lengths[row] = length;
  }

  #reserve(rows: number): void {
    if (rows <= this.#ownLengths.length) return;
    const length = Math.max(rows, this.#ownLengths.length * 2);
    this.#ownLengths = enlarged(this.#ownLengths, length);
    this.#lengths = enlarged(this.#lengths, length);
    this.#frequencies = new Float32Array(length);
    this.#touched = new Int32Array(length);
  }
}

function inverseDocumentFrequency(holding: number, all: number): number {
  return Math.log(1 + (all - holding + 0.5) / (holding + 0.5));
}

/** Scores of the numbers in use (those with a length), moved and stretched to 0 to 1; all 0 if they are equal. */
function stretch(scores: Float64Array, lengths: Float64Array): Float64Array {
  const used = scores.filter((_, number) => (lengths[number] ?? 0) > 0);
  const least = used.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const span = used.reduce((a, b) => Math.max(a, b), 0) - least;
  return scores.map((score, number) =>
    span > 0 && (lengths[number] ?? 0) > 0 ? (score - least) / span : 0,
  );
}

function enlarged(column: Float32Array, length: number): Float32Array<ArrayBuffer> {
  const larger = new Float32Array(length);
  larger.set(column);
  return larger;
}
