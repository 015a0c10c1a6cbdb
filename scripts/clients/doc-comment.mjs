// Formats the doc comments of the generated handles.

/** The column at which comments wrap. */
const columns = 100;

/**
 * Splits a text into lines. Each line has at most 100 columns with a prefix of `prefixLength`
 * characters. Code in backticks stays on one line.
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
 * Returns a comment whose lines start with `mark`, such as `//`. A line with only the mark
 * separates paragraphs.
 * @param {readonly string[]} paragraphs
 * @param {string} mark
 */
export function lineComment(paragraphs, mark) {
  return paragraphs
    .map((paragraph) =>
      wrapText(paragraph, mark.length + 1)
        .map((line) => `${mark} ${line}`)
        .join("\n"),
    )
    .join(`\n${mark}\n`);
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
  const body = paragraphs.map((paragraph) =>
    wrapText(paragraph, indent.length + 3)
      .map((line) => `${indent} * ${line}`)
      .join("\n"),
  );
  return `${indent}/**\n${body.join(`\n${indent} *\n`)}\n${indent} */`;
}
