import { empty } from "../columns/column.js";
import type { ImageReader } from "../image/image-reader.js";
import type { ImageWriter } from "../image/image-writer.js";
import type { Kernel } from "./kernel.js";
import type { Holder, KernelMemory } from "./kernel-memory.js";

/** Number of rows in a chunk. Must equal `chunkRows` in scan.as.ts. */
export const chunkRows = 64;
/** Bytes of a float32 and of an int32. */
export const numberBytes = 4;

/** Maximum number of rows that one call of `Kernel.scanSome` compares; a multiple of four. */
export const blockRows = 512;

/**
 * Chunks of at most this many bytes stay in the shared memory. Copying them there takes about 10
 * microseconds.
 */
const sharedBytesMax = 256 * 1024;

/**
 * The vectors of rows in the memory of a kernel. The query comes first: as int16 for the scan, as
 * float32 for exact scores. Then comes the block for `Kernel.scanSome`: the numbers,
 * scores and errors of up to 512 rows. Chunks of 64 rows follow:
 *
 *     high[64][dimension] int8 | low[64][dimension] int8 | scale[64] | error[64] float32
 *
 * After the last chunk come three columns of the last scan, each with one number for each row that
 * fits: the scores, their errors, and keyword scores or row numbers.
 *
 * The scan reads only the high plane, half of all bytes. `error` is the length of the part of the
 * vector that the scan leaves out: the low plane, and the rounding to 16 bits. With the rounding
 * error of the query, it limits the error of a score (`scanError`). This limit decides which rows
 * need an exact score.
 *
 * Small namespaces share one memory. It has the vectors of the one that was used last. The others
 * keep theirs packed:
 *
 *     whole chunks | high[n][dimension] int8 | low[n][dimension] int8 | scale[n] | error[n] float32
 *
 * with the last n rows, fewer than 64. A namespace that grows gets a memory of its own.
 */
export class VectorMemory implements Holder {
  /** The dimension rounded up to a multiple of 16; zeros fill the rest. */
  readonly width: number;
  /** Bytes of a chunk's plane: the distance from a row's high part to its low part. */
  readonly planeBytes: number;
  /** Address of the query as float32. Its int16 numbers are at address 0. */
  readonly unitVectorAt: number;
  readonly blockAt: number;
  readonly chunksStart: number;
  readonly chunkBytes: number;
  readonly #shared: KernelMemory;
  /** The shared memory, or that of this namespace alone. */
  #memory: KernelMemory;
  #rows = 0;
  #chunks = 0;
  /** The rows as they were when they were last packed. */
  #packed = empty.int8;
  /** Whether rows have changed since. */
  #isChanged = false;

  constructor(shared: KernelMemory, dimension: number) {
    this.#shared = shared;
    this.#memory = shared;
    this.width = Math.ceil(dimension / 16) * 16;
    this.planeBytes = chunkRows * this.width;
    this.unitVectorAt = this.width * Int16Array.BYTES_PER_ELEMENT;
    this.blockAt = this.unitVectorAt + this.width * numberBytes;
    this.chunksStart = this.blockAt + 3 * blockRows * numberBytes;
    this.chunkBytes = 2 * this.planeBytes + 2 * chunkRows * numberBytes;
  }

  get kernel(): Kernel {
    return this.#entered().kernel;
  }

  /** The whole memory. After `reserve`, it is another view. */
  get bytes(): Int8Array<ArrayBuffer> {
    return this.#entered().bytes;
  }

  /** The same memory as float32. */
  get floats(): Float32Array<ArrayBuffer> {
    return this.#entered().floats;
  }

  /** The same memory as int32. */
  get rowNumbers(): Int32Array<ArrayBuffer> {
    return this.#entered().rowNumbers;
  }

  /** Bytes in RAM, without the shared memory. */
  get residentBytes(): number {
    return this.#isShared ? this.#packedBytes(this.#rows) : this.#memory.bytes.byteLength;
  }

  /** Number of rows that fit into the chunks. */
  get rowLimit(): number {
    return this.#chunks * chunkRows;
  }

  /** Address of the scores of the last scan. */
  get scoresAt(): number {
    return this.chunksStart + this.#chunks * this.chunkBytes;
  }

  /** Address of the errors of these scores. */
  get errorsAt(): number {
    return this.scoresAt + this.rowLimit * numberBytes;
  }

  /** Address of the keyword scores, which the kernel replaces by row numbers. */
  get keywordsAt(): number {
    return this.errorsAt + this.rowLimit * numberBytes;
  }

  /** Makes room for `rows` rows. The caller may then change them. */
  reserve(rows: number): void {
    const chunks = Math.ceil(rows / chunkRows);
    if (chunks * this.chunkBytes > sharedBytesMax) this.#separate();
    const memory = this.#entered();
    if (chunks > this.#chunks) {
      const before = this.#chunks;
      const { length } = memory.bytes;
      this.#chunks = chunks;
      memory.reserve(this.#end);
      // The results of an earlier scan may be where the new chunks are. New memory has zeros.
      this.#clearChunks(before, length);
    }
    this.#rows = Math.max(this.#rows, rows);
    this.#isChanged = true;
  }

  /** Notes that only the first `rows` rows may have vectors. */
  keep(rows: number): void {
    this.#rows = Math.min(this.#rows, rows);
  }

  /** See `Holder`. */
  leave(): void {
    if (this.#isChanged) this.#packed = this.#pack(this.#rows);
    this.#isChanged = false;
  }

  /** @param rows Greater than every row. */
  async save(image: ImageWriter, rows: number): Promise<void> {
    const saved = Math.min(rows, this.rowLimit);
    const whole = (saved >>> 6) * this.chunkBytes;
    if (this.#isShared) {
      // The copy, because another namespace may use the memory meanwhile.
      const packed = this.#pack(saved);
      await image.put("vectors", packed.subarray(0, whole));
      await image.put("lastVectors", packed.subarray(whole));
    } else {
      await image.put("vectors", this.bytes.subarray(this.chunksStart, this.chunksStart + whole));
      await image.put("lastVectors", this.#packLast(saved));
    }
  }

  async load(image: ImageReader): Promise<void> {
    const whole = image.length("vectors");
    const last = image.length("lastVectors");
    const rows = (whole / this.chunkBytes) * chunkRows + last / this.#packedBytes(1);
    if (Math.ceil(rows / chunkRows) * this.chunkBytes > sharedBytesMax) {
      this.reserve(rows);
      const { buffer } = this.bytes;
      await image.read("vectors", new Uint8Array(buffer, this.chunksStart, whole));
      const packed = new Int8Array(last);
      await image.read("lastVectors", new Uint8Array(packed.buffer));
      this.#unpackLast(packed);
      return;
    }
    const packed = new Uint8Array(whole + last);
    await image.read("vectors", packed.subarray(0, whole));
    await image.read("lastVectors", packed.subarray(whole));
    this.#packed = new Int8Array(packed.buffer);
    this.#rows = rows;
    this.#chunks = Math.ceil(rows / chunkRows);
  }

  /** Returns the address of a row's high part. The row's low part lies `planeBytes` later. */
  highAt(row: number): number {
    return this.chunksStart + (row >>> 6) * this.chunkBytes + (row & 63) * this.width;
  }

  /**
   * Returns the index of a row's scale in `floats`. The row's error follows 64 entries later.
   */
  scaleAt(row: number): number {
    return (
      (this.chunksStart + (row >>> 6) * this.chunkBytes + 2 * this.planeBytes) / numberBytes +
      (row & 63)
    );
  }

  get #isShared(): boolean {
    return this.#memory === this.#shared;
  }

  /** Address after the columns of the last scan. */
  get #end(): number {
    return this.keywordsAt + this.rowLimit * numberBytes;
  }

  /** Returns the memory, with the vectors of these rows in it. */
  #entered(): KernelMemory {
    if (this.#memory.holder !== this) this.#enter();
    return this.#memory;
  }

  #enter(): void {
    const memory = this.#memory;
    memory.holder?.leave();
    memory.holder = this;
    memory.reserve(this.#end);
    // The numbers after those of a query must be zeros.
    memory.bytes.fill(0, 0, this.blockAt);
    // The rest of the last chunk must be free of other vectors.
    this.#clearChunks(this.#rows >>> 6, memory.bytes.length);
    const whole = (this.#rows >>> 6) * this.chunkBytes;
    memory.bytes.set(this.#packed.subarray(0, whole), this.chunksStart);
    this.#unpackLast(this.#packed.subarray(whole));
  }

  /** Moves the rows to a memory of their own, unless the process has too many. */
  #separate(): void {
    if (!this.#isShared) return;
    const memory = this.#shared.separate();
    if (memory === undefined) return;
    if (this.#shared.holder === this) {
      this.leave();
      this.#shared.holder = undefined;
    }
    this.#memory = memory;
    this.#enter();
    this.#packed = new Int8Array(0);
  }

  /** Fills the chunks from a number on with zeros, up to the address `end`. */
  #clearChunks(from: number, end: number): void {
    const start = this.chunksStart + from * this.chunkBytes;
    if (start < end) this.#memory.bytes.fill(0, start, Math.min(this.scoresAt, end));
  }

  #packedBytes(rows: number): number {
    return (rows >>> 6) * this.chunkBytes + (rows & 63) * (2 * this.width + 2 * numberBytes);
  }

  /** Returns the first rows, packed. */
  #pack(rows: number): Int8Array<ArrayBuffer> {
    const packed = new Int8Array(this.#packedBytes(rows));
    const whole = (rows >>> 6) * this.chunkBytes;
    packed.set(this.bytes.subarray(this.chunksStart, this.chunksStart + whole));
    packed.set(this.#packLast(rows), whole);
    return packed;
  }

  /** Returns the rows that fill no chunk, packed. */
  #packLast(rows: number): Int8Array<ArrayBuffer> {
    const packed = new Int8Array(this.#packedBytes(rows & 63));
    let to = 0;
    for (const [start, length] of this.#partsOfLast(rows)) {
      packed.set(this.bytes.subarray(start, start + length), to);
      to += length;
    }
    return packed;
  }

  #unpackLast(packed: Int8Array): void {
    const { bytes } = this;
    let from = 0;
    for (const [start, length] of this.#partsOfLast(this.#rows)) {
      bytes.set(packed.subarray(from, from + length), start);
      from += length;
    }
  }

  /** Returns the addresses and lengths of the parts of the rows that fill no chunk. */
  #partsOfLast(rows: number): readonly (readonly [start: number, length: number])[] {
    const count = rows & 63;
    if (count === 0) return [];
    const chunk = this.chunksStart + (rows >>> 6) * this.chunkBytes;
    const scales = chunk + 2 * this.planeBytes;
    return [
      [chunk, count * this.width],
      [chunk + this.planeBytes, count * this.width],
      [scales, count * numberBytes],
      [scales + chunkRows * numberBytes, count * numberBytes],
    ];
  }
}
