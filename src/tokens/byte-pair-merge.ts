/** Longest piece in bytes of UTF-8. A rank and a place in a piece make one 31-bit number. */
export const pieceMaxBytes = 4096;

/** No token, no neighbour, nothing left. */
const none = -1;

/** A vocabulary by rank: tokens as text, or as bytes where they are none. There may be holes. */
export type TokenRanks = readonly (string | readonly number[] | undefined)[];

/** Divides pieces of text into tokens by the merges of a byte pair encoding, in time near linear in their length, whatever they hold. */
export class BytePairMerge {
  readonly #vocabulary: Vocabulary;
  // Of the piece that is being divided, by the byte that a part begins with: where the next part begins and the one before, and the rank of both together.
  readonly #next = new Int32Array(pieceMaxBytes + 1);
  readonly #previous = new Int32Array(pieceMaxBytes + 1);
  readonly #ranks = new Int32Array(pieceMaxBytes + 1);
  readonly #queue = new LowestFirst(4 * pieceMaxBytes);

  /** REQUIRES: every single byte is a token. */
  constructor(tokens: TokenRanks) {
    this.#vocabulary = new Vocabulary(tokens);
  }

  /** Number of tokens of a piece of 1 to `pieceMaxBytes` bytes. */
  count(piece: Uint8Array): number {
    return this.#vocabulary.rankOf(piece, 0, piece.length) === none ? this.#merge(piece) : 1;
  }

  /** Where the tokens of a piece of 1 to `pieceMaxBytes` bytes end. */
  ends(piece: Uint8Array): number[] {
    if (this.count(piece) === 1) return [piece.length];
    const ends: number[] = [];
    for (let end = 0; end < piece.length; ) {
      end = this.#next[end] as number;
      ends.push(end);
    }
    return ends;
  }

  /** Merges the pair of neighbours that has the lowest rank, the leftmost of them, until none is a token. Returns how many parts are left. */
  #merge(piece: Uint8Array): number {
    const { length } = piece;
    const [next, previous, ranks, queue] = [this.#next, this.#previous, this.#ranks, this.#queue];
    for (let i = 0; i < length; i++) {
      next[i] = i + 1;
      previous[i] = i - 1;
      this.#rank(piece, i, i + 2);
    }
    let parts = length;
    for (let entry = queue.take(); entry !== none; entry = queue.take()) {
      const start = entry % pieceMaxBytes;
      // A part that has grown or is gone since.
      if (ranks[start] !== Math.floor(entry / pieceMaxBytes)) continue;
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

  #rank(piece: Uint8Array, start: number, end: number): void {
    const rank = end > piece.length ? none : this.#vocabulary.rankOf(piece, start, end);
    this.#ranks[start] = rank;
    if (rank !== none) this.#queue.add(rank * pieceMaxBytes + start);
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
  readonly #heap: Int32Array;
  #size = 0;

  constructor(capacity: number) {
    this.#heap = new Int32Array(capacity);
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
