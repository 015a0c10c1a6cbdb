import type { WordPieces } from "../../core/ports/embedder.js";
import { piecesMax } from "./piece-rows.js";

/**
 * Returns the different word pieces of some words. Stops at `piecesMax` pieces, the most that a row
 * keeps.
 */
export function piecesOfWords(words: readonly string[], model: WordPieces): ReadonlySet<number> {
  const pieces = new Set<number>();
  // A long text repeats its words, so duplicates are removed first.
  for (const word of words.length > piecesMax ? new Set(words) : words) {
    for (const piece of model.piecesOf(word)) pieces.add(piece);
    if (pieces.size >= piecesMax) break;
  }
  return pieces;
}
