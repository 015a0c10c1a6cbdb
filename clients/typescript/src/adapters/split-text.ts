const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** The limits of the server for a content and for a query, in bytes. */
const maxContentBytes = 65_536;
const maxQueryBytes = 8192;

/**
 * Splits a text into pieces of at most `maxBytes` bytes of UTF-8, never inside a character. Halves
 * of surrogate pairs become U+FFFD. An empty text has no pieces.
 *
 * @param maxBytes at least 4, the size of the largest character
 */
export function splitText(text: string, maxBytes: number): string[] {
  const buffer = new Uint8Array(maxBytes);
  const pieces: string[] = [];
  for (let rest = text; rest !== ""; ) {
    const { read, written } = encoder.encodeInto(rest, buffer);
    pieces.push(decoder.decode(buffer.subarray(0, written)));
    rest = rest.slice(read);
  }
  return pieces;
}

/**
 * Splits a text into pieces that fit into the content of a memory each: at most 65,536 bytes.
 * Leaves out pieces of white space.
 */
export function splitContent(text: string): string[] {
  return splitText(text, maxContentBytes).filter((piece) => piece.trim() !== "");
}

/**
 * Returns the first 8,192 bytes of a text, the limit of a query. Returns an empty text for white
 * space.
 */
export function cutQuery(text: string): string {
  return splitText(text.trim(), maxQueryBytes)[0] ?? "";
}
