import { endianness } from "node:os";

/** The rank of bytes that are not a token. */
const none = -1;

/**
 * Size of the header: two uint32, the number of tokens and the number of slots of the hash table.
 */
const headerBytes = 8;

const slotBytes = Int32Array.BYTES_PER_ELEMENT;

/** Maximum length of a token in bytes, because one byte holds the length. */
const tokenMaxBytes = 255;

/**
 * The tokens of a vocabulary, indexed by rank. A token is a text, or a list of bytes if it is not
 * valid UTF-8. A rank without a token is `undefined`.
 */
export type TokenRanks = readonly (string | readonly number[] | undefined)[];

/** Tokens in a hash table with open addressing. */
interface TokenTable {
  /** The bytes of all tokens, by rank. */
  readonly bytes: Uint8Array;
  /** The start of each token in `bytes`, and the end of the last one. */
  readonly offsets: Int32Array;
  /** Ranks; `none` in a free slot. */
  readonly slots: Int32Array;
}

/**
 * Encodes a vocabulary as a finished hash table. `Vocabulary` reads this table a hundred times
 * faster than it could build the table. All numbers are little-endian:
 *
 *     tokens uint32 | slots uint32 | slot[slots] int32 | length[tokens] uint8 | bytes of all tokens
 *
 * A rank without a token has the length 0.
 */
export function encodeVocabulary(ranks: TokenRanks): Uint8Array {
  const tokens = Array.from(ranks, (token = "") =>
    typeof token === "string" ? Buffer.from(token) : Uint8Array.from(token),
  );
  const tooLong = tokens.find(({ length }) => length > tokenMaxBytes);
  if (tooLong !== undefined) throw new Error(`a token has ${tooLong.length} bytes`);
  const lengths = Uint8Array.from(tokens, ({ length }) => length);
  const slots = new Int32Array(2 ** Math.ceil(Math.log2(2 * tokens.length))).fill(none);
  const table = { bytes: Buffer.concat(tokens), offsets: offsetsOf(lengths), slots };
  for (const [rank, { length }] of tokens.entries()) {
    const start = table.offsets[rank] as number;
    if (length > 0) slots[slotOf(table, table.bytes, start, start + length)] = rank;
  }
  const head = Buffer.alloc(headerBytes + slots.length * slotBytes);
  head.writeUInt32LE(tokens.length);
  head.writeUInt32LE(slots.length, slotBytes);
  for (const [slot, rank] of slots.entries())
    head.writeInt32LE(rank, headerBytes + slot * slotBytes);
  return Buffer.concat([head, lengths, table.bytes]);
}

/** Ranks of tokens by their bytes. */
export class Vocabulary {
  readonly #table: TokenTable;
  readonly #maxLength: number;

  /**
   * Does not keep `encoded`: copies the parts that it needs.
   *
   * @param encoded the result of `encodeVocabulary`
   */
  constructor(encoded: Uint8Array) {
    const header = new DataView(encoded.buffer, encoded.byteOffset);
    const tokenCount = header.getUint32(0, true);
    const slots = new Int32Array(header.getUint32(slotBytes, true));
    const lengthsAt = headerBytes + slots.byteLength;
    const bytesAt = lengthsAt + tokenCount;
    Buffer.from(slots.buffer).set(encoded.subarray(headerBytes, lengthsAt));
    if (endianness() === "BE") Buffer.from(slots.buffer).swap32();
    const lengths = encoded.subarray(lengthsAt, bytesAt);
    const bytes = new Uint8Array(encoded.subarray(bytesAt));
    this.#table = { bytes, offsets: offsetsOf(lengths), slots };
    this.#maxLength = lengths.reduce((most, length) => Math.max(most, length), 0);
  }

  /** Returns the rank of a token; -1 if the bytes are not a token. */
  rankOf(bytes: Uint8Array, start: number, end: number): number {
    if (end - start > this.#maxLength) return none;
    return this.#table.slots[slotOf(this.#table, bytes, start, end)] as number;
  }
}

function offsetsOf(lengths: Uint8Array): Int32Array {
  const offsets = new Int32Array(lengths.length + 1);
  for (const [rank, length] of lengths.entries())
    offsets[rank + 1] = (offsets[rank] as number) + length;
  return offsets;
}

/** Returns the slot of the token with these bytes, or the free slot for them. */
function slotOf(table: TokenTable, bytes: Uint8Array, start: number, end: number): number {
  const { slots } = table;
  let hash = 0x811c9dc5;
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ (bytes[i] as number), 0x01000193);
  const mask = slots.length - 1;
  let slot = (hash ^ (hash >>> 15)) & mask;
  while (slots[slot] !== none && !isToken(table, slots[slot] as number, bytes, start, end))
    slot = (slot + 1) & mask;
  return slot;
}

/** Whether bytes are the token with a rank. */
function isToken(
  { bytes: tokens, offsets }: TokenTable,
  rank: number,
  bytes: Uint8Array,
  start: number,
  end: number,
): boolean {
  const offset = offsets[rank] as number;
  if ((offsets[rank + 1] as number) - offset !== end - start) return false;
  for (let i = start; i < end; i++) if (bytes[i] !== tokens[offset + i - start]) return false;
  return true;
}
