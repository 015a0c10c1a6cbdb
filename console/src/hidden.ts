/** A part of a text: visible characters, or one character that nobody can see. */
export interface Piece {
  readonly text: string;
  /** The name of a hidden character, such as `U+202E`. Absent: the part is visible. */
  readonly token?: string;
}

/**
 * Matches a character that changes a text without being seen: control characters except tab and
 * line feed, format characters (bidirectional, zero-width, tags), fillers, variation selectors
 * beyond those of emoji. A joiner between two pictures makes one emoji, so it is visible.
 */
const hidden =
  /(?![\t\n]|(?<=\p{Extended_Pictographic}(?:\u{fe0f}|\p{Emoji_Modifier})?)\u{200d}(?=\p{Extended_Pictographic}))(?:\u{34f}|\u{17b4}|\u{17b5}|[\p{Cc}\p{Cf}\u{115f}\u{1160}\u{2028}\u{2029}\u{3164}\u{ffa0}]|(?!\u{fe0e}|\u{fe0f})\p{Variation_Selector})/u;
const hiddenAll = new RegExp(hidden, "gu");

/** Splits a text at its hidden characters. The parts together are the text. */
export function piecesOf(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const { 0: character, index } of text.matchAll(hiddenAll)) {
    if (index > end) pieces.push({ text: text.slice(end, index) });
    pieces.push({ text: character, token: nameOf(character) });
    end = index + character.length;
  }
  if (end < text.length) pieces.push({ text: text.slice(end) });
  return pieces;
}

/** Returns the names of the hidden characters of a text, each once. */
export function hiddenNames(text: string): readonly string[] {
  return [...new Set(Array.from(text.matchAll(hiddenAll), ([character]) => nameOf(character)))];
}

/** Whether a text has more hidden characters of some kind than another text. */
export function addsHidden(before: string, after: string): boolean {
  const counts = new Map<string, number>();
  for (const [character] of before.matchAll(hiddenAll))
    counts.set(character, (counts.get(character) ?? 0) + 1);
  for (const [character] of after.matchAll(hiddenAll)) {
    const left = counts.get(character) ?? 0;
    if (left === 0) return true;
    counts.set(character, left - 1);
  }
  return false;
}

function nameOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
}
