import { crc32 } from "node:zlib";
import type { FusedMinimum } from "../../core/ports/search-index.js";
import { empty } from "../columns/column.js";
import type { ImageReader } from "../image/image-reader.js";
import type { ImageWriter } from "../image/image-writer.js";
import type { KernelMemory } from "./kernel-memory.js";
import {
  certainlyReached,
  clampCosine,
  sameVectorCosine,
  scanError,
  scoreSlack,
  takeFrom,
} from "./vector-math.js";
import { blockRows, chunkRows, numberBytes, VectorMemory } from "./vector-memory.js";

/** A number of a row is `254 * high + low` times the row's scale. */
const highUnit = 254;

/** This many of the best rows get exact scores, and so do all rows that may be among them. */
const exactScores = 256;

/** The rows below `rowCount`, and the fused score that they must reach. */
export interface FusedRows {
  readonly rowCount: number;
  /** By row: the keyword score. */
  readonly keywords: Float32Array;
  /** Rows to choose whatever their scores. */
  readonly kept: Int32Array;
  readonly floor: FusedMinimum;
}

/** Unit vectors by row. */
export class VectorRows {
  readonly dimension: number;
  readonly #memory: VectorMemory;
  /** By position in the rows of `scoreSome`: the error of the row, as in the chunks. */
  #errors = empty.float32;

  constructor(shared: KernelMemory, dimension: number) {
    this.#memory = new VectorMemory(shared, dimension);
    this.dimension = dimension;
  }

  get bytes(): number {
    return this.#memory.residentBytes + this.#errors.byteLength;
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
    this.#memory.reserve(row + 1);
    const scaleAt = this.#memory.scaleAt(row);
    this.#memory.floats[scaleAt] = 0;
    const { unitVectorAt, width, planeBytes } = this.#memory;
    const high = this.#memory.highAt(row);
    const low = high + planeBytes;
    if (vector === undefined) {
      // Images must not have the vectors of deleted texts.
      for (const plane of [high, low]) this.#memory.bytes.fill(0, plane, plane + width);
      return;
    }
    this.#memory.floats.set(vector, unitVectorAt / numberBytes);
    const scaleByte = scaleAt * numberBytes;
    const errorByte = scaleByte + chunkRows * numberBytes;
    this.#memory.kernel.storeRow(
      unitVectorAt,
      this.dimension,
      width,
      high,
      low,
      scaleByte,
      errorByte,
    );
  }

  /** @param rows Greater than every row. */
  async save(image: ImageWriter, rows: number): Promise<void> {
    await this.#memory.save(image, rows);
  }

  async load(image: ImageReader): Promise<void> {
    await this.#memory.load(image);
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
    const rows = Math.min(rowCount, this.#memory.rowLimit);
    const least = this.#scan(query, rows);
    if (least === undefined) {
      scores.fill(0, 0, rowCount);
      return 0;
    }
    const { chunksStart, chunkBytes, width, unitVectorAt, blockAt, scoresAt, errorsAt } =
      this.#memory;
    const greatest = this.#memory.kernel.rescore(
      chunksStart,
      chunkBytes,
      rows,
      width,
      unitVectorAt,
      exactScores,
      least,
      blockAt,
      scoresAt,
      errorsAt,
    );
    const start = scoresAt / numberBytes;
    scores.set(this.#memory.floats.subarray(start, start + rows));
    scores.fill(0, rows, rowCount);
    return greatest;
  }

  /**
   * Chooses the rows whose fused score can reach the floor. Also chooses rows that may have the
   * query's own vector, and rows that miss the floor by a rounding error. Writes the chosen rows to
   * `rows`, ascending, and their cosines to `scores`. A cosine is the same as that of `score`.
   * Returns the number of chosen rows. For a query of zeros, chooses all rows.
   *
   * Requires: the query has `dimension` numbers.
   */
  scoreReaching(
    query: Float32Array,
    { keywords, rowCount, kept, floor }: FusedRows,
    rows: Int32Array,
    scores: Float32Array,
  ): number {
    const compared = Math.min(rowCount, this.#memory.rowLimit);
    const least = this.#scan(query, compared);
    if (least === undefined) return takeFrom(0, rowCount, rows, scores, 0);
    const {
      chunksStart,
      chunkBytes,
      width,
      unitVectorAt,
      blockAt,
      scoresAt,
      errorsAt,
      keywordsAt,
    } = this.#memory;
    const keywordsStart = keywordsAt / numberBytes;
    this.#memory.floats.set(keywords.subarray(0, compared), keywordsStart);
    for (const row of kept)
      if (row < compared) this.#memory.floats[keywordsStart + row] = Number.NaN;
    const count = this.#memory.kernel.chooseReaching(
      chunksStart,
      chunkBytes,
      compared,
      width,
      unitVectorAt,
      exactScores,
      least,
      blockAt,
      scoresAt,
      errorsAt,
      keywordsAt,
      1 - floor.vectorWeight,
      floor.vectorWeight,
      floor.score - scoreSlack,
      sameVectorCosine - scoreSlack,
    );
    const start = scoresAt / numberBytes;
    rows.set(this.#memory.rowNumbers.subarray(keywordsStart, keywordsStart + count));
    scores.set(this.#memory.floats.subarray(start, start + count));
    return takeFrom(compared, rowCount, rows, scores, count);
  }

  /**
   * Scans the first `rows` rows. Returns what `Kernel.scan` returns. For a query of zeros, returns
   * `undefined` and scans nothing.
   */
  #scan(query: Float32Array, rows: number): number | undefined {
    const scan = this.#beginScan(query);
    if (scan === undefined) return undefined;
    const { chunksStart, chunkBytes, width, scoresAt, errorsAt } = this.#memory;
    const { factor, queryError } = scan;
    return this.#memory.kernel.scan(
      chunksStart,
      chunkBytes,
      rows,
      width,
      0,
      factor,
      queryError,
      exactScores,
      scoresAt,
      errorsAt,
    );
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
    const high = this.#memory.highAt(row);
    const low = high + this.#memory.planeBytes;
    const [highSum, lowSum] = [high, low].map((start) =>
      crc32(this.#memory.bytes.subarray(start, start + this.#memory.width)),
    ) as [number, number];
    return highSum * 2 ** 20 + (lowSum >>> 12);
  }

  /** Copies a row's unit vector to `target`, from `start` on. Requires: the row has a vector. */
  copy(row: number, target: Float32Array, start: number): void {
    const high = this.#memory.highAt(row);
    const low = high + this.#memory.planeBytes;
    const scale = this.#memory.floats[this.#memory.scaleAt(row)] as number;
    for (let i = 0; i < this.dimension; i++) {
      target[start + i] =
        scale *
        (highUnit * (this.#memory.bytes[high + i] as number) +
          (this.#memory.bytes[low + i] as number));
    }
  }

  /** Copies a row's unit vector to `target`. Returns false, and copies nothing, if it has none. */
  read(row: number, target: Float32Array): boolean {
    if (!this.#hasVector(row)) return false;
    this.copy(row, target, 0);
    return true;
  }

  /** Returns the cosine of two rows, exact to about 0.00001; 0 if either has no vector. */
  cosine(rowA: number, rowB: number): number {
    if (Math.max(rowA, rowB) >= this.#memory.rowLimit) return 0;
    const highA = this.#memory.highAt(rowA);
    const highB = this.#memory.highAt(rowB);
    const dot = this.#memory.kernel.dotRows(
      highA,
      highA + this.#memory.planeBytes,
      highB,
      highB + this.#memory.planeBytes,
      this.#memory.width,
    );
    return clampCosine(
      dot *
        (this.#memory.floats[this.#memory.scaleAt(rowA)] as number) *
        (this.#memory.floats[this.#memory.scaleAt(rowB)] as number),
    );
  }

  /**
   * Gives row i the vector of row `kept[i]`. All other rows lose their vectors. Requires: `kept`
   * ascends.
   */
  compact(kept: Int32Array): void {
    const rows = this.#memory.rowLimit;
    this.#memory.reserve(rows);
    for (const [to, from] of kept.entries()) {
      if (from >= rows) break;
      for (const plane of [0, this.#memory.planeBytes]) {
        const start = this.#memory.highAt(from) + plane;
        this.#memory.bytes.copyWithin(
          this.#memory.highAt(to) + plane,
          start,
          start + this.#memory.width,
        );
      }
      for (const column of [0, chunkRows]) {
        this.#memory.floats[this.#memory.scaleAt(to) + column] = this.#memory.floats[
          this.#memory.scaleAt(from) + column
        ] as number;
      }
    }
    for (let row = kept.length; row < rows; row++) this.set(row, undefined);
    this.#memory.keep(kept.length);
  }

  /** Prepares a scan. Returns `undefined` for a query of zeros. */
  #beginScan(
    query: Float32Array,
  ): { readonly factor: number; readonly queryError: number } | undefined {
    this.#memory.floats.set(query, this.#memory.unitVectorAt / numberBytes);
    const queryError = this.#memory.kernel.prepareQuery(
      this.#memory.unitVectorAt,
      this.dimension,
      0,
      this.#memory.blockAt,
    );
    if (queryError < 0) return undefined;
    const factor = this.#memory.floats[this.#memory.blockAt / numberBytes] as number;
    return { factor, queryError };
  }

  /** Scans up to `blockRows` rows, from position `from` on. */
  #scanBlock(rows: Int32Array, from: number, scores: Float32Array, factor: number): void {
    const { length } = rows;
    const start = this.#memory.blockAt / numberBytes;
    const padded = Math.ceil(length / 4) * 4;
    this.#memory.rowNumbers.set(rows, start);
    this.#memory.rowNumbers.fill(0, start + length, start + padded);
    const [scoresStart, errorsStart] = [start + blockRows, start + 2 * blockRows];
    const scoresAt = scoresStart * numberBytes;
    const errorsAt = errorsStart * numberBytes;
    this.#memory.kernel.scanSome(
      this.#memory.chunksStart,
      this.#memory.chunkBytes,
      this.#memory.blockAt,
      padded,
      this.#memory.width,
      0,
      factor,
      scoresAt,
      errorsAt,
    );
    scores.set(this.#memory.floats.subarray(scoresStart, scoresStart + length), from);
    this.#errors.set(this.#memory.floats.subarray(errorsStart, errorsStart + length), from);
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
    const high = this.#memory.highAt(row);
    const dot = this.#memory.kernel.dotQuery(
      high,
      high + this.#memory.planeBytes,
      this.#memory.width,
      this.#memory.unitVectorAt,
    );
    return clampCosine(dot * (this.#memory.floats[this.#memory.scaleAt(row)] as number));
  }

  #hasVector(row: number): boolean {
    return row < this.#memory.rowLimit && this.#memory.floats[this.#memory.scaleAt(row)] !== 0;
  }
}
