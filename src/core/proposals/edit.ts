import type { Edit } from "../model/proposal.js";

/** What an edit comes to in a text: what is found is literally `oldString`, character by character, nothing is normalized. */
export type EditResult =
  | { readonly kind: "applied"; readonly text: string }
  /** The text does not hold `oldString`. */
  | { readonly kind: "missing" }
  /** It holds it so many times, overlapping ones counted, and not all are to be replaced. */
  | { readonly kind: "ambiguous"; readonly count: number }
  /** The result would have so many bytes of UTF-8, more than it may; it was not made. */
  | { readonly kind: "too large"; readonly bytes: number };

/** Applies an edit to a text that may have at most `maxBytes` bytes of UTF-8. Replaces from left to right, without overlap. REQUIRES: `oldString` is not empty. */
export function applyEdit(
  text: string,
  { oldString, newString, replaceAll }: Edit,
  maxBytes: number,
): EditResult {
  const found = occurrencesOf(oldString, text);
  if (found.length === 0) return { kind: "missing" };
  if (found.length > 1 && !replaceAll) return { kind: "ambiguous", count: found.length };
  const replaced = withoutOverlap(found, oldString.length);
  const bytes =
    Buffer.byteLength(text) +
    replaced.length * (Buffer.byteLength(newString) - Buffer.byteLength(oldString));
  if (bytes > maxBytes) return { kind: "too large", bytes };
  const pieces: string[] = [];
  let end = 0;
  for (const position of replaced) {
    pieces.push(text.slice(end, position), newString);
    end = position + oldString.length;
  }
  return { kind: "applied", text: pieces.join("") + text.slice(end) };
}

/**
 * Where `part` begins in a text, overlapping occurrences included, by the method of Knuth, Morris and Pratt: linear in both.
 * Looking again from each place on would take minutes for a quarter of a million equal letters.
 */
function occurrencesOf(part: string, text: string): number[] {
  const borders = bordersOf(part);
  const positions: number[] = [];
  let matched = 0;
  for (let i = 0; i < text.length; i++) {
    while (
      matched > 0 &&
      (matched === part.length || text.charCodeAt(i) !== part.charCodeAt(matched))
    )
      matched = borders[matched - 1] ?? 0;
    if (text.charCodeAt(i) === part.charCodeAt(matched)) matched++;
    if (matched === part.length) positions.push(i + 1 - part.length);
  }
  return positions;
}

/** For each beginning of a text the length of its longest part, shorter than itself, that it both begins and ends with. */
function bordersOf(text: string): Uint32Array {
  const borders = new Uint32Array(text.length);
  let length = 0;
  for (let i = 1; i < text.length; i++) {
    while (length > 0 && text.charCodeAt(i) !== text.charCodeAt(length))
      length = borders[length - 1] ?? 0;
    if (text.charCodeAt(i) === text.charCodeAt(length)) length++;
    borders[i] = length;
  }
  return borders;
}

function withoutOverlap(positions: readonly number[], length: number): number[] {
  const kept: number[] = [];
  let end = 0;
  for (const position of positions) {
    if (position < end) continue;
    kept.push(position);
    end = position + length;
  }
  return kept;
}
