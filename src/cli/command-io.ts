import type { Readable, Writable } from "node:stream";
import type { Environment } from "../config/config.js";

/** A stream to write to, and whether a person is watching. */
export type Output = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** What a command has of the world around it. */
export interface CommandIo {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Output;
  readonly stderr: Output;
  readonly environment: Environment;
  /** How the program was called, for examples that can be copied: `vademecum`, or `node dist/main.js`. */
  readonly invocation: string;
}

/** A command could not do what was asked. Its message goes to standard error: after `error: ` for a person, as it is where it is JSON. */
export class CommandFailure extends Error {
  override readonly name = "CommandFailure";
  /** 1: it was tried and failed. 2: the command line or a setting was wrong, nothing was tried. */
  constructor(
    message: string,
    readonly exitCode: 1 | 2 = 1,
    readonly form: "text" | "json" = "text",
  ) {
    super(message);
  }
}

/** Writes one line and waits until there is room for more. */
export async function printLine(output: Output, line: string): Promise<void> {
  if (output.write(`${line}\n`)) return;
  await new Promise<void>((resolve) => output.once("drain", resolve));
}

/** Text with all control characters but line breaks and tabs made visible, so that it cannot move the cursor, recolour or retitle a terminal. */
export function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, (character) =>
    character === "\n" || character === "\t"
      ? character
      : `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
