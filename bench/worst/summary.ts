import { readFileSync } from "node:fs";
import { printLine } from "../harness/report.js";
import type { Worst } from "./search-worst.js";

/** The worst gap and memory of an RPC in an earlier run, by path such as `/SERVICE/RPC`. */
export type EarlierFigures = ReadonlyMap<
  string,
  { readonly gapMs: number; readonly bytes: number }
>;

/** The part of a file of results that is compared. */
interface Results {
  readonly methods: readonly {
    readonly method: string;
    readonly byGap: { readonly gapMs: number };
    readonly byMemory: { readonly memoryBytes: number };
  }[];
}

/** Reads the file of results of an earlier run. */
export function readEarlier(file: string): EarlierFigures {
  const { methods } = JSON.parse(readFileSync(file, "utf8")) as Results;
  return new Map(
    methods.map(({ method, byGap, byMemory }) => [
      method,
      { gapMs: byGap.gapMs, bytes: byMemory.memoryBytes },
    ]),
  );
}

/** The figures of an RPC. */
interface RpcFigures extends Worst {
  readonly path: string;
  readonly idleGapMs: number;
}

/** Prints the worst figures of each RPC as Markdown, beside those of an earlier run. */
export function printSummary(all: readonly RpcFigures[], before: EarlierFigures | undefined): void {
  const earlier = before === undefined ? [] : ["gap, before", "memory, before"];
  printRow(["RPC", "gap", "idle gap", "memory", "live", ...earlier]);
  printRow(["---", "---", "---", "---", "---", ...earlier.map(() => "---")]);
  for (const { path, idleGapMs, byGap, byMemory, liveBytes } of all) {
    const was = before?.get(path);
    printRow([
      path.replace(/^\/(?:vademecum\.v1\.)?/, ""),
      `${byGap.gapMs.toFixed(0)} ms`,
      `${idleGapMs.toFixed(0)} ms`,
      `${megabytes(byMemory.memoryBytes)} MB`,
      `${megabytes(liveBytes)} MB`,
      ...(before === undefined ? [] : earlierCells(was)),
    ]);
  }
}

function earlierCells(was: { readonly gapMs: number; readonly bytes: number } | undefined) {
  return was === undefined
    ? ["", ""]
    : [`${was.gapMs.toFixed(0)} ms`, `${megabytes(was.bytes)} MB`];
}

function printRow(cells: readonly string[]): void {
  printLine(`| ${cells.join(" | ")} |`);
}

/** Formats bytes as whole megabytes. */
export function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(0);
}
