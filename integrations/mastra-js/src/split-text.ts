const encoder = new TextEncoder();

/** Splits a text into pieces of at most `maxBytes` bytes of UTF-8, never inside a character. */
export function splitText(text: string, maxBytes: number): string[] {
  const buffer = new Uint8Array(maxBytes);
  const pieces: string[] = [];
  for (let rest = text; rest !== ""; ) {
    const { read } = encoder.encodeInto(rest, buffer);
    pieces.push(rest.slice(0, read));
    rest = rest.slice(read);
  }
  return pieces;
}
