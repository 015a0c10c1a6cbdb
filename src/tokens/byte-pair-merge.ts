/** No token, no neighbour, nothing left. */
const none = -1;

/** Pieces up to this number of bytes share one workspace. Nearly all words are shorter. */
const sharedBytes = 4096;

/** A vocabulary by rank: tokens as text, or as bytes where they are none. There may be holes. */
export type TokenRanks = readonly (string | readonly number[] | undefined)[];

/**
 * Divides pieces of text into tokens by the merges of a byte pair encoding. Takes time in
 * proportion to n log n for a piece of n bytes, whatever it holds.
 */
export class BytePairMerge {
  readonly #vocabulary: Vocabulary;
  readonly #shared: Workspace;

  /** Requires: every single byte is a token. */
  constructor(tokens: TokenRanks) {
    this.#vocabulary = new Vocabulary(tokens);
    this.#shared = new Workspace(this.#vocabulary, sharedBytes);
  }

  /** Returns the number of tokens of a piece of at least one byte. */
  count(piece: Uint8Array): number {
    return this.#isToken(piece) ? 1 : this.#workspaceFor(piece).merge(piece);
  }

  /** Returns where the tokens of a piece of at least one byte end. */
  ends(piece: Uint8Array): number[] {
    if (this.#isToken(piece)) return [piece.length];
    const workspace = this.#workspaceFor(piece);
    workspace.merge(piece);
    return workspace.ends(piece.length);
  }

  #isToken(piece: Uint8Array): boolean {
    return this.#vocabulary.rankOf(piece, 0, piece.length) !== none;
  }

  #workspaceFor({ length }: Uint8Array): Workspace {
    // A long piece is rare, and its workspace takes 44 bytes for each of its own.
    return length <= sharedBytes ? this.#shared : new Workspace(this.#vocabulary, length);
  }
}

/** The merging of one piece. Lists its parts by the byte that they begin with. */
class Workspace {
  readonly #vocabulary: Vocabulary;
  /** Where the part behind a part begins. */
  readonly #next: Int32Array;
  /** Where the part before a part begins. */
  readonly #previous: Int32Array;
  /** Rank of a part together with the part behind it. */
  readonly #ranks: Int32Array;
  /** Pairs of parts to merge: the rank times `#stride`, plus where the pair begins. */
  readonly #queue: LowestFirst;
  readonly #stride: number;

  /** `maxBytes`: length of the longest piece. */
  constructor(vocabulary: Vocabulary, maxBytes: number) {
    this.#vocabulary = vocabulary;
    this.#next = new Int32Array(maxBytes);
    this.#previous = new Int32Array(maxBytes);
    this.#ranks = new Int32Array(maxBytes);
    // Every byte begins one pair, and each merge makes two new ones.
    this.#queue = new LowestFirst(3 * maxBytes);
    this.#stride = maxBytes;
  }

  /**
   * Merges the pair of neighbours that has the lowest rank, the leftmost of them, until none is a
   * token. Returns how many parts are left.
   */
  merge(piece: Uint8Array): number {
    const { length } = piece;
    const [next, previous, ranks, queue] = [this.#next, this.#previous, this.#ranks, this.#queue];
    const stride = this.#stride;
    for (let i = 0; i < length; i++) {
      next[i] = i + 1;
      previous[i] = i - 1;
      this.#rank(piece, i, i + 2);
    }
    let parts = length;
    for (let entry = queue.take(); entry !== none; entry = queue.take()) {
      const rank = Math.floor(entry / stride);
      const start = entry - rank * stride;
      // A part that has grown or is gone since.
      if (ranks[start] !== rank) continue;
      const gone = next[start] as number;
      const end = next[gone] as number;
      ranks[gone] = none;
      next[start] = end;
      parts--;
      if (end < length) previous[end] = start;
      this.#rank(piece, start, end < length ? (next[end] as number) : length + 1);
      const before = previous[start] as number;
      if (before !== none) this.#rank(piece, before, end);
    }
    return parts;
  }

  /** Returns where the parts that `merge` has left end, for a piece of `length` bytes. */
  ends(length: number): number[] {
    const ends: number[] = [];
    for (let end = 0; end < length; ) {
      end = this.#next[end] as number;
      ends.push(end);
    }
    return ends;
  }

  #rank(piece: Uint8Array, start: number, end: number): void {
    const rank = end > piece.length ? none : this.#vocabulary.rankOf(piece, start, end);
    this.#ranks[start] = rank;
    if (rank !== none) this.#queue.add(rank * this.#stride + start);
  }
}

/** Ranks of tokens by their bytes: a hash table with open addressing. */
class Vocabulary {
  readonly #bytes: Uint8Array;
  readonly #offsets: Int32Array;
  readonly #slots: Int32Array;
  readonly #maxLength: number;

  constructor(tokens: TokenRanks) {
    const lengths = Array.from(tokens, (token = "") =>
      typeof token === "string" ? Buffer.byteLength(token) : token.length,
    );
    const bytes = Buffer.allocUnsafe(lengths.reduce((sum, length) => sum + length, 0));
    this.#bytes = bytes;
    this.#maxLength = lengths.reduce((most, length) => Math.max(most, length), 0);
    this.#offsets = new Int32Array(tokens.length + 1);
    this.#slots = new Int32Array(2 ** Math.ceil(Math.log2(2 * tokens.length))).fill(none);
    let offset = 0;
    for (const [rank, length] of lengths.entries()) {
      const token = tokens[rank] ?? "";
      if (typeof token === "string") bytes.write(token, offset);
      else bytes.set(token, offset);
      this.#offsets[rank + 1] = offset + length;
      if (length > 0) this.#slots[this.#slotOf(bytes, offset, offset + length)] = rank;
      offset += length;
    }
  }

  /** `none` if these bytes are no token. */
  rankOf(bytes: Uint8Array, start: number, end: number): number {
    if (end - start > this.#maxLength) return none;
    return this.#slots[this.#slotOf(bytes, start, end)] as number;
  }

  /** The slot that has these bytes, or the free one where they belong. */
  #slotOf(bytes: Uint8Array, start: number, end: number): number {
    let hash = 0x811c9dc5;
    for (let i = start; i < end; i++) hash = Math.imul(hash ^ (bytes[i] as number), 0x01000193);
    const mask = this.#slots.length - 1;
    let slot = (hash ^ (hash >>> 15)) & mask;
    while (
      this.#slots[slot] !== none &&
      !this.#holds(this.#slots[slot] as number, bytes, start, end)
    )
      slot = (slot + 1) & mask;
    return slot;
  }

  #holds(rank: number, bytes: Uint8Array, start: number, end: number): boolean {
    const offset = this.#offsets[rank] as number;
    if ((this.#offsets[rank + 1] as number) - offset !== end - start) return false;
    for (let i = start; i < end; i++)
      if (bytes[i] !== this.#bytes[offset + i - start]) return false;
    return true;
  }
}

/** Gives back the lowest of the numbers that were added: a binary heap. */
class LowestFirst {
  /** Whole numbers that may exceed 32 bits. */
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

  /** `none` if it is empty. */
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
