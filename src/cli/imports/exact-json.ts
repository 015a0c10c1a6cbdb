import type { JsonValue } from "@bufbuild/protobuf";

/** An escape, a quotation mark, or a whole number of 16 digits or more. */
const marks = /\\.|"|(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/gs;

/**
 * Parses JSON. A whole number that a double does not hold exactly becomes a text with its digits.
 * Otherwise two ids could become one.
 *
 * @throws SyntaxError when the text is not JSON
 */
export function parseExactJson(text: string): JsonValue {
  let isInText = false;
  const exact = text.replaceAll(marks, (mark) => {
    if (mark === '"') isInText = !isInText;
    const isNumber = /\d$/.test(mark) && !mark.startsWith("\\") && !isInText;
    return isNumber && BigInt(mark) !== BigInt(Number(mark)) ? `"${mark}"` : mark;
  });
  return JSON.parse(exact) as JsonValue;
}
