import { replaceLineBreaks } from "../core/text/line-breaks.js";
import { visibleText } from "../core/text/visible-text.js";

/**
 * Replaces control and format characters by visible escapes, see `visibleText`. Text from a server
 * can then not move the cursor of a terminal or change its title.
 */
export function printable(text: string): string {
  return visibleText(text);
}

/** Writes an id or a name in one line, with line breaks as escapes too. */
export function printableLine(text: string): string {
  return printable(text).replaceAll("\n", "\\n");
}

/** Indents the second and later lines of a text by four spaces. No text then looks like a field. */
export function indentLines(text: string): string {
  return replaceLineBreaks(text, "\n    ");
}
