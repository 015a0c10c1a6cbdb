import { createInterface } from "node:readline";
import type { CommandIo } from "../command-io.js";

/** Asks the person questions, and reads one line as the answer to each. */
export interface Questions {
  /** Returns the answer without spaces around it; `undefined` at the end of the input. */
  ask(question: string): Promise<string | undefined>;
  /** Runs another program that reads the terminal. */
  paused<T>(run: () => Promise<T>): Promise<T>;
  close(): void;
}

/** Creates questions on standard input and output. The input may also be a pipe. */
export function openQuestions({ stdin, stdout }: CommandIo): Questions {
  // The terminal itself edits the line, so that this process can hand it over to an editor.
  const lines = createInterface({ input: stdin, terminal: false });
  const answers = lines[Symbol.asyncIterator]();
  // A pipe may end before its last lines are asked for. An input that has ended cannot be paused.
  let isOpen = true;
  lines.once("close", () => {
    isOpen = false;
  });
  return {
    async ask(question) {
      stdout.write(question);
      const answer = await answers.next();
      // Nobody sees the answers that come from a pipe.
      if (stdin.isTTY !== true) stdout.write(`${answer.done === true ? "" : answer.value}\n`);
      return answer.done === true ? undefined : answer.value.trim();
    },
    async paused(run) {
      if (isOpen) lines.pause();
      stdin.pause();
      try {
        return await run();
      } finally {
        if (isOpen) lines.resume();
      }
    },
    close: () => lines.close(),
  };
}
