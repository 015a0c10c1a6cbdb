import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type {} from "./web-assembly.js";

/** The functions that scan.as.ts exports. Addresses are byte offsets in the imported memory. */
export interface Kernel {
  prepareQuery(query: number, dimension: number, shorts: number, factorAt: number): number;
  scan(
    chunks: number,
    chunkBytes: number,
    rows: number,
    dimension: number,
    query: number,
    factor: number,
    queryError: number,
    exact: number,
    scores: number,
    errors: number,
  ): number;
  rescore(
    chunks: number,
    chunkBytes: number,
    rows: number,
    dimension: number,
    query: number,
    exact: number,
    least: number,
    counts: number,
    scores: number,
    errors: number,
  ): number;
  chooseReaching(
    chunks: number,
    chunkBytes: number,
    rows: number,
    dimension: number,
    query: number,
    exact: number,
    least: number,
    counts: number,
    scores: number,
    errors: number,
    keywords: number,
    keywordWeight: number,
    vectorWeight: number,
    minimum: number,
    sure: number,
  ): number;
  scanSome(
    chunks: number,
    chunkBytes: number,
    rows: number,
    count: number,
    dimension: number,
    query: number,
    factor: number,
    scores: number,
    errors: number,
  ): void;
  storeRow(
    vector: number,
    dimension: number,
    width: number,
    high: number,
    low: number,
    scaleAt: number,
    errorAt: number,
  ): void;
  dotQuery(high: number, low: number, dimension: number, query: number): number;
  dotRows(highA: number, lowA: number, highB: number, lowB: number, dimension: number): number;
}

/**
 * Compiles a kernel: `scan` has the functions of `Kernel`, `signs` those of signs.as.ts. One
 * compilation can serve the whole process.
 */
export function loadKernelModule(name: "scan" | "signs" = "scan"): WebAssembly.Module {
  // Resolved through `imports` of package.json. A relative path would not work, because this file
  // lies at another depth in `dist` than in `src`.
  return new WebAssembly.Module(
    readFileSync(createRequire(import.meta.url).resolve(`#wasm/${name}.wasm`)),
  );
}

/** Creates a kernel over a WebAssembly memory. */
export function createKernel(module: WebAssembly.Module, memory: WebAssembly.Memory): Kernel {
  const { exports } = new WebAssembly.Instance(module, { env: { memory } });
  // The module is compiled from scan.as.ts, which exports these functions.
  return exports as unknown as Kernel;
}
