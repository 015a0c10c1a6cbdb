import type { Output } from "./command-io.js";
import { printable } from "./printable.js";
import { createProgressLine } from "./progress-line.js";

/** Minimum time between two lines about the same stage, in milliseconds. */
const lineIntervalMs = 10_000;

/** Shows the progress of a command that works in stages. */
export interface ProgressReport {
  show(stage: string, detail: string): void;
  clear(): void;
}

/**
 * Creates a report on an output. On a terminal, the report is a status line that replaces itself.
 * Otherwise it writes a line when a stage begins, and then at most every ten seconds.
 *
 * @param nowMs returns the time of a clock that never jumps, in milliseconds since any moment
 */
export function createProgressReport(
  output: Output,
  nowMs: () => number = () => performance.now(),
): ProgressReport {
  const line = createProgressLine(output);
  let last: { readonly stage: string; readonly atMs: number } | undefined;
  return {
    show(stage, detail) {
      const text = `${stage}: ${detail}`;
      if (output.isTTY === true) {
        line.show(text);
        return;
      }
      const atMs = nowMs();
      if (last?.stage === stage && atMs - last.atMs < lineIntervalMs) return;
      last = { stage, atMs };
      output.write(`${printable(text)}\n`);
    },
    clear: () => line.clear(),
  };
}
