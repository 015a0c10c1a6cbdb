import type { ImageReader } from "../image/image-reader.js";
import type { ImageWriter } from "../image/image-writer.js";
import { createKernel, type Kernel } from "./kernel.js";

/** Number of rows in a chunk. Must equal `chunkRows` in scan.as.ts. */
export const chunkRows = 64;
const pageBytes = 65_536;
/** 4 GiB, the most that 32-bit addresses can address. */
const maximumPages = 65_536;
/** Bytes of a float32 and of an int32. */
export const numberBytes = 4;

/** Maximum number of rows that one call of `Kernel.scanSome` compares; a multiple of four. */
export const blockRows = 512;

/**
 * The WebAssembly memory of a kernel, with the vectors of rows. The query comes first: as int16 for
 * the scan, as float32 for exact scores. Then comes the block for `Kernel.scanSome`: the numbers,
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
 * An address is a byte offset in the memory.
 */
export class VectorMemory {
  readonly kernel: Kernel;
  /** The dimension rounded up to a multiple of 16; zeros fill the rest. */
  readonly width: number;
  /** Bytes of a chunk's plane: the distance from a row's high part to its low part. */
  readonly planeBytes: number;
  /** Address of the query as float32. Its int16 numbers are at address 0. */
  readonly unitVectorAt: number;
  readonly blockAt: number;
  readonly chunksStart: number;
  readonly chunkBytes: number;
  /** Views of the whole memory. `reserve` replaces them. */
  bytes: Int8Array<ArrayBuffer>;
  floats: Float32Array<ArrayBuffer>;
  rowNumbers: Int32Array<ArrayBuffer>;
  readonly #memory = new WebAssembly.Memory({ initial: 1, maximum: maximumPages });
  #chunks = 0;

  constructor(module: WebAssembly.Module, dimension: number) {
    this.kernel = createKernel(module, this.#memory);
    this.width = Math.ceil(dimension / 16) * 16;
    this.planeBytes = chunkRows * this.width;
    this.unitVectorAt = this.width * Int16Array.BYTES_PER_ELEMENT;
    this.blockAt = this.unitVectorAt + this.width * numberBytes;
    this.chunksStart = this.blockAt + 3 * blockRows * numberBytes;
    this.chunkBytes = 2 * this.planeBytes + 2 * chunkRows * numberBytes;
    this.bytes = new Int8Array(this.#memory.buffer);
    this.floats = new Float32Array(this.#memory.buffer);
    this.rowNumbers = new Int32Array(this.#memory.buffer);
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

  /** Adds chunks until `rows` rows fit into them. */
  reserve(rows: number): void {
    const chunks = Math.ceil(rows / chunkRows);
    if (chunks <= this.#chunks) return;
    const before = this.scoresAt;
    const end = this.chunksStart + chunks * this.chunkBytes;
    const resultBytes = 3 * chunks * chunkRows * numberBytes;
    const { length } = this.bytes;
    const missing = end + resultBytes - length;
    if (missing > 0) {
      // Grows by at least an eighth, because each growth needs new views.
      this.#memory.grow(Math.ceil(Math.max(missing, length / 8) / pageBytes));
      this.bytes = new Int8Array(this.#memory.buffer);
      this.floats = new Float32Array(this.#memory.buffer);
      this.rowNumbers = new Int32Array(this.#memory.buffer);
    }
    // The results of an earlier scan may be where the new chunks are. New memory has zeros.
    this.bytes.fill(0, before, Math.min(end, length));
    this.#chunks = chunks;
  }

  /** @param rows Greater than every row. */
  async save(image: ImageWriter, rows: number): Promise<void> {
    await image.put("vectors", this.#chunksOf(Math.min(rows, this.rowLimit)));
  }

  async load(image: ImageReader): Promise<void> {
    const rows = (image.length("vectors") / this.chunkBytes) * chunkRows;
    this.reserve(rows);
    const { buffer, byteOffset, byteLength } = this.#chunksOf(rows);
    await image.read("vectors", new Uint8Array(buffer, byteOffset, byteLength));
  }

  /** Returns the chunks of the first rows. */
  #chunksOf(rows: number): Int8Array<ArrayBuffer> {
    const { bytes, chunksStart, chunkBytes } = this;
    const end = chunksStart + Math.ceil(rows / chunkRows) * chunkBytes;
    return bytes.subarray(chunksStart, end);
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
}
