import type { Vocabulary } from "./vocabulary.js";

/** Stands for "not a token", "no neighbour" and "no number". */
const none = -1;

/** Pieces up to this number of bytes share one workspace. Nearly all words are shorter. */
const sharedBytes = 4096;

/** Number of merges between two pauses: about a millisecond of work. */
const mergesPerStep = 2048;

/**
 * Divides pieces of text into tokens by byte pair encoding: beginning with single bytes, it merges
 * two neighbours whenever their bytes together are a token. The pair whose token has the lowest
 * rank in the vocabulary comes first. Takes O(n log n) time for a piece of n bytes, whatever its
 * content.
 */
export class BytePairMerge {
  readonly #vocabulary: Vocabulary;
  readonly #shared: Workspace;

  /** Requires: every single byte is a token. */
  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary;
    this.#shared = new Workspace(this.#vocabulary, sharedBytes);
  }

  /** Returns the number of tokens of a piece of at least one byte. */
  count(piece: Uint8Array): number {
    return this.#isToken(piece) ? 1 : this.#workspaceFor(piece).merge(piece);
  }

  /** Returns the same number as `count`. Calls `pause` about once a millisecond. */
  async countWithPauses(piece: Uint8Array, pause: () => Promise<void>): Promise<number> {
    if (piece.length <= sharedBytes || this.#isToken(piece)) return this.count(piece);
    return (await this.#mergeLong(piece, pause)).parts;
  }

  /**
   * Returns the end of each token of a piece of at least one byte, as an offset in bytes. Calls
   * `pause` about once a millisecond.
   */
  async endsWithPauses(piece: Uint8Array, pause: () => Promise<void>): Promise<number[]> {
    if (this.#isToken(piece)) return [piece.length];
    if (piece.length > sharedBytes) return (await this.#mergeLong(piece, pause)).ends(piece.length);
    this.#shared.merge(piece);
    return this.#shared.ends(piece.length);
  }

  /**
   * Merges a long piece in a workspace of its own, because other pieces may use the shared
   * workspace during the pauses.
   */
  async #mergeLong(piece: Uint8Array, pause: () => Promise<void>): Promise<Workspace> {
    const workspace = new Workspace(this.#vocabulary, piece.length);
    workspace.begin(piece);
    while (!workspace.advance(mergesPerStep)) await pause();
    return workspace;
  }

  #isToken(piece: Uint8Array): boolean {
    return this.#vocabulary.rankOf(piece, 0, piece.length) !== none;
  }

  #workspaceFor({ length }: Uint8Array): Workspace {
    // A long piece is rare, and its workspace takes 36 bytes for each byte of the piece.
    return length <= sharedBytes ? this.#shared : new Workspace(this.#vocabulary, length);
  }
}

/**
 * State for merging one piece. A part is a run of bytes that are merged so far; at first, each byte
 * is a part. Arrays are indexed by the first byte of each part.
 */
class Workspace {
  readonly #vocabulary: Vocabulary;
  /** Start of the next part. */
  readonly #next: Int32Array;
  /** Start of the previous part. */
  readonly #previous: Int32Array;
  /**
   * Rank of the token that a part and the next part form together; `none` if they form no token.
   */
  readonly #ranks: Int32Array;
  /** Pairs to merge, each as one number: the rank times `#stride`, plus the start of the pair. */
  readonly #queue: MinHeap;
  readonly #stride: number;
  #piece: Uint8Array = new Uint8Array();
  /**
   * Number of bytes whose pair with the next byte has been ranked. Merging begins when all bytes of
   * the piece are ranked.
   */
  #ranked = 0;
  #parts = 0;

  /** `maxBytes` is the length of the longest piece. */
  constructor(vocabulary: Vocabulary, maxBytes: number) {
    this.#vocabulary = vocabulary;
    this.#next = new Int32Array(maxBytes);
    this.#previous = new Int32Array(maxBytes);
    this.#ranks = new Int32Array(maxBytes);
    // At first, every byte begins one pair. Each merge then adds at most two pairs.
    this.#queue = new MinHeap(3 * maxBytes);
    this.#stride = maxBytes;
  }

  /** Number of parts so far. */
  get parts(): number {
    return this.#parts;
  }

  /** Merges a piece. Returns the number of parts. */
  merge(piece: Uint8Array): number {
    this.begin(piece);
    this.advance(Number.POSITIVE_INFINITY);
    return this.#parts;
  }

  /** Starts with a piece. Requires: no other piece is being merged. */
  begin(piece: Uint8Array): void {
    this.#piece = piece;
    this.#ranked = 0;
    this.#parts = piece.length;
  }

  /**
   * Repeatedly merges the neighbours with the lowest rank, the leftmost first, until no pair is a
   * token. Returns false if it stops earlier, after `maxSteps` steps.
   */
  advance(maxSteps: number): boolean {
    let steps = this.#rankPairs(maxSteps);
    if (this.#ranked < this.#piece.length) return false;
    for (; steps < maxSteps; steps++) {
      const entry = this.#queue.take();
      if (entry === none) return true;
      this.#mergePair(entry);
    }
    return false;
  }

  /** Puts the pairs of single bytes into the queue. Returns the number of steps. */
  #rankPairs(maxSteps: number): number {
    const begin = this.#ranked;
    const end = Math.min(this.#piece.length, begin + maxSteps);
    for (let i = begin; i < end; i++) {
      this.#next[i] = i + 1;
      this.#previous[i] = i - 1;
      this.#rank(i, i + 2);
    }
    this.#ranked = end;
    return end - begin;
  }

  #mergePair(entry: number): void {
    const [next, previous, ranks] = [this.#next, this.#previous, this.#ranks];
    const { length } = this.#piece;
    const rank = Math.floor(entry / this.#stride);
    const start = entry - rank * this.#stride;
    // Skips an outdated entry: since it was added, a merge has changed the part or the next part.
    if (ranks[start] !== rank) return;
    const merged = next[start] as number;
    const end = next[merged] as number;
    ranks[merged] = none;
    next[start] = end;
    this.#parts--;
    if (end < length) previous[end] = start;
    this.#rank(start, end < length ? (next[end] as number) : length + 1);
    const before = previous[start] as number;
    if (before !== none) this.#rank(before, end);
  }

  /** Returns the ends of the parts of the merged piece. `length`: length of the piece in bytes. */
  ends(length: number): number[] {
    const ends: number[] = [];
    for (let end = 0; end < length; ) {
      end = this.#next[end] as number;
      ends.push(end);
    }
    return ends;
  }

  #rank(start: number, end: number): void {
    const piece = this.#piece;
    const rank = end > piece.length ? none : this.#vocabulary.rankOf(piece, start, end);
    this.#ranks[start] = rank;
    if (rank !== none) this.#queue.add(rank * this.#stride + start);
  }
}

/** Returns the lowest of the added numbers first: a binary heap. */
class MinHeap {
  /** Integers that may exceed 32 bits. */
  readonly #heap: Float64Array;
  #size = 0;

  constructor(capacity: number) {
    this.#heap = new Float64Array(capacity);
  }

  add(value: number): void {
    const heap = this.#heap;
    let i = this.#size++;
    for (
      let parent = (i - 1) >> 1;
      i > 0 && (heap[parent] as number) > value;
      parent = (i - 1) >> 1
    ) {
      heap[i] = heap[parent] as number;
      i = parent;
    }
    heap[i] = value;
  }

  /** Removes and returns the lowest number; `none` if the heap is empty. */
  take(): number {
    if (this.#size === 0) return none;
    const heap = this.#heap;
    const lowest = heap[0] as number;
    const last = heap[--this.#size] as number;
    let i = 0;
    for (let child = 1; child < this.#size; child = 2 * i + 1) {
      if (child + 1 < this.#size && (heap[child + 1] as number) < (heap[child] as number)) child++;
      if ((heap[child] as number) >= last) break;
      heap[i] = heap[child] as number;
      i = child;
    }
    heap[i] = last;
    return lowest;
  }
}
