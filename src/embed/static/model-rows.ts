import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { LRUCache } from "lru-cache";
import { type SimilarPieces, similarCosineMin } from "../../core/ports/embedder.js";
import type { Weights } from "./weights.js";

const pageBytes = 65_536;

/**
 * Maximum number of tokens whose similar tokens are kept. Each entry takes about a kilobyte. Half
 * of all tokens have almost all words of texts.
 */
const keptMax = 16_384;

/** Exports of model-rows.as.ts. Addresses are byte offsets in the imported memory. */
interface ModelRowsKernel {
  measureRows(rows: number, count: number, dimension: number, inverseLengths: number): void;
  addRow(row: number, dimension: number, factor: number, sum: number): void;
  findSimilar(
    rows: number,
    count: number,
    dimension: number,
    inverseLengths: number,
    row: number,
    least: number,
    wanted: number,
    numbers: number,
    cosines: number,
  ): number;
}

/**
 * The rows of a model in WebAssembly memory, to sum them up and to find similar rows:
 *
 *     rows[count][dimension] int8 | inverseLength[count] float32 | cosine[count + 3] float32 |
 *     sum[dimension] float32 | wanted[dimension] int16 | number[count] uint16
 *
 * The first search for a row compares it with all rows, which takes a quarter of a millisecond.
 */
export class ModelRows {
  readonly #kernel: ModelRowsKernel;
  readonly #dimension: number;
  readonly #count: number;
  /** The factor for the numbers of each row. */
  readonly #scales: Float32Array;
  readonly #inverseLengthsAt: number;
  readonly #cosinesAt: number;
  readonly #numbersAt: number;
  readonly #sumAt: number;
  readonly #wantedAt: number;
  readonly #sum: Float32Array;
  readonly #memory: WebAssembly.Memory;
  readonly #kept = new LRUCache<number, SimilarPieces>({ max: keptMax });

  /** Copies the rows. Requires: at most 65,536 rows; `dimension` is a multiple of 16. */
  constructor({ rows, scales, dimension }: Weights) {
    const count = scales.length;
    this.#dimension = dimension;
    this.#count = count;
    this.#scales = scales;
    this.#inverseLengthsAt = rows.length;
    this.#cosinesAt = this.#inverseLengthsAt + count * Float32Array.BYTES_PER_ELEMENT;
    this.#sumAt = this.#cosinesAt + (count + 3) * Float32Array.BYTES_PER_ELEMENT;
    this.#wantedAt = this.#sumAt + dimension * Float32Array.BYTES_PER_ELEMENT;
    this.#numbersAt = this.#wantedAt + dimension * Int16Array.BYTES_PER_ELEMENT;
    const bytes = this.#numbersAt + count * Uint16Array.BYTES_PER_ELEMENT;
    const pages = Math.ceil(bytes / pageBytes);
    this.#memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
    this.#sum = new Float32Array(this.#memory.buffer, this.#sumAt, dimension);
    new Int8Array(this.#memory.buffer).set(rows);
    this.#kernel = createKernel(this.#memory);
    this.#kernel.measureRows(0, count, dimension, this.#inverseLengthsAt);
  }

  /** Returns the sum of the rows in `counts`, each multiplied by its scale and by its count. */
  sumOf(counts: ReadonlyMap<number, number>): Float32Array {
    this.#sum.fill(0);
    for (const [row, times] of counts) {
      const factor = times * (this.#scales[row] as number);
      this.#kernel.addRow(row * this.#dimension, this.#dimension, factor, this.#sumAt);
    }
    return new Float32Array(this.#sum);
  }

  /**
   * Returns the rows whose cosine with a row is above `similarCosineMin`, the row itself included.
   */
  similarTo(row: number): SimilarPieces {
    const kept = this.#kept.get(row);
    if (kept !== undefined) return kept;
    const found = this.#find(row);
    this.#kept.set(row, found);
    return found;
  }

  #find(row: number): SimilarPieces {
    const found = this.#kernel.findSimilar(
      0,
      this.#count,
      this.#dimension,
      this.#inverseLengthsAt,
      row,
      similarCosineMin,
      this.#wantedAt,
      this.#numbersAt,
      this.#cosinesAt,
    );
    const { buffer } = this.#memory;
    return {
      pieces: new Uint16Array(buffer, this.#numbersAt, found).slice(),
      cosines: new Float32Array(buffer, this.#cosinesAt, found).slice(),
    };
  }
}

function createKernel(memory: WebAssembly.Memory): ModelRowsKernel {
  // Resolved through `imports` of package.json. A relative path would not work, because this file
  // lies at another depth in `dist` than in `src`.
  const module = new WebAssembly.Module(
    readFileSync(createRequire(import.meta.url).resolve("#wasm/model-rows.wasm")),
  );
  const { exports } = new WebAssembly.Instance(module, { env: { memory } });
  // The module is compiled from model-rows.as.ts, which exports these functions.
  return exports as unknown as ModelRowsKernel;
}
