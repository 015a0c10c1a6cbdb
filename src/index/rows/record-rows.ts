import type { Memory } from "../../core/model/memory.js";
import type { RecordCodec } from "../../core/ports/record-codec.js";
import type { IndexedMemory } from "../../core/ports/search-index.js";
import { empty, gathered, withRoom } from "../columns/column.js";
import type { ImageReader } from "../image/image-reader.js";
import type { ImageWriter } from "../image/image-writer.js";

/** Bytes of a block. */
const blockBytes = 2 ** 20;

/** Length of the first block of a small namespace. */
const firstBlockBytes = 512;

/**
 * The records are packed anew when more bytes than this, and more than this share of all bytes, are
 * not in use.
 */
const unusedMax = { bytes: 4_096, share: 1 / 2 };

/** The mark of a text without words in `#signatures`. */
const noSignature = Number.NaN;

/**
 * The records of rows as packed bytes. A record is unpacked at each use, which takes about a
 * microsecond. As an object, it would take several times the RAM.
 *
 * The bytes lie in blocks, so that adding a record never copies more than a block. A record that is
 * longer than a block has a block of its own.
 */
export class RecordRows {
  readonly #codec: RecordCodec;
  #blocks: Uint8Array<ArrayBuffer>[] = [];
  /** Bytes in use in the last block. */
  #filled = 0;
  /** Bytes of all records, and of the places that records have left. */
  #used = 0;
  #unused = 0;
  /** By row: the block of the record, where it begins in the block, and its length; 0: none. */
  #blockNumbers = empty.uint16;
  #starts = empty.uint32;
  #lengths = empty.uint32;
  /** By row: see `IndexedMemory.wordSignature`. */
  #signatures = empty.float64;

  constructor(codec: RecordCodec) {
    this.#codec = codec;
  }

  get bytes(): number {
    const columns = [this.#blockNumbers, this.#starts, this.#lengths, this.#signatures];
    return [...this.#blocks, ...columns].reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  /** Sets the record of a row. `undefined`: the text has no words. */
  set(row: number, memory: Memory, wordSignature: number | undefined): void {
    const bytes = this.#codec.encode(memory);
    if (row >= this.#lengths.length) {
      this.#blockNumbers = withRoom(this.#blockNumbers, row + 1);
      this.#starts = withRoom(this.#starts, row + 1);
      this.#lengths = withRoom(this.#lengths, row + 1);
      this.#signatures = withRoom(this.#signatures, row + 1);
    }
    this.clear(row);
    this.#append(row, bytes);
    this.#signatures[row] = wordSignature ?? noSignature;
    if (this.#unused > Math.max(unusedMax.bytes, unusedMax.share * this.#used)) this.#repack();
  }

  /** Removes the record of a row. */
  clear(row: number): void {
    this.#unused += this.#lengths[row] ?? 0;
    this.#lengths[row] = 0;
    this.#signatures[row] = noSignature;
  }

  /**
   * Saves the records without the places that records have left.
   *
   * @param rows Greater than every row.
   */
  async save(image: ImageWriter, rows: number): Promise<void> {
    const copy = new RecordRows(this.#codec);
    copy.#blockNumbers = new Uint16Array(rows);
    copy.#starts = new Uint32Array(rows);
    copy.#lengths = new Uint32Array(rows);
    for (let row = 0; row < rows; row++) {
      const length = this.#lengths[row] as number;
      if (length === 0) continue;
      copy.#append(row, this.#bytesOf(row));
      await image.pause();
    }
    image.set("records", [copy.#blocks.length, copy.#used]);
    for (const [number, block] of copy.#blocks.entries()) {
      const isLast = number === copy.#blocks.length - 1;
      await image.put(`records.${number}`, isLast ? block.subarray(0, copy.#filled) : block);
    }
    await image.put("record-blocks", copy.#blockNumbers);
    await image.put("record-starts", copy.#starts);
    await image.put("record-lengths", copy.#lengths);
    await image.put("word-signatures", this.#signatures.subarray(0, rows));
  }

  async load(image: ImageReader): Promise<void> {
    const [blocks, used] = image.value<[number, number]>("records");
    this.#blocks = [];
    for (let number = 0; number < blocks; number++)
      this.#blocks.push(await image.column(`records.${number}`, Uint8Array));
    this.#filled = this.#blocks.at(-1)?.length ?? 0;
    this.#used = used;
    this.#blockNumbers = await image.column("record-blocks", Uint16Array);
    this.#starts = await image.column("record-starts", Uint32Array);
    this.#lengths = await image.column("record-lengths", Uint32Array);
    this.#signatures = await image.column("word-signatures", Float64Array);
  }

  /** Returns the record of a row. Requires: the row has one. */
  at(row: number): Memory {
    const block = this.#blocks[this.#blockNumbers[row] as number] as Uint8Array;
    const start = this.#starts[row] as number;
    return this.#codec.decode(block, start, start + (this.#lengths[row] as number));
  }

  /** See `IndexedMemory.wordSignature`. */
  wordSignature(row: number): IndexedMemory["wordSignature"] {
    const signature = this.#signatures[row] as number;
    return Number.isNaN(signature) ? undefined : signature;
  }

  /** Gives row i the record of row `kept[i]`. Requires: `kept` ascends. */
  compact(kept: Int32Array): void {
    this.#blockNumbers = gathered(this.#blockNumbers, kept);
    this.#starts = gathered(this.#starts, kept);
    this.#lengths = gathered(this.#lengths, kept);
    this.#signatures = gathered(this.#signatures, kept);
    this.#repack();
  }

  #bytesOf(row: number): Uint8Array {
    const block = this.#blocks[this.#blockNumbers[row] as number] as Uint8Array;
    const start = this.#starts[row] as number;
    return block.subarray(start, start + (this.#lengths[row] as number));
  }

  #append(row: number, bytes: Uint8Array): void {
    const block = this.#blockWithRoom(bytes.length);
    block.set(bytes, this.#filled);
    this.#blockNumbers[row] = this.#blocks.length - 1;
    this.#starts[row] = this.#filled;
    this.#lengths[row] = bytes.length;
    this.#filled += bytes.length;
    this.#used += bytes.length;
  }

  /** Returns the last block, with room for a record of this length. */
  #blockWithRoom(length: number): Uint8Array<ArrayBuffer> {
    const last = this.#blocks.at(-1);
    const end = this.#filled + length;
    if (last !== undefined && end <= last.length) return last;
    const isFirst = this.#blocks.length === 1 && last !== undefined && end <= blockBytes;
    const size = isFirst
      ? Math.min(blockBytes, Math.ceil(end * 1.25))
      : this.#blocks.length === 0
        ? Math.max(length, firstBlockBytes)
        : Math.max(length, blockBytes);
    const block = new Uint8Array(size);
    if (isFirst) {
      block.set(last);
      this.#blocks = [block];
    } else {
      this.#blocks.push(block);
      this.#filled = 0;
    }
    return block;
  }

  /** Moves all records to new blocks, without the places that records have left. */
  #repack(): void {
    const before = this.#blocks;
    const [numbers, starts] = [this.#blockNumbers, this.#starts];
    this.#blockNumbers = new Uint16Array(numbers.length);
    this.#starts = new Uint32Array(starts.length);
    this.#blocks = [];
    this.#filled = 0;
    this.#used = 0;
    this.#unused = 0;
    for (let row = 0; row < starts.length; row++) {
      const length = this.#lengths[row] as number;
      if (length === 0) continue;
      const start = starts[row] as number;
      const block = before[numbers[row] as number] as Uint8Array;
      this.#append(row, block.subarray(start, start + length));
    }
  }
}
