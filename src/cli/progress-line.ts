import { clearLine, cursorTo } from "node:readline";
import { type Output, printable } from "./command-io.js";

/** A line that is written over again and again. Nothing is written where no person is watching. */
export interface ProgressLine {
  show(text: string): void;
  clear(): void;
}

/** A progress line on an output, at the place where its next line would begin. */
export function createProgressLine(output: Output): ProgressLine {
  const clear = (): void => {
    if (output.isTTY !== true) return;
    cursorTo(output, 0);
    clearLine(output, 0);
  };
  return {
    show(text) {
      clear();
      // A longer line would wrap, and could not be written over.
      if (output.isTTY === true) output.write(printable(text).slice(0, (output.columns ?? 80) - 1));
    },
    clear,
  };
}
