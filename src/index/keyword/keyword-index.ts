import { type PostingList, PostingLists } from "./posting-lists.js";

/** How fast a term's weight saturates as it repeats. The usual value of BM25. */
const k1 = 1.2;

/**
 * How much the length of a text counts against it in BM25 (its parameter `b`), by the mean number of terms of all texts: 0.3 up to 50 terms, rising evenly to 0.75 at 100 and more.
 * 75 terms are about 150 tokens of English. Turns of dialogue (13 terms on average) rank best with 0.3, where length says little; abstracts of papers with 0.75.
 */
export function lengthWeight(meanTerms: number): number {
  return 0.3 + 0.45 * Math.min(1, Math.max(0, (meanTerms - 50) / 50));
}

/** BM25 over rows of terms. Counts and mean length are those of the rows it holds now, so scores equal those of an index that was built of these alone. */
export class KeywordIndex {
  readonly #postings = new PostingLists();
  /** Number of terms by row. */
  #lengths = new Float32Array(64);
  #rowCount = 0;
  #totalLength = 0;

  get bytes(): number {
    return this.#postings.bytes + this.#lengths.byteLength;
  }

  /** REQUIRES: `row` is greater than all rows added before. */
  add(row: number, terms: readonly string[]): void {
    if (row >= this.#lengths.length) {
      const lengths = new Float32Array(Math.max(row + 1, this.#lengths.length * 2));
      lengths.set(this.#lengths);
      this.#lengths = lengths;
    }
    for (const term of terms) this.#postings.add(term, row);
    this.#lengths[row] = terms.length;
    this.#rowCount += 1;
    this.#totalLength += terms.length;
  }

  /** REQUIRES: `row` was added with just these terms. */
  remove(row: number, terms: readonly string[]): void {
    for (const term of terms) this.#postings.remove(term, row);
    this.#rowCount -= 1;
    this.#totalLength -= terms.length;
  }

  /** Row i becomes what row `kept[i]` was. REQUIRES: `kept` ascends and names all rows that were not removed. */
  compact(kept: Int32Array): void {
    this.#postings.renumber(kept);
    for (const [to, from] of kept.entries()) this.#lengths[to] = this.#lengths[from] ?? 0;
  }

  /**
   * Adds to `scores[row]` the row's BM25 as a share of what the query could reach at best: BM25 / ((k1 + 1) * sum of idf of the query's terms), 0 to 1, repeated terms counting each time.
   * Writes the rows that have a score to `scoredRows` and returns how many they are. REQUIRES: `scores` holds zeros; both arrays have room for all rows.
   */
  score(queryTerms: readonly string[], scores: Float32Array, scoredRows: Int32Array): number {
    const repeats = new Map<string, number>();
    for (const term of queryTerms) repeats.set(term, (repeats.get(term) ?? 0) + 1);
    const found: { readonly list: PostingList; readonly weight: number }[] = [];
    let best = 0;
    for (const [term, times] of repeats) {
      const list = this.#postings.get(term);
      const weight = times * this.#inverseDocumentFrequency(list?.count ?? 0);
      best += weight;
      if (list !== undefined) found.push({ list, weight });
    }
    const meanTerms = this.#totalLength / this.#rowCount;
    const b = lengthWeight(meanTerms);
    let scored = 0;
    for (const { list, weight } of found) {
      scored = this.#accumulate(list, weight / best, k1 * (1 - b), (k1 * b) / meanTerms, scores, scoredRows, scored);
    }
    return scored;
  }

  /** The inner loop of `score`: one posting list. The factor k1 + 1 of BM25 is left out, as it is in the normaliser too. Returns the new number of `scoredRows`. */
  #accumulate(
    list: PostingList,
    weight: number,
    base: number,
    perTerm: number,
    scores: Float32Array,
    scoredRows: Int32Array,
    scored: number,
  ): number {
    const { rows, frequencies } = this.#postings;
    const lengths = this.#lengths;
    let count = scored;
    for (let i = list.start, end = list.start + list.count; i < end; i++) {
      const row = rows[i] as number;
      const frequency = frequencies[i] as number;
      const before = scores[row] as number;
      if (before === 0) scoredRows[count++] = row;
      scores[row] = before + (weight * frequency) / (frequency + base + perTerm * (lengths[row] as number));
    }
    return count;
  }

  #inverseDocumentFrequency(rowsWithTerm: number): number {
    return Math.log(1 + (this.#rowCount - rowsWithTerm + 0.5) / (rowsWithTerm + 0.5));
  }
}
