import { allTypes, type Memory } from "../../core/model/memory.js";
import type { WordPieces } from "../../core/ports/embedder.js";
import type { RecordCodec } from "../../core/ports/record-codec.js";
import type { IndexedMemory, Row } from "../../core/ports/search-index.js";
import type { VectorProfile } from "../../core/ports/store.js";
import type { Language } from "../../core/text/stop-words.js";
import { IdTable } from "../columns/id-table.js";
import type { ImageReader } from "../image/image-reader.js";
import type { ImageWriter } from "../image/image-writer.js";
import type { Analyzer } from "../keyword/analyzer.js";
import { KeywordIndex } from "../keyword/keyword-index.js";
import { type ContextWeights, lentShare } from "../thread/context-weights.js";
import { absent, ThreadOrder } from "../thread/thread-order.js";
import { ContextScores } from "../vector/context-scores.js";
import type { KernelMemory } from "../vector/kernel-memory.js";
import type { SignRows } from "../vector/sign-rows.js";
import { VectorRows } from "../vector/vector-rows.js";
import { PieceRows } from "../words/piece-rows.js";
import { piecesOfWords } from "../words/pieces-of-words.js";
import { AuthorNumbers } from "./author-numbers.js";
import { LanguageCounts } from "./language-counts.js";
import { RecordRows } from "./record-rows.js";
import { RowTraitColumns } from "./row-trait-columns.js";
import { isSameRow } from "./same-row.js";
import { analyzeInTurns, analyzeText, hasLongText, type TextAnalyses } from "./text-analysis.js";
import type { VectorLabels } from "./vector-labels.js";

/** Rows are renumbered without gaps when more than this share of them is empty. */
const emptyShareMax = 0.2;

/** Given to `put` in place of a vector: the row keeps its vector. */
export const sameVector = Symbol("same vector");

const none: TextAnalyses = {};

/** Parts that the indexes of all namespaces share. */
export interface IndexParts {
  readonly analyzer: Analyzer;
  /** Packs the records of rows. */
  readonly codec: RecordCodec;
  readonly context: ContextWeights;
  /** The memory that small namespaces share. */
  readonly kernel: KernelMemory;
  /**
   * Returns the word pieces of a model. Returns `undefined` if the server does not have the model,
   * or if the model has no word pieces. Absent: no model has word pieces.
   */
  readonly wordPieces?: (modelId: string) => WordPieces | undefined;
  /**
   * Whether a word, in the form of `words` (core/text), is known to be spelled right. Absent: none.
   */
  readonly isKnownWord?: (word: string) => boolean;
  /** From this number of rows on, vectors have sign bits (see `NearRows`). Default: 150,000. */
  readonly signedFrom?: number;
}

/**
 * The memories of one namespace as rows. Each memory has one row, even if it is superseded or
 * expired. A row has what an index derives from the memory: terms, vector, position in its thread,
 * traits, author and label.
 *
 * A removed memory leaves an empty row. When more than a fifth of the rows are empty, all rows are
 * renumbered.
 */
export class IndexRows {
  readonly threads = new ThreadOrder((row) => this.#records.at(row).id);
  readonly keywords: KeywordIndex;
  readonly traits = new RowTraitColumns();
  /** The word pieces (see `WordPieces`) of memories that are not restricted. */
  readonly pieces = new PieceRows();
  /** The vocabulary of these pieces; `undefined`: no row has pieces. */
  readonly wordPieces: WordPieces | undefined;
  readonly #parts: IndexParts;
  readonly #authors = new AuthorNumbers();
  readonly #languages = new LanguageCounts();
  readonly #rowsById = new IdTable();
  readonly #records: RecordRows;
  #rowLimit = 0;
  #context: ContextScores;
  #vectors: VectorRows | undefined;
  /**
   * The labels of the vectors, for a graph. Once set, the labels follow every change of a vector.
   * The code that sets them must label the existing rows itself.
   */
  labels: VectorLabels | undefined;
  /** The sign bits of the vectors. They follow every change until all rows get other numbers. */
  signs: SignRows | undefined;
  /** Number of times that all rows were renumbered. */
  renumberings = 0;
  /** Number of changes of rows. */
  changes = 0;

  constructor(parts: IndexParts, profile: VectorProfile | undefined) {
    this.#parts = parts;
    this.#records = new RecordRows(parts.codec);
    this.keywords = new KeywordIndex(this.threads, parts.context.terms);
    this.#context = new ContextScores(this.threads, parts.context.vectors);
    this.#vectors = profile && new VectorRows(parts.kernel, profile.dimension);
    this.wordPieces = profile && parts.wordPieces?.(profile.modelId);
  }

  /** Bytes of all columns, without the labels of a graph (`graphBytes` counts them). */
  get bytes(): number {
    return (
      this.#records.bytes +
      this.#rowsById.bytes +
      this.traits.bytes +
      this.keywords.bytes +
      this.threads.bytes +
      this.#context.bytes +
      this.pieces.bytes +
      (this.#vectors?.bytes ?? 0) +
      (this.signs?.bytes ?? 0)
    );
  }

  /** Vectors by row; `undefined` in a namespace without a profile. */
  get vectors(): VectorRows | undefined {
    return this.#vectors;
  }

  /** Vector scores that take into account the rows before a row in its thread. */
  get context(): ContextScores {
    return this.#context;
  }

  /**
   * Analyzes long texts for a later `put` or `remove`. Calls `pause` between pieces of a text.
   *
   * @param memory The memory to put; `undefined`: the memory will be removed.
   */
  async analyze(
    id: string,
    memory: Memory | undefined,
    pause: () => Promise<void>,
  ): Promise<TextAnalyses> {
    const row = this.#rowsById.get(id);
    const before = row === undefined ? undefined : this.#records.at(row);
    if (before !== undefined && memory !== undefined && isSameRow(before, memory)) return none;
    const analysisOf = async (each: Memory | undefined) =>
      each !== undefined && hasLongText(each)
        ? analyzeInTurns(this.#parts.analyzer, each, pause)
        : undefined;
    const isLong = [before, memory].some((each) => each !== undefined && hasLongText(each));
    return isLong ? { before: await analysisOf(before), after: await analysisOf(memory) } : none;
  }

  /**
   * Adds a memory, or replaces the memory with the same id. Keeps the vector only if the namespace
   * has a vector profile.
   *
   * @param vector `sameVector` keeps the vector of the row. Requires then: `keepsRow` returns true.
   * @param analyses Result of `analyze`. A memory without an analysis is analyzed in one step.
   */
  put(
    memory: Memory,
    vector: Float32Array | undefined | typeof sameVector,
    analyses: TextAnalyses = none,
  ): void {
    this.changes += 1;
    const row = this.#rowsById.get(memory.id);
    const before = row === undefined ? undefined : this.#records.at(row);
    if (row !== undefined && before !== undefined && isSameRow(before, memory)) {
      this.#records.set(row, memory, this.#records.wordSignature(row));
      this.#authors.forget(before);
      this.traits.set(row, memory, this.#authors.count(memory));
      if (vector !== sameVector) this.#setRowVector(row, vector);
      return;
    }
    if (vector === sameVector) throw new Error(`memory ${memory.id} does not keep its row`);
    this.remove(memory.id, analyses);
    const newRow = this.#rowLimit as Row;
    this.#rowLimit += 1;
    const { terms, wordSignature } = analyses.after ?? analyzeText(this.#parts.analyzer, memory);
    const termCount = terms.terms.length;
    this.keywords.add(newRow, terms);
    this.#languages.add(terms.language, 1);
    this.#records.set(newRow, memory, wordSignature);
    this.traits.set(newRow, memory, this.#authors.count(memory));
    this.traits.setText(newRow, memory, terms.language);
    this.#setPieces(newRow, terms.words);
    this.#rowsById.add(memory.id, newRow);
    this.#vectors?.set(newRow, vector);
    this.label(newRow);
    const lends = lentShare(termCount, this.#parts.context);
    this.#relink(this.threads.add(newRow, memory, lends));
  }

  /**
   * Whether `put` would keep the row of the memory with this id, because its texts and its position
   * in its thread do not change.
   */
  keepsRow(memory: Memory): boolean {
    const row = this.#rowsById.get(memory.id);
    return row !== undefined && isSameRow(this.#records.at(row), memory);
  }

  /**
   * Whether the vectors of another profile can replace the present vectors. Returns false if a
   * graph was built from the present vectors, or if the profile's model has other word pieces.
   */
  canReplaceVectors({ modelId }: VectorProfile): boolean {
    return this.labels === undefined && this.#parts.wordPieces?.(modelId) === this.wordPieces;
  }

  /**
   * Drops all vectors and switches to the dimension of another profile. `setVector` then adds the
   * vectors of that profile. Requires: `canReplaceVectors` returns true.
   */
  replaceVectors({ dimension }: VectorProfile): void {
    this.#vectors = new VectorRows(this.#parts.kernel, dimension);
    this.signs = undefined;
    this.#context = new ContextScores(this.threads, this.#parts.context.vectors);
    const rows = Array.from({ length: this.#rowLimit }, (_, row) => row);
    for (const row of rows) this.#vectors.set(row, undefined);
    this.#context.relink(rows, () => 0);
  }

  /** Sets the vector of a memory; does nothing if no memory has the id. */
  setVector(id: string, vector: Float32Array): void {
    const row = this.#rowsById.get(id);
    if (row !== undefined) this.#setRowVector(row, vector);
  }

  /**
   * Removes a memory; does nothing if no memory has the id.
   *
   * @param analyses Result of `analyze`. A memory without an analysis is analyzed in one step.
   */
  remove(id: string, analyses: TextAnalyses = none): void {
    const row = this.#rowsById.get(id);
    if (row === undefined) return;
    this.changes += 1;
    const memory = this.#records.at(row);
    const behind = this.threads.remove(row, memory);
    const { terms } = analyses.before ?? analyzeText(this.#parts.analyzer, memory);
    this.keywords.remove(row, terms);
    this.#languages.add(terms.language, -1);
    this.#vectors?.set(row, undefined);
    this.label(row);
    this.#relink(behind);
    this.#authors.forget(memory);
    this.#records.clear(row);
    this.traits.clear(row);
    this.pieces.clear(row);
    this.#rowsById.delete(id);
    if (this.#rowsById.size < (1 - emptyShareMax) * this.#rowLimit) this.#compact();
  }

  /** Saves the rows. Requires: nothing changes them meanwhile, or the image is discarded. */
  async save(image: ImageWriter): Promise<void> {
    const rows = this.#rowLimit;
    image.set("rows", [rows, this.#authors.values(), this.#languages.values()]);
    await this.keywords.save(image, rows);
    await this.threads.save(image, rows);
    await this.traits.save(image, rows);
    await this.pieces.save(image);
    await this.#rowsById.save(image, rows);
    await this.#records.save(image, rows);
    await this.#context.save(image, rows);
    await this.#vectors?.save(image, rows);
  }

  /** Loads the rows of an image. Requires: there are no rows yet. */
  async load(image: ImageReader): Promise<void> {
    const [rows, authors, languages] = image.value<[number, unknown, unknown]>("rows");
    this.#rowLimit = rows;
    this.#authors.restore(authors);
    this.#languages.restore(languages);
    await this.keywords.load(image);
    await this.threads.load(image);
    await this.traits.load(image, rows);
    await this.pieces.load(image);
    await this.#rowsById.load(image);
    await this.#records.load(image);
    await this.#context.load(image);
    await this.#vectors?.load(image);
  }

  /** Number of memories. */
  get size(): number {
    return this.#rowsById.size;
  }

  /** Greater than every row. */
  get rowLimit(): number {
    return this.#rowLimit;
  }

  /** Gives a row the label and the sign bits of its current vector, if there are any. */
  label(row: Row): void {
    this.labels?.set(row, this.#vectors?.fingerprint(row));
    this.signs?.follow(row);
  }

  /** Copies a row's unit vector to `target`, from `start` on. Requires: the row has a vector. */
  copyVector(row: Row, target: Float32Array, start: number): void {
    this.#vectors?.copy(row, target, start);
  }

  /** Whether a row holds a memory. */
  holds(row: Row): boolean {
    return this.traits.isOfType(row, allTypes);
  }

  get authors(): Iterable<string> {
    return this.#authors.names;
  }

  /** The number of an author, above 0; `undefined` if no memory has this author. */
  authorNumber(author: string): number | undefined {
    return this.#authors.numberOf(author);
  }

  /**
   * The detected languages of the memories in Latin script, the most frequent first. Returns the
   * same array until the languages change.
   */
  get languages(): readonly Language[] {
    return this.#languages.order;
  }

  /** The row that follows in the same thread; -1 if no row does. */
  next(row: Row): Row {
    return (this.threads.next[row] ?? absent) as Row;
  }

  /** The memory of a row. @throws RangeError when the row is empty */
  at(row: Row): IndexedMemory {
    if (!this.holds(row)) throw new RangeError(`row ${row} is empty`);
    return { memory: this.#records.at(row), wordSignature: this.#records.wordSignature(row) };
  }

  /** The row of a memory; `undefined` if no memory has the id. */
  rowOf(id: string): Row | undefined {
    return this.#rowsById.get(id);
  }

  /** See `NamespaceIndex.compareIds`. */
  compareIds(rowA: Row, rowB: Row): number {
    const order = this.#rowsById.compare(rowA, rowB);
    if (order !== undefined) return order;
    const [a, b] = [this.#records.at(rowA).id, this.#records.at(rowB).id];
    return a < b ? -1 : a > b ? 1 : 0;
  }

  /** Cosine of the vectors of two rows, -1 to 1; 0 if either has none. */
  cosine(rowA: Row, rowB: Row): number {
    return this.#vectors?.cosine(rowA, rowB) ?? 0;
  }

  /** Rows that hold a memory, ascending. */
  *occupied(): Iterable<number> {
    for (let row = 0 as Row; row < this.#rowLimit; row++) if (this.holds(row)) yield row;
  }

  #setRowVector(row: Row, vector: Float32Array | undefined): void {
    this.changes += 1;
    this.#vectors?.set(row, vector);
    this.label(row);
    this.#relink(this.threads.rowsFrom(row));
  }

  #setPieces(row: Row, words: readonly string[]): void {
    if (this.wordPieces !== undefined && !this.traits.isRestricted(row))
      this.pieces.set(row, piecesOfWords(words, this.wordPieces));
  }

  #relink(rows: readonly number[]): void {
    this.keywords.relink(rows);
    if (this.#vectors !== undefined)
      this.#context.relink(rows, (a, b) => this.cosine(a as Row, b as Row));
  }

  #compact(): void {
    this.renumberings += 1;
    this.signs = undefined;
    const kept = Int32Array.from(this.occupied());
    this.threads.compact(kept);
    this.keywords.compact(kept);
    this.#context.compact(kept);
    this.#vectors?.compact(kept);
    this.labels?.compact(kept);
    this.traits.compact(kept);
    this.pieces.compact(kept);
    this.#records.compact(kept);
    this.#rowsById.compact(kept);
    this.#rowLimit = kept.length;
  }
}
