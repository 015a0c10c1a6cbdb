import type { WordPieces } from "../../core/ports/embedder.js";
import { writtenParts } from "../../core/text/written-words.js";

/** Returns the words of a text in their order, without stop words that are no names. */
export function meaningfulWords(text: string): string[] {
  return writtenParts(text).flatMap(({ words }) =>
    words.flatMap(({ word, role }) => (role === "content" || role === "name" ? [word] : [])),
  );
}

/** Returns the different pieces of the words of a text. */
export function piecesOfText(text: string, model: WordPieces): ReadonlySet<number> {
  const pieces = new Set<number>();
  for (const word of meaningfulWords(text))
    for (const piece of model.piecesOf(word)) pieces.add(piece);
  return pieces;
}
