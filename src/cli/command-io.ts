import type { Readable, Writable } from "node:stream";
import type { Environment } from "../config/config.js";
import { visibleText } from "../core/text/visible-text.js";

/** A stream to write to. `isTTY` is true when a person reads it. */
export type Output = Writable & {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
};

/** A stream to read. `isTTY` is true when a person types it. */
export type Input = Readable & {
  readonly isTTY?: boolean;
  /** Whether each key is read at once, without an echo. Absent: the stream is no terminal. */
  setRawMode?(isRaw: boolean): unknown;
};

/** The streams and the environment of a command. */
export interface CommandIo {
  readonly stdin: Input;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly environment: Environment;
  /**
   * The program as the user called it, for examples to copy: `vademecum` or `node dist/main.js`.
   */
  readonly invocation: string;
}

/**
 * The failure of a command. Its message goes to standard error, after `error: ` unless it is JSON.
 */
export class CommandFailure extends Error {
  override readonly name = "CommandFailure";
  /**
   * @param exitCode 1 when the command tried and failed; 2 when the command line or a setting is
   * wrong and nothing was tried
   */
  constructor(
    message: string,
    readonly exitCode: 1 | 2 = 1,
    readonly form: "text" | "json" = "text",
  ) {
    super(message);
  }
}

/** Matches the colours of a command, which begin with ESC, and some other texts. */
const colours = /(\p{Cc}\[[\d;]*m)/u;

/**
 * Escapes what a terminal would obey or hide. Commands make stored texts printable themselves; this
 * covers JSON, and every place that may be forgotten.
 */
function forTerminal(line: string): string {
  const parts = line.split(colours);
  return parts
    .map((part, at) => (at % 2 === 1 && part.startsWith("\u001b") ? part : visibleText(part)))
    .join("");
}

/** Writes one line. If the buffer of the output is full, waits until it has been written. */
export async function printLine(output: Output, line: string): Promise<void> {
  if (output.write(`${output.isTTY === true ? forTerminal(line) : line}\n`)) return;
  await new Promise<void>((resolve) => output.once("drain", resolve));
}
