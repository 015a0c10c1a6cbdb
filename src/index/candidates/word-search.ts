import type { WordPieces } from "../../core/ports/embedder.js";
import type { IndexParts, IndexRows } from "../rows/index-rows.js";
import { type QueryPiece, SimilarWords } from "../words/similar-words.js";

/** The tables of each vocabulary; all namespaces share them. */
const tables = new WeakMap<WordPieces, SimilarWords>();

/** Matches the words of a query with the words of turns, by their meaning. */
export class WordSearch {
  constructor(
    private readonly rows: IndexRows,
    private readonly parts: IndexParts,
  ) {}

  /** See `NamespaceIndex.scoreSimilarWords`. */
  score(text: string, rows: Int32Array, count: number, scores: Float64Array): boolean {
    const { wordPieces, pieces } = this.rows;
    if (wordPieces === undefined) return false;
    const query = this.#queryPieces(text, wordPieces);
    if (query.length === 0) return false;
    const similarWords = tables.get(wordPieces) ?? new SimilarWords(wordPieces);
    tables.set(wordPieces, similarWords);
    similarWords.score(query, pieces, rows, count, scores);
    return true;
  }

  #queryPieces(text: string, model: WordPieces): QueryPiece[] {
    const found = new Map<number, number>();
    for (const word of this.parts.analyzer.indexTerms({ content: text, tags: [] }).words) {
      const term = this.parts.analyzer.queryTerms(word, this.rows.languages)[0]?.terms[0]?.term;
      if (term === undefined) continue;
      const weight = this.rows.keywords.rarityOf(term);
      for (const piece of model.piecesOf(word)) found.set(piece, weight);
    }
    return Array.from(found, ([piece, weight]) => ({ piece, weight }));
  }
}
