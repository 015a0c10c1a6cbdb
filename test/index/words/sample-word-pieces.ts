import { similarCosineMin, type WordPieces } from "../../../src/core/ports/embedder.js";

/** Each word is one piece. The nearer two pieces are in the list, the more similar they are. */
export const sampleVocabulary = [
  "puppy",
  "dog",
  "cat",
  "tiger",
  "lion",
  "car",
  "truck",
  "road",
  "lake",
  "sea",
];
const cosineOf = (a: number, b: number) => 1 - Math.abs(a - b) / 3;

export const sampleWordPieces: WordPieces = {
  pieceCount: sampleVocabulary.length,
  piecesOf: (word) => (sampleVocabulary.includes(word) ? [sampleVocabulary.indexOf(word)] : []),
  similarTo(piece) {
    const pieces = [...sampleVocabulary.keys()].filter(
      (p) => cosineOf(p, piece) > similarCosineMin,
    );
    return {
      pieces: Uint16Array.from(pieces),
      cosines: Float32Array.from(pieces, (p) => cosineOf(p, piece)),
    };
  },
};
