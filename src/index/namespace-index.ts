import { compareInstants } from "../core/model/instant.js";
import { allTypes, happenedAt, type Memory } from "../core/model/memory.js";
import type {
  Candidates,
  IndexedMemory,
  IndexQuery,
  IndexTier,
  NamespaceIndex,
  RowTraits,
} from "../core/ports/search-index.js";
import type { Head, VectorProfile } from "../core/ports/store.js";
import { wordSignature } from "../core/text/near-copy.js";
import { gatherRows } from "./gather-rows.js";
import type { Analyzer } from "./keyword/analyzer.js";
import { bringBestFirst } from "./keyword/best-first.js";
import { KeywordIndex } from "./keyword/keyword-index.js";
import { memoryBytes } from "./memory-bytes.js";
import { RowTraitColumns } from "./row-trait-columns.js";
import { createScratch, scratchBytes } from "./scratch.js";
import type { ContextWeights } from "./thread/context-weights.js";
import { none, ThreadOrder } from "./thread/thread-order.js";
import { ContextScores } from "./vector/context-scores.js";
import { VectorRows } from "./vector/vector-rows.js";
import type { VectorLabels } from "./vector-labels.js";

/** Rows are renumbered without gaps when more than this share of them is empty. */
const emptyShareMax = 0.2;

/** Up to this share of all rows, those of some types are compared one by one: that takes a few times as long a row as the scan of all. */
const fewOfTypeShare = 0.2;
const noRows = new Int32Array(0);

/** For each row that a graph brought up, so many of those with the best keyword scores are compared by vector too. */
const comparedPerNear = 16;

/** What all indexes share. */
export interface IndexParts {
  readonly analyzer: Analyzer;
  readonly context: ContextWeights;
  /** See `loadKernelModule`. */
  readonly kernel: WebAssembly.Module;
}

/** The index of one namespace in memory. Every record of a memory is a row, also those that are superseded or expired. */
export class HotNamespaceIndex implements NamespaceIndex {
  readonly #analyzer: Analyzer;
  readonly #threads = new ThreadOrder();
  readonly #keywords: KeywordIndex;
  #context: ContextScores;
  readonly #authors = new Map<string, number>();
  readonly #parts: IndexParts;
  #vectors: VectorRows | undefined;
  readonly #rowsById = new Map<string, number>();
  readonly #traits = new RowTraitColumns();
  readonly traits: RowTraits = this.#traits;
  #entries: (IndexedMemory | undefined)[] = [];
  #memoryBytes = 0;
  #scratch = createScratch(0);
  /** Labels of the vectors, for a graph of them. From when they are set on they follow all changes; rows that were there before have to be labelled. */
  labels: VectorLabels | undefined;
  /** How often rows were given other numbers. */
  renumberings = 0;
  contentSeq: number;

  /** `head`: the state that the puts and removals lead to. */
  constructor(
    parts: IndexParts,
    public head: Head,
    public profile: VectorProfile | undefined,
  ) {
    this.contentSeq = head.seq;
    this.#analyzer = parts.analyzer;
    this.#parts = parts;
    this.#keywords = new KeywordIndex(this.#threads, parts.context.terms);
    this.#context = new ContextScores(this.#threads, parts.context.vectors);
    this.#vectors = profile && new VectorRows(parts.kernel, profile.dimension);
  }

  /** About how much memory it takes, without labels. */
  get bytes(): number {
    return (
      this.#memoryBytes +
      this.#traits.bytes +
      this.#keywords.bytes +
      this.#threads.bytes +
      this.#context.bytes +
      (this.#vectors?.bytes ?? 0) +
      scratchBytes(this.#scratch)
    );
  }

  /** Adds a memory or replaces the one of the same id. A vector is kept only if the namespace has a profile. */
  put(memory: Memory, vector: Float32Array | undefined): void {
    const row = this.#rowsById.get(memory.id);
    const before = row === undefined ? undefined : this.#entries[row];
    if (row !== undefined && before !== undefined && isSameRow(before.memory, memory)) {
      this.#entries[row] = { memory, wordSignature: before.wordSignature };
      this.#traits.set(row, memory);
      this.#memoryBytes += memoryBytes(memory) - memoryBytes(before.memory);
      this.#countAuthor(before.memory, -1);
      this.#countAuthor(memory, 1);
      this.#setRowVector(row, vector);
      return;
    }
    this.remove(memory.id);
    const newRow = this.#entries.length;
    this.#keywords.add(newRow, this.#analyzer.indexTerms(memory.content));
    this.#entries.push({ memory, wordSignature: wordSignature(memory.content) });
    this.#traits.set(newRow, memory);
    this.#rowsById.set(memory.id, newRow);
    this.#memoryBytes += memoryBytes(memory);
    this.#countAuthor(memory, 1);
    this.#vectors?.set(newRow, vector);
    this.label(newRow);
    this.#relink(this.#threads.add(newRow, memory));
  }

  /** Takes all vectors away, for those of another profile: `setVector` brings them. REQUIRES: there are no labels. */
  takeProfile(profile: VectorProfile): void {
    this.profile = profile;
    this.#vectors = new VectorRows(this.#parts.kernel, profile.dimension);
    this.#context = new ContextScores(this.#threads, this.#parts.context.vectors);
    for (let row = 0; row < this.#entries.length; row++) this.#vectors.set(row, undefined);
    this.#context.relink([...this.#entries.keys()], () => 0);
  }

  /** Sets the vector of a memory; nothing happens if there is none of the id. */
  setVector(id: string, vector: Float32Array): void {
    const row = this.#rowsById.get(id);
    if (row !== undefined) this.#setRowVector(row, vector);
  }

  /** Removes a memory; nothing happens if there is none of the id. */
  remove(id: string): void {
    const row = this.#rowsById.get(id);
    const entry = row === undefined ? undefined : this.#entries[row];
    if (row === undefined || entry === undefined) return;
    const behind = this.#threads.remove(row, entry.memory);
    this.#keywords.remove(row, this.#analyzer.indexTerms(entry.memory.content));
    this.#vectors?.set(row, undefined);
    this.label(row);
    this.#relink(behind);
    this.#countAuthor(entry.memory, -1);
    this.#entries[row] = undefined;
    this.#traits.clear(row);
    this.#rowsById.delete(id);
    this.#memoryBytes -= memoryBytes(entry.memory);
    if (this.#rowsById.size < (1 - emptyShareMax) * this.#entries.length) this.#compact();
  }

  /** Number of memories. */
  get size(): number {
    return this.#rowsById.size;
  }

  get rowLimit(): number {
    return this.#entries.length;
  }

  /** Gives a row the label of its vector. */
  label(row: number): void {
    this.labels?.set(row, this.#vectors?.fingerprint(row));
  }

  /** Writes a row's vector, of unit length, to `target` from `start` on. REQUIRES: the row has one. */
  copyVector(row: number, target: Float32Array, start: number): void {
    this.#vectors?.copy(row, target, start);
  }

  /** Whether a row holds a memory. */
  holds(row: number): boolean {
    return this.#traits.isOfType(row, allTypes);
  }

  get meanTerms(): number {
    return this.#keywords.meanTerms;
  }

  get hasThreads(): boolean {
    return this.#threads.hasLinks;
  }

  get authors(): Iterable<string> {
    return this.#authors.keys();
  }

  next(row: number): number {
    return this.#threads.next[row] ?? none;
  }

  candidates({
    text,
    vector,
    nearest,
    comparesBest = false,
    types = allTypes,
  }: IndexQuery): Candidates {
    const rowCount = this.#entries.length;
    if (this.#scratch.capacity < rowCount)
      this.#scratch = createScratch(Math.ceil(rowCount * 1.25));
    if (text === "" && vector === undefined) return this.#everything();
    const { rows, keywordByRow, ownVector } = this.#scratch;
    const terms = this.#analyzer.queryTerms(text);
    const scored = this.#keywords.score(terms, keywordByRow, rows);
    const vectors = this.#vectors;
    const hasVector = vector !== undefined && vectors?.dimension === vector.length;
    if (hasVector && nearest !== undefined) {
      const best =
        comparesBest && !this.hasThreads
          ? this.#bestFirst(scored, nearest.length * comparedPerNear)
          : scored;
      const count = gatherRows(
        this.#scratch.some,
        rows.subarray(0, best),
        nearest,
        this.#threads,
        rowCount,
      );
      if (count >= 0) {
        const uncompared = this.#takeUncompared(best, scored);
        return this.#withThread(this.#withKeywordOrNear(vector, count, "graph", uncompared), terms);
      }
    } else if (hasVector && types !== allTypes) {
      const count = this.#gatherTypes(types, rowCount);
      if (count >= 0) {
        const found = this.#withKeywordOrNear(vector, count, "exact");
        keywordByRow.fill(0, 0, rowCount);
        return this.#withThread(found, terms);
      }
    }
    if (hasVector) {
      vectors.score(vector, rowCount, ownVector);
      this.#context.apply(ownVector, rowCount, this.#scratch.vector);
    } else if (this.hasThreads) {
      this.#scratch.vector.fill(0, 0, rowCount);
    } else {
      return this.#withKeyword(scored);
    }
    return this.#withThread(this.#withKeywordOrVector(rowCount), terms);
  }

  at(row: number): IndexedMemory {
    const entry = this.#entries[row];
    if (entry === undefined) throw new RangeError(`row ${row} holds no memory`);
    return entry;
  }

  rowOf(id: string): number | undefined {
    return this.#rowsById.get(id);
  }

  cosine(rowA: number, rowB: number): number {
    return this.#vectors?.cosine(rowA, rowB) ?? 0;
  }

  #everything(): Candidates {
    const { rows, keyword, vector, thread } = this.#scratch;
    let count = 0;
    for (const [row, entry] of this.#entries.entries()) {
      if (entry !== undefined) rows[count++] = row;
    }
    keyword.fill(0, 0, count);
    vector.fill(0, 0, count);
    thread.fill(0, 0, count);
    return { tier: "exact", count, rows, keyword, vector, thread };
  }

  /** The first `count` of `rows` have a keyword score. */
  #withKeyword(count: number): Candidates {
    const { rows, keyword, keywordByRow, vector, thread } = this.#scratch;
    for (let i = 0; i < count; i++) {
      const row = rows[i] as number;
      keyword[i] = keywordByRow[row] as number;
      keywordByRow[row] = 0;
    }
    vector.fill(0, 0, count);
    thread.fill(0, 0, count);
    return { tier: "exact", count, rows, keyword, vector, thread };
  }

  /** `vector` holds scores by row. Rows without a memory have no score of either kind. */
  #withKeywordOrVector(rowCount: number): Candidates {
    const { rows, keyword, keywordByRow, vector, thread } = this.#scratch;
    let count = 0;
    for (let row = 0; row < rowCount; row++) {
      const keywordScore = keywordByRow[row] as number;
      const vectorScore = vector[row] as number;
      // A row without a score of its own is raised by the one that follows.
      if (keywordScore === 0 && vectorScore <= 0 && this.next(row) === none) continue;
      rows[count] = row;
      keyword[count] = keywordScore;
      vector[count] = vectorScore;
      count += 1;
    }
    keywordByRow.fill(0, 0, rowCount);
    thread.fill(0, 0, count);
    return { tier: "exact", count, rows, keyword, vector, thread };
  }

  /** Puts the rows of some types into the set `some`, with those whose scores and vectors they borrow. Returns how many are candidates; -1 if scanning all rows costs less. */
  #gatherTypes(types: number, rowCount: number): number {
    const ofTypes = this.#traits.rowsOfType(types, rowCount, rowCount * fewOfTypeShare);
    return ofTypes === undefined
      ? -1
      : gatherRows(this.#scratch.some, noRows, ofTypes, this.#threads, rowCount);
  }

  /** Brings the best `most` by keywords of the first `scored` rows to the beginning, with all that score nearly like the last of them. Returns how many; where others are left, their scores are in `keyword`. */
  #bestFirst(scored: number, most: number): number {
    if (scored <= most) return scored;
    const { rows, keyword, keywordByRow } = this.#scratch;
    for (let place = 0; place < scored; place++)
      keyword[place] = keywordByRow[rows[place] as number] as number;
    return bringBestFirst(rows, keyword, scored, most);
  }

  /** Makes candidates, the first ones, of the rows and keyword scores from `from` to `end` that are not in the set `some`: their vectors are not compared. Returns how many. */
  #takeUncompared(from: number, end: number): number {
    const { some, rows, keyword, keywordByRow, vector } = this.#scratch;
    let count = 0;
    for (let place = from; place < end; place++) {
      const row = rows[place] as number;
      if (some.has(row)) continue;
      rows[count] = row;
      keyword[count] = keyword[place] as number;
      keywordByRow[row] = 0;
      vector[count] = 0;
      count += 1;
    }
    return count;
  }

  /**
   * Candidates of the first `gathered` rows in the set `some`, which is empty afterwards; the rows behind these lend them their vectors.
   * `count`: so many candidates are there already. REQUIRES: where there are any, there are no threads.
   */
  #withKeywordOrNear(
    query: Float32Array,
    gathered: number,
    tier: IndexTier,
    count = 0,
  ): Candidates {
    const { some, rows, keyword, keywordByRow, vector, thread } = this.#scratch;
    const scores = this.#scoreSet(query, gathered);
    let end = count;
    for (let i = 0; i < gathered; i++) {
      const row = some.rows[i] as number;
      const keywordScore = keywordByRow[row] as number;
      const vectorScore = scores[i] as number;
      keywordByRow[row] = 0;
      if (keywordScore === 0 && vectorScore <= 0 && this.next(row) === none) continue;
      rows[end] = row;
      keyword[end] = keywordScore;
      vector[end] = vectorScore;
      end += 1;
    }
    some.clear();
    thread.fill(0, 0, end);
    return { tier, count: end, rows, keyword, vector, thread };
  }

  /** Vector scores of the first `gathered` rows in the set `some`, in their order. */
  #scoreSet(query: Float32Array, gathered: number): Float32Array {
    const { some, vector, ownVector } = this.#scratch;
    if (!this.hasThreads) {
      this.#vectors?.scoreSome(query, some.rows, some.count, ownVector);
      return ownVector;
    }
    this.#vectors?.scoreSome(query, some.rows, some.count, vector);
    for (let i = 0; i < some.count; i++) ownVector[some.rows[i] as number] = vector[i] as number;
    for (let i = 0; i < gathered; i++)
      vector[i] = this.#context.score(ownVector, some.rows[i] as number);
    return vector;
  }

  #withThread(candidates: Candidates, terms: readonly string[]): Candidates {
    if (!this.hasThreads) return candidates;
    const { count, rows, thread } = candidates;
    const scores = this.#keywords.scoreThreads(terms);
    const numbers = this.#threads.thread;
    for (let i = 0; i < count; i++) {
      const number = numbers[rows[i] as number] as number;
      thread[i] = number === none ? 0 : (scores[number] as number);
    }
    return candidates;
  }

  #setRowVector(row: number, vector: Float32Array | undefined): void {
    this.#vectors?.set(row, vector);
    this.label(row);
    this.#relink(this.#threads.rowsFrom(row));
  }

  #relink(rows: readonly number[]): void {
    this.#keywords.relink(rows);
    if (this.#vectors !== undefined) this.#context.relink(rows, (a, b) => this.cosine(a, b));
  }

  #countAuthor({ author }: Memory, change: 1 | -1): void {
    if (author === undefined) return;
    const count = (this.#authors.get(author) ?? 0) + change;
    if (count === 0) this.#authors.delete(author);
    else this.#authors.set(author, count);
  }

  #compact(): void {
    this.renumberings += 1;
    const kept = Int32Array.from(this.#rowsById.values()).sort();
    this.#threads.compact(kept);
    this.#keywords.compact(kept);
    this.#context.compact(kept);
    this.#vectors?.compact(kept);
    this.labels?.compact(kept);
    this.#traits.compact(kept);
    this.#entries = Array.from(kept, (row) => this.#entries[row]);
    for (const [row, entry] of this.#entries.entries()) {
      if (entry !== undefined) this.#rowsById.set(entry.memory.id, row);
    }
  }
}

/** Whether a changed memory has the words and the place in its thread that it had before. */
function isSameRow(before: Memory, after: Memory): boolean {
  return (
    before.content === after.content &&
    before.threadId === after.threadId &&
    before.restricted === after.restricted &&
    before.memoryType === after.memoryType &&
    (before.eventTime === undefined) === (after.eventTime === undefined) &&
    compareInstants(happenedAt(before), happenedAt(after)) === 0
  );
}
