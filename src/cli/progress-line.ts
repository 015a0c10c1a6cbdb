import { clearLine, cursorTo } from "node:readline";
import type { Output } from "./command-io.js";
import { printable } from "./printable.js";

/** A status line that replaces itself. It is written only to a terminal. */
export interface ProgressLine {
  show(text: string): void;
  clear(): void;
}

/** Creates a progress line on an output. Requires: the output is at the start of a line. */
export function createProgressLine(output: Output): ProgressLine {
  const clear = (): void => {
    if (output.isTTY !== true) return;
    cursorTo(output, 0);
    clearLine(output, 0);
  };
  return {
    show(text) {
      clear();
      // A longer line would wrap, and clearing would leave its first part on the screen.
      if (output.isTTY === true) output.write(printable(text).slice(0, (output.columns ?? 80) - 1));
    },
    clear,
  };
}
