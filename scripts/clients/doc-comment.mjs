// Formats the doc comments of the generated handles.

import { isListItem } from "../api-docs-rules.mjs";

/** The column at which comments wrap. */
const columns = 100;

/**
 * Splits a text into lines. A line and a prefix of `prefixLength` characters together have at most
 * 100 columns. Code in backticks stays on one line.
 * @param {string} text
 * @param {number} prefixLength
 */
export function wrapText(text, prefixLength) {
  const lines = [];
  let line = "";
  for (const word of text.match(/(?:`[^`]*`|\S)+/g) ?? []) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line !== "" && prefixLength + longer.length > columns) {
      lines.push(line);
      line = word;
    } else {
      line = longer;
    }
  }
  return [...lines, line];
}

/**
 * Wraps paragraphs and the items of lists, with an empty line between two paragraphs.
 * @param {readonly string[]} paragraphs
 * @param {number} prefixLength
 * @param {string} itemIndent The indent of the items of lists.
 */
export function wrapParagraphs(paragraphs, prefixLength, itemIndent = "") {
  return paragraphs.flatMap((paragraph, at) => {
    const isItem = isListItem(paragraph);
    const gap = at === 0 || (isItem && isListItem(paragraphs[at - 1] ?? "")) ? [] : [""];
    if (!isItem) return [...gap, ...wrapText(paragraph, prefixLength)];
    const lines = wrapText(paragraph.slice(2), prefixLength + itemIndent.length + 2);
    return [
      ...gap,
      ...lines.map((line, index) => `${itemIndent}${index === 0 ? "- " : "  "}${line}`),
    ];
  });
}

/**
 * Returns a comment whose lines start with `mark`, such as `//`. A line with only the mark
 * separates paragraphs.
 * @param {readonly string[]} paragraphs
 * @param {string} mark
 * @param {string} itemIndent The indent of the items of lists.
 */
export function lineComment(paragraphs, mark, itemIndent = "") {
  return wrapParagraphs(paragraphs, mark.length + 1, itemIndent)
    .map((line) => `${mark} ${line}`.trimEnd())
    .join("\n");
}

/**
 * Returns a comment between `/**` and `*\/`, on one line if it fits.
 * @param {readonly string[]} paragraphs
 * @param {string} indent
 */
export function blockComment(paragraphs, indent) {
  const [first = ""] = paragraphs;
  const oneLine = `${indent}/** ${first} */`;
  if (paragraphs.length <= 1 && oneLine.length <= columns) return oneLine;
  const body = wrapParagraphs(paragraphs, indent.length + 3);
  return [
    `${indent}/**`,
    ...body.map((line) => `${indent} * ${line}`.trimEnd()),
    `${indent} */`,
  ].join("\n");
}
