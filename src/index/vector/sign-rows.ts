import { createPause } from "../../core/requests/pause.js";
import { loadKernelModule } from "./kernel.js";

/** Number of rows in a chunk. Must equal `chunkRows` in signs.as.ts. */
const chunkRows = 64;

/** Bytes of a float32 and of an int32. */
const numberBytes = 4;

/** Bytes of the histogram of scores; see `chooseBest` in signs.as.ts. */
const countsBytes = 2_048 * numberBytes;

const pageBytes = 65_536;
/** 4 GiB, the most that 32-bit addresses can address. */
const maximumPages = 65_536;

/** The mean of all vectors is the mean of at most this many. */
const sampleMax = 4_096;

/** A number of a query has 4 bits. */
const greatestDigit = 15;

/** The functions that signs.as.ts exports. Addresses are byte offsets in the imported memory. */
interface SignKernel {
  scanSigns(
    chunk: number,
    chunkBytes: number,
    rows: number,
    stride: number,
    planes: number,
    low: number,
    step: number,
    half: number,
    scores: number,
  ): void;
  chooseBest(scores: number, rows: number, wanted: number, counts: number, chosen: number): number;
}

/** Unit vectors by row. */
interface UnitVectors {
  readonly dimension: number;
  /** Copies a row's vector to `target`. Returns false if the row has none. */
  read(row: number, target: Float32Array): boolean;
}

/**
 * One bit for each number of each vector: whether the number is above the mean of all vectors. With
 * them, the rows that may be near a query are found by reading 40 bytes a row (for 256 numbers), in
 * place of 264.
 *
 * The estimate is that of RaBitQ (Gao and Long, SIGMOD 2024) without its rotation: a vector without
 * the mean is about `factor * signs`, where `factor` gives the estimate of its product with itself
 * the right value.
 *
 * The memory has the four planes of the query, the histogram, and then chunks of 64 rows:
 *
 *     bits[64][stride] | factor[64] float32 | set bits[64] float32
 *
 * After the last chunk come the scores and the chosen rows of the last search.
 */
export class SignRows {
  readonly #vectors: UnitVectors;
  readonly #memory = new WebAssembly.Memory({ initial: 1, maximum: maximumPages });
  readonly #kernel: SignKernel;
  readonly #stride: number;
  readonly #chunkBytes: number;
  readonly #chunksAt: number;
  readonly #mean: Float32Array;
  readonly #row: Float32Array;
  /** Number of rows for which the mean was computed. */
  readonly #meanRows: number;
  #chunks = 0;
  #rows = 0;

  /** @param rowLimit greater than every row with a vector */
  constructor(vectors: UnitVectors, rowLimit: number) {
    const instance = new WebAssembly.Instance(loadKernelModule("signs"), {
      env: { memory: this.#memory },
    });
    // The module is compiled from signs.as.ts, which exports these functions.
    this.#kernel = instance.exports as unknown as SignKernel;
    this.#vectors = vectors;
    this.#stride = Math.ceil(vectors.dimension / 128) * 16;
    this.#chunkBytes = chunkRows * (this.#stride + 2 * numberBytes);
    this.#chunksAt = 4 * this.#stride + countsBytes;
    this.#row = new Float32Array(vectors.dimension);
    this.#mean = this.#meanOf(rowLimit);
    this.#meanRows = rowLimit;
  }

  get bytes(): number {
    return this.#memory.buffer.byteLength;
  }

  /** Whether all rows below `rowLimit` have bits. */
  isComplete(rowLimit: number): boolean {
    return this.#rows >= rowLimit;
  }

  /** Whether most rows came after the mean was computed, which may be another one now. */
  isOutdated(rowLimit: number): boolean {
    return rowLimit > 2 * this.#meanRows;
  }

  /** Makes the bits of the rows that have none, in steps. Stops when `isEnded` returns true. */
  async fill(rowLimit: () => number, isEnded: () => boolean): Promise<void> {
    const pause = createPause();
    while (this.#rows < rowLimit() && !isEnded()) {
      this.follow(this.#rows);
      await pause();
    }
  }

  /** Makes the bits of a row whose vector has changed. Leaves a row to `fill` that comes later. */
  follow(row: number): void {
    if (row > this.#rows) return;
    this.#rows = Math.max(this.#rows, row + 1);
    this.#reserve(row + 1);
    const chunk = this.#chunksAt + Math.floor(row / chunkRows) * this.#chunkBytes;
    const place = row % chunkRows;
    const bits = new Uint8Array(this.#memory.buffer, chunk + place * this.#stride, this.#stride);
    const floats = new Float32Array(
      this.#memory.buffer,
      chunk + chunkRows * this.#stride,
      2 * chunkRows,
    );
    bits.fill(0);
    floats[place] = 0;
    floats[chunkRows + place] = 0;
    if (!this.#vectors.read(row, this.#row)) return;
    let [squares, sum, ones] = [0, 0, 0];
    for (let at = 0; at < this.#row.length; at++) {
      const centred = (this.#row[at] as number) - (this.#mean[at] as number);
      squares += centred * centred;
      sum += Math.abs(centred);
      if (centred < 0) continue;
      ones += 1;
      bits[at >> 3] = (bits[at >> 3] as number) | (1 << (at & 7));
    }
    floats[place] = sum === 0 ? 0 : squares / sum;
    floats[chunkRows + place] = ones;
  }

  /**
   * Returns about `wanted` of the rows below `rowLimit` that are probably the nearest to a query,
   * ascending. Requires: `isComplete`.
   */
  nearest(query: Float32Array, rowLimit: number, wanted: number): Int32Array {
    const { low, step, half } = this.#setQuery(query);
    const scores = this.#chunksAt + this.#chunks * this.#chunkBytes;
    const chosen = scores + this.#chunks * chunkRows * numberBytes;
    this.#kernel.scanSigns(
      this.#chunksAt,
      this.#chunkBytes,
      rowLimit,
      this.#stride,
      0,
      low,
      step,
      half,
      scores,
    );
    const count = this.#kernel.chooseBest(scores, rowLimit, wanted, 4 * this.#stride, chosen);
    return new Int32Array(this.#memory.buffer, chosen, count).slice();
  }

  /** Writes the planes of a query. Returns what its 4-bit numbers stand for. */
  #setQuery(query: Float32Array): {
    readonly low: number;
    readonly step: number;
    readonly half: number;
  } {
    let [low, high, half] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
    for (const number of query) {
      low = Math.min(low, number);
      high = Math.max(high, number);
      half += number / 2;
    }
    const step = (high - low) / greatestDigit;
    const planes = new Uint8Array(this.#memory.buffer, 0, 4 * this.#stride).fill(0);
    for (const [at, number] of query.entries()) {
      const digit = step === 0 ? 0 : Math.round((number - low) / step);
      for (let plane = 0; plane < 4; plane++)
        if ((digit >> plane) & 1) {
          const place = plane * this.#stride + (at >> 3);
          planes[place] = (planes[place] as number) | (1 << (at & 7));
        }
    }
    return { low, step, half };
  }

  #meanOf(rowLimit: number): Float32Array {
    const mean = new Float32Array(this.#vectors.dimension);
    let count = 0;
    const every = Math.max(1, Math.floor(rowLimit / sampleMax));
    for (let row = 0; row < rowLimit; row += every) {
      if (!this.#vectors.read(row, this.#row)) continue;
      count += 1;
      for (const [at, number] of this.#row.entries()) mean[at] = (mean[at] as number) + number;
    }
    return mean.map((sum) => (count === 0 ? 0 : sum / count));
  }

  /** Adds chunks until `rows` rows fit into them. */
  #reserve(rows: number): void {
    const chunks = Math.ceil(rows / chunkRows);
    if (chunks <= this.#chunks) return;
    const before = this.#chunksAt + this.#chunks * this.#chunkBytes;
    const end = this.#chunksAt + chunks * this.#chunkBytes;
    const { byteLength } = this.#memory.buffer;
    const missing = end + 2 * chunks * chunkRows * numberBytes - byteLength;
    if (missing > 0) this.#memory.grow(Math.ceil(Math.max(missing, byteLength / 8) / pageBytes));
    // The results of an earlier search may be where the new chunks are.
    new Uint8Array(this.#memory.buffer).fill(0, before, Math.min(end, byteLength));
    this.#chunks = chunks;
  }
}
