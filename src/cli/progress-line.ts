import { clearLine, cursorTo } from "node:readline";
import type { Output } from "./command-io.js";
import { printable } from "./printable.js";

/** Minimum time between two lines in a pipe, in milliseconds. */
const lineIntervalMs = 10_000;

/** The width of a terminal that tells none. */
const defaultColumns = 80;

/** The exit code of a program that Ctrl-C ends. */
const interruptedCode = 130;

/** A status line of a command that takes long. */
export interface ProgressLine {
  show(text: string): void;
  clear(): void;
}

/** Settings of a progress line. */
export interface ProgressLineOptions {
  /** Shows nothing in a pipe, because a program reads it. Default false. */
  readonly terminalOnly?: boolean;
  /** Returns the time of a clock that never jumps, in milliseconds since any moment. */
  readonly nowMs?: () => number;
}

/**
 * Creates a progress line on an output. On a terminal, the line replaces itself. In a pipe, it is
 * written every ten seconds. Ctrl-C ends the program with a line that says how far it came.
 *
 * Requires: the output is at the start of a line, and `clear` is called at the end.
 */
export function createProgressLine(
  output: Output,
  { terminalOnly = false, nowMs = () => performance.now() }: ProgressLineOptions = {},
): ProgressLine {
  let lastLineMs = nowMs();
  let shown: string | undefined;
  const erase = (): void => {
    if (output.isTTY !== true) return;
    cursorTo(output, 0);
    clearLine(output, 0);
  };
  const onInterrupt = (): void => {
    erase();
    output.write(`Interrupted at: ${shown}\n`);
    process.exit(interruptedCode);
  };
  return {
    show(text) {
      if (shown === undefined) process.once("SIGINT", onInterrupt);
      shown = printable(text);
      erase();
      if (output.isTTY === true) {
        // A longer line would wrap, and clearing would leave its first part on the screen.
        output.write(shown.slice(0, (output.columns || defaultColumns) - 1));
      } else if (!terminalOnly && nowMs() - lastLineMs >= lineIntervalMs) {
        lastLineMs = nowMs();
        output.write(`${shown}\n`);
      }
    },
    clear() {
      process.off("SIGINT", onInterrupt);
      if (shown !== undefined) erase();
      shown = undefined;
    },
  };
}
