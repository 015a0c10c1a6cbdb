import { styleText } from "node:util";
import type { CommandIo } from "./command-io.js";

/** The styles that commands use. */
export type Style = "bold" | "dim" | "red" | "green";

/** Writes a text in a style, if the output is a terminal that shows colours. */
export interface Colours {
  readonly areOn: boolean;
  paint(style: Style, text: string): string;
}

/**
 * Returns the colours of standard output. There are none in a pipe, on a terminal that is named
 * `dumb`, or if NO_COLOR has a value (no-color.org).
 */
export function coloursOf({ stdout, environment }: CommandIo): Colours {
  const { NO_COLOR: noColour = "", TERM: terminal } = environment;
  const areOn = stdout.isTTY === true && noColour === "" && terminal !== "dumb";
  return {
    areOn,
    paint: (style, text) => (areOn ? styleText(style, text, { validateStream: false }) : text),
  };
}
