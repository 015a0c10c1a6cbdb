import { createInterface } from "node:readline";
import type { CommandIo } from "../command-io.js";

/** Asks the person questions. */
export interface Questions {
  /**
   * Asks for one letter. Returns it in lower case; `undefined` at the end of the input or after
   * Ctrl-C. On a terminal, the person need not press Enter. What was typed before the question is
   * ignored there, so that no key decides on an edit that nobody has seen.
   */
  askKey(question: string): Promise<string | undefined>;
  /**
   * Asks for a line. Returns it without spaces around it; `undefined` at the end of the input or
   * after Ctrl-C.
   */
  askLine(question: string): Promise<string | undefined>;
  /** Runs another program that reads the terminal. */
  paused<T>(run: () => Promise<T>): Promise<T>;
  close(): void;
}

/** Creates questions on standard input and output. The input may also be a pipe. */
export function openQuestions(io: CommandIo): Questions {
  const { stdin } = io;
  const readsKeys = stdin.isTTY === true && "setRawMode" in stdin;
  return readsKeys ? terminalQuestions(io) : pipedQuestions(io);
}

/** What a terminal sends for Ctrl-C and Ctrl-D. */
const endKeys: ReadonlySet<string> = new Set(["\u0003", "\u0004"]);

function terminalQuestions({ stdin, stdout }: CommandIo): Questions {
  let receive: ((key: string | undefined) => void) | undefined;
  const onData = (data: Buffer): void => {
    const key = data.toString("utf8");
    // An arrow or a function key is several characters; so is pasted text.
    if (receive === undefined || Array.from(key).length > 1) return;
    receive(endKeys.has(key) ? undefined : key.toLowerCase());
  };
  let hasEnded = false;
  const onEnd = (): void => {
    hasEnded = true;
    receive?.(undefined);
  };
  const open = (): void => {
    stdin.setRawMode?.(true);
    stdin.on("data", onData).on("end", onEnd).resume();
  };
  const close = (): void => {
    stdin.off("data", onData).off("end", onEnd).pause();
    stdin.setRawMode?.(false);
  };
  const paused = async <T>(run: () => Promise<T>): Promise<T> => {
    close();
    try {
      return await run();
    } finally {
      open();
    }
  };
  open();
  return {
    async askKey(question) {
      stdout.write(question);
      if (hasEnded) return undefined;
      const key = await new Promise<string | undefined>((resolve) => {
        receive = resolve;
      });
      receive = undefined;
      stdout.write("\n");
      return key;
    },
    askLine: (question) =>
      paused(
        () =>
          new Promise((resolve) => {
            const lines = createInterface({ input: stdin, output: stdout });
            lines.once("close", () => resolve(undefined));
            lines.question(question, (answer) => {
              resolve(answer.trim());
              lines.close();
            });
          }),
      ),
    paused,
    close,
  };
}

function pipedQuestions({ stdin, stdout }: CommandIo): Questions {
  const lines = createInterface({ input: stdin, terminal: false });
  const answers = lines[Symbol.asyncIterator]();
  // A pipe may end before its last lines are asked for. An input that has ended cannot be paused.
  let isOpen = true;
  lines.once("close", () => {
    isOpen = false;
  });
  const askLine = async (question: string): Promise<string | undefined> => {
    stdout.write(question);
    const answer = await answers.next();
    // Nobody sees the answers that come from a pipe.
    stdout.write(`${answer.done === true ? "" : answer.value}\n`);
    return answer.done === true ? undefined : answer.value.trim();
  };
  return {
    askKey: async (question) => (await askLine(question))?.toLowerCase(),
    askLine,
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
