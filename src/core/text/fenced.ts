/**
 * Writes a text between two fences of Markdown. They are longer than any run of backticks in the
 * text, so that no line of the text ends it. Ends with a line break.
 */
export function fenced(text: string): string {
  const runs = text.match(/`+/g) ?? [];
  const fence = "`".repeat(runs.reduce((most, run) => Math.max(most, run.length + 1), 3));
  const end = text === "" || text.endsWith("\n") ? "" : "\n";
  return `${fence}\n${text}${end}${fence}\n`;
}
