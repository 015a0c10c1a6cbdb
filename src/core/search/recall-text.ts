/** A hit's part of the text of Recall: a list item, further lines of the content indented. */
export function recallLine(content: string): string {
  return `- ${content.replaceAll(/\r\n|\r|\n/g, "\n  ")}`;
}

/** The text of Recall: a line for each hit. */
export function recallText(contents: readonly string[]): string {
  return contents.map(recallLine).join("\n");
}
