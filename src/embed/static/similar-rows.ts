import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type SimilarPieces, similarCosineMin } from "../../core/ports/embedder.js";

const pageBytes = 65_536;

/** Maximum number of tokens whose similar tokens are kept. They take about a kilobyte each. */
const keptMax = 2_048;

/** Exports of similar-rows.as.ts. Addresses and lengths are in bytes of the imported memory. */
interface SimilarRowsKernel {
  measureRows(rows: number, count: number, dimension: number, scales: number): void;
  findSimilar(
    rows: number,
    count: number,
    dimension: number,
    scales: number,
    row: number,
    least: number,
    numbers: number,
    cosines: number,
  ): number;
}

/**
 * The rows of a model in WebAssembly memory, which finds the rows that are similar to one of them:
 *
 *     rows[count][dimension] int8 | scale[count] float32 | cosine[count] float32 | number[count] uint16
 *
 * The first search for a row compares it with all rows, which takes about a millisecond.
 */
export class SimilarRows {
  /** Row-major: `dimension` numbers for each row. */
  readonly rows: Int8Array;
  readonly #kernel: SimilarRowsKernel;
  readonly #scalesAt: number;
  readonly #cosinesAt: number;
  readonly #numbersAt: number;
  readonly #memory: WebAssembly.Memory;
  readonly #kept = new Map<number, SimilarPieces>();

  /** Copies the rows. Requires: at most 65,536 rows; `dimension` is a multiple of 16. */
  constructor(
    rows: Int8Array,
    private readonly dimension: number,
    private readonly count: number,
  ) {
    this.#scalesAt = rows.length;
    this.#cosinesAt = this.#scalesAt + count * Float32Array.BYTES_PER_ELEMENT;
    this.#numbersAt = this.#cosinesAt + count * Float32Array.BYTES_PER_ELEMENT;
    const bytes = this.#numbersAt + count * Uint16Array.BYTES_PER_ELEMENT;
    const pages = Math.ceil(bytes / pageBytes);
    this.#memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
    this.rows = new Int8Array(this.#memory.buffer, 0, rows.length);
    this.rows.set(rows);
    this.#kernel = createKernel(this.#memory);
    this.#kernel.measureRows(0, count, dimension, this.#scalesAt);
  }

  /** Returns the rows whose cosine with a row is above `similarCosineMin`, itself included. */
  similarTo(row: number): SimilarPieces {
    const kept = this.#kept.get(row);
    if (kept !== undefined) return kept;
    const found = this.#find(row);
    if (this.#kept.size >= keptMax) this.#kept.delete(this.#kept.keys().next().value ?? row);
    this.#kept.set(row, found);
    return found;
  }

  #find(row: number): SimilarPieces {
    const found = this.#kernel.findSimilar(
      0,
      this.count,
      this.dimension,
      this.#scalesAt,
      row,
      similarCosineMin,
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

function createKernel(memory: WebAssembly.Memory): SimilarRowsKernel {
  // Resolved through `imports` of package.json. A relative path would not work, because this file
  // lies at another depth in `dist` than in `src`.
  const module = new WebAssembly.Module(
    readFileSync(createRequire(import.meta.url).resolve("#wasm/similar-rows.wasm")),
  );
  const { exports } = new WebAssembly.Instance(module, { env: { memory } });
  // The module is compiled from similar-rows.as.ts, which exports these functions.
  return exports as unknown as SimilarRowsKernel;
}
