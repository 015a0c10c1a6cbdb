import type { WordPieces } from "../../core/ports/embedder.js";
import { isStopWord, words } from "../../core/text/words.js";

/** Returns the pieces of the words of a text, in their order, without stop words. */
export function piecesOfText(text: string, { piecesOf }: WordPieces): number[] {
  const pieces: number[] = [];
  for (const word of words(text)) if (!isStopWord(word)) pieces.push(...piecesOf(word));
  return pieces;
}
