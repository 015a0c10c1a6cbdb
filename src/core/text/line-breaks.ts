/** The separators of files, groups and records. Python's `splitlines` ends a line at each. */
const separators = String.fromCharCode(0x1c, 0x1d, 0x1e);

const lineBreak = `\\r\\n|[\\n\\v\\f\\r${separators}\\u0085\\u2028\\u2029]`;
const anyLineBreak = new RegExp(lineBreak);
const lineBreaks = new RegExp(lineBreak, "g");

/** Whether any reader would show the text in several lines: a person, a model or a program. */
export function hasLineBreak(text: string): boolean {
  return anyLineBreak.test(text);
}

/** Replaces every sequence at which any reader ends a line. CRLF is one line break. */
export function replaceLineBreaks(text: string, replacement: string): string {
  return text.replace(lineBreaks, () => replacement);
}
