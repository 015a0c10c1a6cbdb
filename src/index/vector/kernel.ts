import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type {} from "./web-assembly.js";

/** What scan.as.ts exports: addresses and lengths in bytes, of a memory that it was given. */
export interface Kernel {
  scan(
    chunk: number,
    chunkBytes: number,
    rows: number,
    dimension: number,
    query: number,
    factor: number,
  ): void;
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
  quantize(vector: number, factor: number, high: number, low: number, dimension: number): number;
  dotQuery(high: number, low: number, dimension: number, query: number): number;
  dotRows(highA: number, lowA: number, highB: number, lowB: number, dimension: number): number;
}

/** Compiles the kernel: once a process is enough. */
export function loadKernelModule(): WebAssembly.Module {
  // By the package's `imports`, because this file lies at another depth when it is compiled.
  return new WebAssembly.Module(
    readFileSync(createRequire(import.meta.url).resolve("#wasm/scan.wasm")),
  );
}

/** A kernel over a memory. */
export function createKernel(module: WebAssembly.Module, memory: WebAssembly.Memory): Kernel {
  const { exports } = new WebAssembly.Instance(module, { env: { memory } });
  // The module is built from scan.as.ts, whose functions these are.
  return exports as unknown as Kernel;
}
