import type { Memory } from "../core/model/memory.js";
import type {
  Candidates,
  CountedTerm,
  IndexedMemory,
  IndexQuery,
  NamespaceIndex,
  NearestQuery,
  Respelling,
  Row,
  RowTraits,
  ScorePassages,
} from "../core/ports/search-index.js";
import type { Head, VectorProfile } from "../core/ports/store.js";
import { CandidateSearch } from "./candidates/candidate-search.js";
import { NearRows } from "./candidates/near-rows.js";
import { WordSearch } from "./candidates/word-search.js";
import { type ImageOwner, imageVersionOf } from "./image/image-format.js";
import type { ImageReader } from "./image/image-reader.js";
import type { ImageWriter } from "./image/image-writer.js";
import { type IndexParts, IndexRows, type sameVector } from "./rows/index-rows.js";

/** The index of one namespace, in RAM: its rows, and the search for candidates among them. */
export class HotNamespaceIndex implements NamespaceIndex {
  /** The memories as rows. */
  readonly rows: IndexRows;
  readonly #candidates: CandidateSearch;
  readonly #near: NearRows;
  readonly #parts: IndexParts;
  readonly #words: WordSearch;
  contentSeq: number;

  /** `head`: the commit whose records the caller then adds to the empty index. */
  constructor(
    parts: IndexParts,
    public head: Head,
    public profile: VectorProfile | undefined,
  ) {
    this.#parts = parts;
    this.contentSeq = head.seq;
    this.rows = new IndexRows(parts, profile);
    this.#near = new NearRows(this.rows, parts.signedFrom);
    this.#words = new WordSearch(this.rows, parts);
    this.#candidates = new CandidateSearch(this.rows, this.#words);
  }

  /** Saves the index to an image. If something changes it meanwhile, the caller drops the image. */
  async save(image: ImageWriter, { table, namespace }: ImageOwner): Promise<void> {
    await this.rows.save(image);
    const { userId, agentId, tenant } = namespace;
    const { epoch, seq } = this.head;
    await image.finish({
      version: this.#imageVersion,
      table,
      userId,
      agentId,
      tenant,
      head: { epoch, seq },
      contentSeq: this.contentSeq,
      profile: this.profile,
    });
  }

  /**
   * Loads the index from an image.
   *
   * @throws when the image is damaged, or of another version
   */
  static async load(parts: IndexParts, image: ImageReader): Promise<HotNamespaceIndex> {
    const { version, head, contentSeq, profile } = image.header;
    const index = new HotNamespaceIndex(parts, head, profile);
    if (version !== index.#imageVersion) throw new Error("the image has another version");
    index.contentSeq = contentSeq;
    await index.rows.load(image);
    return index;
  }

  get #imageVersion(): string {
    const pieces = this.rows.wordPieces?.pieceCount ?? 0;
    return imageVersionOf(this.#parts.codec.version, pieces);
  }

  /** Resident bytes of all columns, without the labels of a graph (`graphBytes` counts them). */
  get bytes(): number {
    return this.rows.bytes;
  }

  /** Number of memories. */
  get size(): number {
    return this.rows.size;
  }

  get rowLimit(): number {
    return this.rows.rowLimit;
  }

  get meanTerms(): number {
    return this.rows.keywords.meanTerms;
  }

  get hasThreads(): boolean {
    return this.rows.threads.hasLinks;
  }

  get authors(): Iterable<string> {
    return this.rows.authors;
  }

  authorNumber(author: string): number | undefined {
    return this.rows.authorNumber(author);
  }

  nameTerms(word: string): readonly string[] {
    return this.#words.nameTerms(word);
  }

  get traits(): RowTraits {
    return this.rows.traits;
  }

  /**
   * Adds a memory, or replaces the memory with the same id. Keeps the vector only if the namespace
   * has a vector profile.
   */
  put(memory: Memory, vector: Float32Array | undefined): void {
    this.rows.put(memory, vector);
  }

  /** Removes a memory; does nothing if no memory has the id. */
  remove(id: string): void {
    this.rows.remove(id);
  }

  /**
   * Puts a memory, or removes the memory with this id if `memory` is `undefined`. Calls `pause`
   * between pieces of a long text, and at the end.
   *
   * @param vector The new vector. `sameVector` keeps the present one. `undefined`: the memory has
   *   none.
   */
  async apply(
    id: string,
    memory: Memory | undefined,
    vector: Float32Array | undefined | typeof sameVector,
    pause: () => Promise<void>,
  ): Promise<void> {
    const analyses = await this.rows.analyze(id, memory, pause);
    if (memory === undefined) this.rows.remove(id, analyses);
    else this.rows.put(memory, vector, analyses);
    await pause();
  }

  /** Sets the vector of a memory; does nothing if no memory has the id. */
  setVector(id: string, vector: Float32Array): void {
    this.rows.setVector(id, vector);
  }

  /**
   * Drops all vectors and switches to another profile. `setVector` then adds the vectors of that
   * profile. Requires: `IndexRows.canReplaceVectors`.
   */
  switchProfile(profile: VectorProfile): void {
    this.profile = profile;
    this.rows.replaceVectors(profile);
  }

  /** See `NearRows.tend`. */
  tendNear(isEnded: () => boolean): Promise<void> | undefined {
    return this.#near.tend(isEnded);
  }

  /** See `NearRows.find`. */
  nearRows(wanted: NearestQuery): Int32Array | undefined {
    return this.#near.find(wanted, (row) => wanted.accepts(this, row));
  }

  candidates(query: IndexQuery): Candidates {
    return this.#candidates.find(query);
  }

  termsOf(text: string): readonly CountedTerm[] {
    const terms = this.#words.termsOf(text).flatMap((word) => word.terms.map(({ term }) => term));
    const { keywords } = this.rows;
    return [...new Set(terms)].map((term) => ({ term, memories: keywords.countOf(term) }));
  }

  respellingsOf(text: string): readonly Respelling[] {
    return this.#words.respell(text).respellings;
  }

  scoreSimilarWords(text: string, rows: Int32Array, count: number, scores: Float64Array): boolean {
    return this.#words.score(text, rows, count, scores);
  }

  passageScorer(text: string): ScorePassages {
    return this.#words.passageScorer(text);
  }

  rowsWithAllTerms(text: string): Int32Array {
    return this.#candidates.rowsWithAllTerms(text);
  }

  at(row: Row): IndexedMemory {
    return this.rows.at(row);
  }

  rowOf(id: string): Row | undefined {
    return this.rows.rowOf(id);
  }

  compareIds(rowA: Row, rowB: Row): number {
    return this.rows.compareIds(rowA, rowB);
  }

  get nextRows(): Int32Array {
    return this.rows.threads.next;
  }

  cosine(rowA: Row, rowB: Row): number {
    return this.rows.cosine(rowA, rowB);
  }
}
