import type { Edit } from "../model/proposal.js";

/** The result of an edit. `oldString` is compared character by character, without normalization. */
export type EditResult =
  | { readonly kind: "applied"; readonly text: string }
  /** The edit is of the whole text, and the text is another than the edit was made for. */
  | { readonly kind: "changed" }
  /** The text does not contain `oldString`. */
  | { readonly kind: "missing" }
  /**
   * The text contains `oldString` `count` times, overlaps included. The edit may replace only one.
   * `lines` are the numbers of the first ten lines on which an occurrence begins. The first line of
   * the text is 1.
   */
  | { readonly kind: "ambiguous"; readonly count: number; readonly lines: readonly number[] }
  /** The result would exceed the limit, in bytes of UTF-8, and was not built. */
  | { readonly kind: "too large"; readonly bytes: number };

/** Maximum number of lines that an ambiguous edit names. */
const linesMax = 10;

/** The results of `applyEdit`. */
export type AppliedEdit = Exclude<EditResult, { kind: "changed" }>;

/** Applies an edit to a text. `maxBytes` limits the result, in bytes of UTF-8. */
export function applyEdit(text: string, edit: Edit, maxBytes: number): AppliedEdit {
  if (edit.whole === undefined) return replace(text, edit, maxBytes);
  const parts = edit.whole === "BODY" ? [] : [text, lineBreakAfter(text)];
  const result = [...parts, edit.newString].join("");
  const bytes = Buffer.byteLength(result);
  return bytes > maxBytes ? { kind: "too large", bytes } : { kind: "applied", text: result };
}

/** Returns what a text needs at its end so that the next text begins on a line of its own. */
function lineBreakAfter(text: string): string {
  if (text === "" || /[\r\n]$/.test(text)) return "";
  return text.includes("\r\n") ? "\r\n" : "\n";
}

/** Replaces from left to right, without overlap. Requires: `oldString` is not empty. */
function replace(
  text: string,
  { oldString, newString, replaceAll }: Edit,
  maxBytes: number,
): AppliedEdit {
  const found = occurrencesOf(oldString, text);
  if (found.length === 0) return { kind: "missing" };
  if (found.length > 1 && !replaceAll)
    return { kind: "ambiguous", count: found.length, lines: linesOf(text, found) };
  const positions = dropOverlaps(found, oldString.length);
  const bytes =
    Buffer.byteLength(text) +
    positions.length * (Buffer.byteLength(newString) - Buffer.byteLength(oldString));
  if (bytes > maxBytes) return { kind: "too large", bytes };
  const pieces: string[] = [];
  let end = 0;
  for (const position of positions) {
    pieces.push(text.slice(end, position), newString);
    end = position + oldString.length;
  }
  return { kind: "applied", text: pieces.join("") + text.slice(end) };
}

/**
 * Returns the positions of `part` in a text, overlaps included, by the algorithm of Knuth, Morris
 * and Pratt. The algorithm is linear in both lengths. A naive search would take minutes for a
 * quarter of a million equal letters.
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

/**
 * Returns the failure function of a text: for each prefix, the length of its longest proper border.
 * A border is both a prefix and a suffix.
 */
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

/**
 * Returns the numbers of the first ten lines that contain a position. Requires: `positions` ascend.
 */
function linesOf(text: string, positions: readonly number[]): number[] {
  const lines: number[] = [];
  let line = 1;
  let next = 0;
  for (const { index, 0: lineBreak } of text.matchAll(/\r\n|\r|\n|$/g)) {
    const end = index + lineBreak.length;
    const from = next;
    // The end of the text also ends the last line, with or without a line break.
    while (next < positions.length && ((positions[next] ?? 0) < end || lineBreak === "")) next++;
    if (next > from) lines.push(line);
    if (next === positions.length || lines.length === linesMax) break;
    line++;
  }
  return lines;
}

function dropOverlaps(positions: readonly number[], length: number): number[] {
  const kept: number[] = [];
  let end = 0;
  for (const position of positions) {
    if (position < end) continue;
    kept.push(position);
    end = position + length;
  }
  return kept;
}
