import type { Memory } from "../core/memory.js";
import type { Candidates, IndexedMemory, IndexQuery, NamespaceIndex } from "../core/search-index.js";
import type { Head, VectorProfile } from "../core/store.js";
import { wordSignature } from "../core/text/near-copy.js";
import type { Analyzer } from "./keyword/analyzer.js";
import { KeywordIndex } from "./keyword/keyword-index.js";
import { memoryBytes } from "./memory-bytes.js";
import { VectorRows } from "./vector/vector-rows.js";

/** Rows are renumbered without gaps when more than this share of them is empty. */
const emptyShareMax = 0.2;

/** What all indexes share. */
export interface IndexParts {
  readonly analyze: Analyzer;
  /** See `loadKernelModule`. */
  readonly kernel: WebAssembly.Module;
}

/** Scores by row or by place, with room for so many rows. */
interface Scratch {
  readonly capacity: number;
  /** All zeros between queries. */
  readonly keywordByRow: Float32Array;
  readonly rows: Int32Array;
  readonly keyword: Float32Array;
  readonly vector: Float32Array;
}

/** The index of one namespace in memory. Every record of a memory is a row, also those that are superseded or expired. */
export class HotNamespaceIndex implements NamespaceIndex {
  readonly tier = "exact";
  readonly #analyze: Analyzer;
  readonly #keywords = new KeywordIndex();
  readonly #vectors: VectorRows | undefined;
  readonly #rowsById = new Map<string, number>();
  #entries: (IndexedMemory | undefined)[] = [];
  #memoryBytes = 0;
  #scratch = createScratch(0);

  /** `head`: the state that the puts and removals lead to. */
  constructor(
    parts: IndexParts,
    public head: Head,
    readonly profile: VectorProfile | undefined,
  ) {
    this.#analyze = parts.analyze;
    this.#vectors = profile && new VectorRows(parts.kernel, profile.dimension);
  }

  /** About how much memory it takes. */
  get bytes(): number {
    const scratchBytes = this.#scratch.capacity * 4 * Float32Array.BYTES_PER_ELEMENT;
    return this.#memoryBytes + this.#keywords.bytes + (this.#vectors?.bytes ?? 0) + scratchBytes;
  }

  /** Adds a memory or replaces the one of the same id. A vector is kept only if the namespace has a profile. */
  put(memory: Memory, vector: Float32Array | undefined): void {
    const row = this.#rowsById.get(memory.id);
    const before = row === undefined ? undefined : this.#entries[row];
    if (row !== undefined && before?.memory.content === memory.content) {
      this.#entries[row] = { memory, wordSignature: before.wordSignature };
      this.#memoryBytes += memoryBytes(memory) - memoryBytes(before.memory);
      this.#vectors?.set(row, vector);
      return;
    }
    this.remove(memory.id);
    const newRow = this.#entries.length;
    this.#keywords.add(newRow, this.#analyze(memory.content));
    this.#vectors?.set(newRow, vector);
    this.#entries.push({ memory, wordSignature: wordSignature(memory.content) });
    this.#rowsById.set(memory.id, newRow);
    this.#memoryBytes += memoryBytes(memory);
  }

  /** Sets the vector of a memory; nothing happens if there is none of the id. */
  setVector(id: string, vector: Float32Array): void {
    const row = this.#rowsById.get(id);
    if (row !== undefined) this.#vectors?.set(row, vector);
  }

  /** Removes a memory; nothing happens if there is none of the id. */
  remove(id: string): void {
    const row = this.#rowsById.get(id);
    const entry = row === undefined ? undefined : this.#entries[row];
    if (row === undefined || entry === undefined) return;
    this.#keywords.remove(row, this.#analyze(entry.memory.content));
    this.#vectors?.set(row, undefined);
    this.#entries[row] = undefined;
    this.#rowsById.delete(id);
    this.#memoryBytes -= memoryBytes(entry.memory);
    if (this.#rowsById.size < (1 - emptyShareMax) * this.#entries.length) this.#compact();
  }

  candidates({ text, vector }: IndexQuery): Candidates {
    const rowCount = this.#entries.length;
    if (this.#scratch.capacity < rowCount) this.#scratch = createScratch(Math.ceil(rowCount * 1.25));
    if (text === "" && vector === undefined) return this.#everything();
    const { rows, keywordByRow } = this.#scratch;
    const scored = text === "" ? 0 : this.#keywords.score(this.#analyze(text), keywordByRow, rows);
    if (vector === undefined || this.#vectors?.dimension !== vector.length) return this.#withKeyword(scored);
    this.#vectors.score(vector, rowCount, this.#scratch.vector);
    return this.#withKeywordOrVector(rowCount);
  }

  at(row: number): IndexedMemory {
    const entry = this.#entries[row];
    if (entry === undefined) throw new RangeError(`row ${row} holds no memory`);
    return entry;
  }

  cosine(rowA: number, rowB: number): number {
    return this.#vectors?.cosine(rowA, rowB) ?? 0;
  }

  #everything(): Candidates {
    const { rows, keyword, vector } = this.#scratch;
    let count = 0;
    for (const [row, entry] of this.#entries.entries()) {
      if (entry !== undefined) rows[count++] = row;
    }
    keyword.fill(0, 0, count);
    vector.fill(0, 0, count);
    return { count, rows, keyword, vector };
  }

  /** The first `count` of `rows` have a keyword score. */
  #withKeyword(count: number): Candidates {
    const { rows, keyword, keywordByRow, vector } = this.#scratch;
    for (let i = 0; i < count; i++) {
      const row = rows[i] as number;
      keyword[i] = keywordByRow[row] as number;
      keywordByRow[row] = 0;
    }
    vector.fill(0, 0, count);
    return { count, rows, keyword, vector };
  }

  /** `vector` holds scores by row. Rows without a memory have no score of either kind. */
  #withKeywordOrVector(rowCount: number): Candidates {
    const { rows, keyword, keywordByRow, vector } = this.#scratch;
    let count = 0;
    for (let row = 0; row < rowCount; row++) {
      const keywordScore = keywordByRow[row] as number;
      const vectorScore = vector[row] as number;
      if (keywordScore === 0 && vectorScore <= 0) continue;
      rows[count] = row;
      keyword[count] = keywordScore;
      vector[count] = vectorScore;
      count += 1;
    }
    keywordByRow.fill(0, 0, rowCount);
    return { count, rows, keyword, vector };
  }

  #compact(): void {
    const kept = Int32Array.from(this.#rowsById.values()).sort();
    this.#keywords.compact(kept);
    this.#vectors?.compact(kept);
    this.#entries = Array.from(kept, (row) => this.#entries[row]);
    for (const [row, entry] of this.#entries.entries()) {
      if (entry !== undefined) this.#rowsById.set(entry.memory.id, row);
    }
  }
}

function createScratch(capacity: number): Scratch {
  return {
    capacity,
    keywordByRow: new Float32Array(capacity),
    rows: new Int32Array(capacity),
    keyword: new Float32Array(capacity),
    vector: new Float32Array(capacity),
  };
}
