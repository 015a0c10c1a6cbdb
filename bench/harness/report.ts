import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, loadavg } from "node:os";
import { join } from "node:path";

/** The folder for results, relative to the project. Git ignores it. */
const resultsFolder = join("bench", "results");

/** Prints one line of a report. */
export function printLine(line = ""): void {
  process.stdout.write(`${line}\n`);
}

/** Prints a table. The first column is aligned to the left, the others to the right. */
export function printTable(header: readonly string[], rows: readonly (readonly string[])[]): void {
  const lines = [header, ...rows];
  const widths = header.map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  );
  const pad = (cell: string, column: number) =>
    column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0);
  for (const line of lines) printLine(line.map(pad).join("  ").trimEnd());
}

/** Prints the machine and its load at the start of a run, because figures depend on them. */
export function printMachine(): void {
  const { cores, cpu, node, loadAverage } = machine();
  printLine(
    `${cores} cores (${cpu}), Node ${node}, load average ${loadAverage.toFixed(2)} at the start`,
  );
  printLine();
}

/**
 * Writes the figures of a run as JSON, for comparisons and charts, and prints the file's path. It
 * replaces the file of the previous run.
 */
export function saveResults(benchmark: string, results: object): void {
  const file = writeResults(benchmark, results);
  printLine();
  printLine(`All figures: ${file}`);
}

/** Writes the figures as `saveResults` does, without printing. Returns the file's path. */
export function writeResults(benchmark: string, results: object): string {
  mkdirSync(resultsFolder, { recursive: true });
  const file = join(resultsFolder, `${benchmark}.json`);
  writeFileSync(
    file,
    `${JSON.stringify({ benchmark, machine: machine(), ...results }, undefined, 2)}\n`,
  );
  return file;
}

/** Copies a file to the results under the given name. Returns its path there. */
export function keepFile(file: string, name: string): string {
  mkdirSync(resultsFolder, { recursive: true });
  const kept = join(resultsFolder, name);
  copyFileSync(file, kept);
  return kept;
}

/** Formats a ratio as a factor, such as `1.05x`. */
export function factor(figure: number, baseline: number): string {
  return `${(figure / baseline).toFixed(2)}x`;
}

function machine() {
  return {
    cores: availableParallelism(),
    cpu: cpus()[0]?.model ?? "unknown",
    node: process.versions.node,
    loadAverage: loadavg()[0] ?? 0,
  };
}
