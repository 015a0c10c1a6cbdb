import { crc32 } from "node:zlib";
import { createKernel, type Kernel } from "./kernel.js";
import { certainlyReached, clampCosine, measure, scanError } from "./vector-math.js";

/** Number of rows in a chunk. Must equal `chunkRows` in scan.as.ts. */
const chunkRows = 64;
const pageBytes = 65_536;
/** 4 GiB, the most that 32-bit addresses can address. */
const maximumPages = 65_536;

/**
 * A number of a row is `254 * high + low` times the row's scale. Both parts range from -127 to 127,
 * about 16 bits together.
 */
const highUnit = 254;
const greatestValue = highUnit * 127 + 126;

/**
 * Greatest number of a query in the scan, so that the sums fit into int32: 127 × 4,095 × 4,096
 * dimensions is below 2^31.
 */
const greatestQueryValue = 4_095;

/** Maximum number of rows that one call of `Kernel.scanSome` compares; a multiple of four. */
const blockRows = 512;

/** This many of the best rows get exact scores, and so do all rows that may be among them. */
const exactScores = 256;

/**
 * Unit vectors by row, in WebAssembly memory. The query comes first: as int16 for the scan, as
 * float32 for exact scores. Then comes the block for `Kernel.scanSome`: the numbers, scores and
 * errors of up to 512 rows. Chunks of 64 rows follow:
 *
 *     high[64][dimension] int8 | low[64][dimension] int8 | scale[64] | error[64] | score[64] float32
 *
 * After the last chunk come the cosines of all rows, which the last call of `score` has written.
 *
 * The scan reads only the high plane, half of all bytes. `error` is the length of the part of the
 * vector that the scan leaves out: the low plane, and the rounding to 16 bits. With the rounding
 * error of the query, it limits the error of a score (`scanError`). This limit decides which rows
 * need an exact score.
 */
export class VectorRows {
  readonly #memory = new WebAssembly.Memory({ initial: 1, maximum: maximumPages });
  readonly #kernel: Kernel;
  /** `dimension` rounded up to a multiple of 16; zeros fill the rest. */
  readonly #width: number;
  /** Bytes of a chunk's plane: the distance from a row's high part to its low part. */
  readonly #planeBytes: number;
  readonly #unitVectorAt: number;
  readonly #blockAt: number;
  readonly #chunksStart: number;
  readonly #chunkBytes: number;
  #chunks = 0;
  #bytes: Int8Array;
  #shorts: Int16Array;
  #floats: Float32Array;
  #rowNumbers: Int32Array;
  /** By position in the rows of `scoreSome`: the error of the row, as in the chunks. */
  #errors = new Float32Array(0);

  constructor(
    module: WebAssembly.Module,
    readonly dimension: number,
  ) {
    this.#kernel = createKernel(module, this.#memory);
    this.#width = Math.ceil(dimension / 16) * 16;
    this.#planeBytes = chunkRows * this.#width;
    this.#unitVectorAt = this.#width * Int16Array.BYTES_PER_ELEMENT;
    this.#blockAt = this.#unitVectorAt + this.#width * Float32Array.BYTES_PER_ELEMENT;
    this.#chunksStart = this.#blockAt + 3 * blockRows * Int32Array.BYTES_PER_ELEMENT;
    this.#chunkBytes = 2 * this.#planeBytes + 3 * chunkRows * Float32Array.BYTES_PER_ELEMENT;
    this.#bytes = new Int8Array(this.#memory.buffer);
    this.#shorts = new Int16Array(this.#memory.buffer);
    this.#floats = new Float32Array(this.#memory.buffer);
    this.#rowNumbers = new Int32Array(this.#memory.buffer);
  }

  get bytes(): number {
    return this.#memory.buffer.byteLength + this.#errors.byteLength;
  }

  /**
   * Sets a row's vector, scaled to unit length. Zeros or `undefined` mean no vector. All cosines of
   * a row without a vector are 0.
   */
  set(row: number, vector: Float32Array | undefined): void {
    if (vector !== undefined && vector.length !== this.dimension) {
      throw new Error(
        `a vector of ${vector.length} numbers in a namespace of dimension ${this.dimension}`,
      );
    }
    this.#reserve(row + 1);
    const scaleAt = this.#scaleAt(row);
    this.#floats[scaleAt] = 0;
    if (vector === undefined) return;
    const { length, greatest } = measure(vector);
    if (length === 0) return;
    this.#writeUnitVector(vector, length);
    const scale = greatest / (length * greatestValue);
    const high = this.#highAt(row);
    const lowSquares = this.#kernel.quantize(
      this.#unitVectorAt,
      1 / scale,
      high,
      high + this.#planeBytes,
      this.#width,
    );
    this.#floats[scaleAt] = scale;
    // The second term is the loss from rounding to 16 bits.
    this.#floats[scaleAt + chunkRows] =
      scale * (Math.sqrt(lowSquares) + Math.sqrt(this.#width) / 2);
  }

  /**
   * Writes the cosine of the query and each row below `rowCount` to `scores`. The cosines of the
   * best 256 rows, and of all rows that might be among them, are exact to about 0.00001. All other
   * cosines are exact to about 0.005 and never outrank the cosines of the best rows. Returns the
   * greatest cosine if it is above 0, and otherwise a number that is not above 0.
   *
   * Requires: the query has `dimension` numbers.
   */
  score(query: Float32Array, rowCount: number, scores: Float32Array): number {
    const rows = Math.min(rowCount, this.#rowLimit);
    const scan = this.#beginScan(query);
    if (scan === undefined) {
      scores.fill(0, 0, rowCount);
      return 0;
    }
    const { factor, queryError } = scan;
    const [chunks, chunkBytes, width] = [this.#chunksStart, this.#chunkBytes, this.#width];
    const scoresAt = this.#chunksStart + this.#chunks * this.#chunkBytes;
    this.#kernel.scan(chunks, chunkBytes, rows, width, 0, factor);
    const greatest = this.#kernel.rescore(
      chunks,
      chunkBytes,
      rows,
      width,
      this.#unitVectorAt,
      queryError,
      exactScores,
      this.#blockAt,
      scoresAt,
    );
    const start = scoresAt / Float32Array.BYTES_PER_ELEMENT;
    scores.set(this.#floats.subarray(start, start + rows));
    scores.fill(0, rows, rowCount);
    return greatest;
  }

  /**
   * Does the same as `score` for the first `count` of `rows`. The cosines are as exact as if no
   * other rows existed.
   *
   * Requires: the query has `dimension` numbers, and each of the rows was set.
   *
   * @param minimums by position in `rows`: if the cosine is certainly lower, it need not be exact
   */
  scoreSome(
    query: Float32Array,
    rows: Int32Array,
    count: number,
    scores: Float32Array,
    minimums?: Float32Array,
  ): void {
    const scan = this.#beginScan(query);
    if (scan === undefined) {
      scores.fill(0, 0, count);
      return;
    }
    if (this.#errors.length < count) this.#errors = new Float32Array(Math.ceil(count * 1.25));
    for (let from = 0; from < count; from += blockRows) {
      this.#scanBlock(
        rows.subarray(from, Math.min(count, from + blockRows)),
        from,
        scores,
        scan.factor,
      );
    }
    const rowAt = (place: number) => rows[place] as number;
    if (minimums === undefined) this.#rescore(count, scan.queryError, scores, rowAt);
    else
      for (let place = 0; place < count; place++) {
        const possible = this.#possibleScore(place, scan.queryError, scores);
        if (possible >= (minimums[place] as number)) scores[place] = this.#exactScore(rowAt(place));
      }
  }

  /** Returns the highest score that a scanned row may have. */
  #possibleScore(place: number, queryError: number, scores: Float32Array): number {
    return (scores[place] as number) + scanError(this.#errors[place] as number, queryError);
  }

  /**
   * Returns a number below 2^52 that identifies a row's vector. Two vectors almost never have the
   * same number. Returns `undefined` if the row has no vector.
   */
  fingerprint(row: number): number | undefined {
    if (!this.#hasVector(row)) return undefined;
    const high = this.#highAt(row);
    const low = high + this.#planeBytes;
    const [highSum, lowSum] = [high, low].map((start) =>
      crc32(this.#bytes.subarray(start, start + this.#width)),
    ) as [number, number];
    return highSum * 2 ** 20 + (lowSum >>> 12);
  }

  /** Copies a row's unit vector to `target`, from `start` on. Requires: the row has a vector. */
  copy(row: number, target: Float32Array, start: number): void {
    const high = this.#highAt(row);
    const low = high + this.#planeBytes;
    const scale = this.#floats[this.#scaleAt(row)] as number;
    for (let i = 0; i < this.dimension; i++) {
      target[start + i] =
        scale * (highUnit * (this.#bytes[high + i] as number) + (this.#bytes[low + i] as number));
    }
  }

  /** Returns the cosine of two rows, exact to about 0.00001; 0 if either has no vector. */
  cosine(rowA: number, rowB: number): number {
    if (Math.max(rowA, rowB) >= this.#rowLimit) return 0;
    const highA = this.#highAt(rowA);
    const highB = this.#highAt(rowB);
    const dot = this.#kernel.dotRows(
      highA,
      highA + this.#planeBytes,
      highB,
      highB + this.#planeBytes,
      this.#width,
    );
    return clampCosine(
      dot *
        (this.#floats[this.#scaleAt(rowA)] as number) *
        (this.#floats[this.#scaleAt(rowB)] as number),
    );
  }

  /**
   * Gives row i the vector of row `kept[i]`. All other rows lose their vectors. Requires: `kept`
   * ascends.
   */
  compact(kept: Int32Array): void {
    const rows = this.#rowLimit;
    for (const [to, from] of kept.entries()) {
      if (from >= rows) break;
      for (const plane of [0, this.#planeBytes]) {
        const start = this.#highAt(from) + plane;
        this.#bytes.copyWithin(this.#highAt(to) + plane, start, start + this.#width);
      }
      for (const column of [0, chunkRows]) {
        this.#floats[this.#scaleAt(to) + column] = this.#floats[
          this.#scaleAt(from) + column
        ] as number;
      }
    }
    for (let row = kept.length; row < rows; row++) this.#floats[this.#scaleAt(row)] = 0;
  }

  /** Writes a vector at unit length to where the kernel reads it as float32. */
  #writeUnitVector(vector: Float32Array, length: number): void {
    const start = this.#unitVectorAt / Float32Array.BYTES_PER_ELEMENT;
    for (let i = 0; i < vector.length; i++)
      this.#floats[start + i] = (vector[i] as number) / length;
  }

  /**
   * Rounds the unit vector to multiples of `step`, and writes the integer factors to where the scan
   * reads them. Returns the length of the rounding error, which is a vector.
   */
  #writeScanQuery(step: number): number {
    const start = this.#unitVectorAt / Float32Array.BYTES_PER_ELEMENT;
    let squares = 0;
    for (let i = 0; i < this.#width; i++) {
      const number = this.#floats[start + i] as number;
      const rounded = Math.round(number / step);
      this.#shorts[i] = rounded;
      squares += (number - rounded * step) ** 2;
    }
    return Math.sqrt(squares);
  }

  /** Prepares a scan. Returns `undefined` for a query of zeros. */
  #beginScan(
    query: Float32Array,
  ): { readonly factor: number; readonly queryError: number } | undefined {
    const { length, greatest } = measure(query);
    if (length === 0) return undefined;
    this.#writeUnitVector(query, length);
    const step = greatest / (length * greatestQueryValue);
    return { factor: step * highUnit, queryError: this.#writeScanQuery(step) };
  }

  /** Scans up to `blockRows` rows, from position `from` on. */
  #scanBlock(rows: Int32Array, from: number, scores: Float32Array, factor: number): void {
    const { length } = rows;
    const start = this.#blockAt / Int32Array.BYTES_PER_ELEMENT;
    const padded = Math.ceil(length / 4) * 4;
    this.#rowNumbers.set(rows, start);
    this.#rowNumbers.fill(0, start + length, start + padded);
    const [scoresStart, errorsStart] = [start + blockRows, start + 2 * blockRows];
    const scoresAt = scoresStart * Float32Array.BYTES_PER_ELEMENT;
    const errorsAt = errorsStart * Float32Array.BYTES_PER_ELEMENT;
    this.#kernel.scanSome(
      this.#chunksStart,
      this.#chunkBytes,
      this.#blockAt,
      padded,
      this.#width,
      0,
      factor,
      scoresAt,
      errorsAt,
    );
    scores.set(this.#floats.subarray(scoresStart, scoresStart + length), from);
    this.#errors.set(this.#floats.subarray(errorsStart, errorsStart + length), from);
  }

  /** Replaces scan scores by exact scores where a row may be among the best. */
  #rescore(
    count: number,
    queryError: number,
    scores: Float32Array,
    rowAt: (place: number) => number,
  ): void {
    const threshold = certainlyReached(scores, this.#errors, count, queryError, exactScores);
    for (let place = 0; place < count; place++) {
      scores[place] =
        this.#possibleScore(place, queryError, scores) < threshold
          ? Math.max(-1, scores[place] as number)
          : this.#exactScore(rowAt(place));
    }
  }

  /** Returns the cosine of a row and the prepared unit vector. */
  #exactScore(row: number): number {
    const high = this.#highAt(row);
    const dot = this.#kernel.dotQuery(
      high,
      high + this.#planeBytes,
      this.#width,
      this.#unitVectorAt,
    );
    return clampCosine(dot * (this.#floats[this.#scaleAt(row)] as number));
  }

  /** Number of rows that fit into the chunks. */
  get #rowLimit(): number {
    return this.#chunks * chunkRows;
  }

  #hasVector(row: number): boolean {
    return row < this.#rowLimit && this.#floats[this.#scaleAt(row)] !== 0;
  }

  /** Adds chunks until `rows` rows fit into them. */
  #reserve(rows: number): void {
    const chunks = Math.ceil(rows / chunkRows);
    if (chunks <= this.#chunks) return;
    const before = this.#chunksStart + this.#chunks * this.#chunkBytes;
    const end = this.#chunksStart + chunks * this.#chunkBytes;
    const scoreBytes = chunks * chunkRows * Float32Array.BYTES_PER_ELEMENT;
    const missing = end + scoreBytes - this.#bytes.length;
    if (missing > 0) {
      // Grows by at least an eighth, because each growth needs new views.
      this.#memory.grow(Math.ceil(Math.max(missing, this.#bytes.length / 8) / pageBytes));
      this.#bytes = new Int8Array(this.#memory.buffer);
      this.#shorts = new Int16Array(this.#memory.buffer);
      this.#floats = new Float32Array(this.#memory.buffer);
      this.#rowNumbers = new Int32Array(this.#memory.buffer);
    }
    // The cosines of an earlier query may be where the new chunks are.
    this.#bytes.fill(0, before, end);
    this.#chunks = chunks;
  }

  /** Returns the address of a row's high part. The row's low part lies `#planeBytes` later. */
  #highAt(row: number): number {
    return this.#chunksStart + (row >>> 6) * this.#chunkBytes + (row & 63) * this.#width;
  }

  /**
   * Returns the index of a row's scale in `#floats`. The row's error follows 64 entries later, the
   * row's score 128 entries later.
   */
  #scaleAt(row: number): number {
    return (
      (this.#chunksStart + (row >>> 6) * this.#chunkBytes + 2 * this.#planeBytes) /
        Float32Array.BYTES_PER_ELEMENT +
      (row & 63)
    );
  }
}
