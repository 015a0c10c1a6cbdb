import type { WordPieces } from "../../core/ports/embedder.js";
import { type RespelledTerms, respellTerms } from "../keyword/respelled-terms.js";
import type { IndexParts, IndexRows } from "../rows/index-rows.js";
import { PieceRows } from "../words/piece-rows.js";
import { piecesOfWords } from "../words/pieces-of-words.js";
import { type QueryPiece, SimilarWords } from "../words/similar-words.js";

/** The tables of each vocabulary; all namespaces share them. */
const tables = new WeakMap<WordPieces, SimilarWords>();

/** Weight of words of similar meaning in the score of a passage. The same words have weight 1. */
const similarWeight = 0.5;

/** Matches the words of a query with the words of turns and of passages, by their meaning. */
export class WordSearch {
  constructor(
    private readonly rows: IndexRows,
    private readonly parts: IndexParts,
  ) {}

  /** Returns the terms of a query, with terms of similar spelling for words that no row has. */
  respell(text: string): RespelledTerms {
    const { analyzer, isKnownWord = () => false } = this.parts;
    const { keywords, languages } = this.rows;
    return respellTerms(analyzer.queryTerms(text, languages), keywords, isKnownWord);
  }

  /** See `NamespaceIndex.scoreSimilarWords`. */
  score(text: string, rows: Int32Array, count: number, scores: Float64Array): boolean {
    const { wordPieces, pieces } = this.rows;
    if (wordPieces === undefined) return false;
    const query = this.#queryPieces(text, wordPieces);
    if (query.length === 0) return false;
    tableOf(wordPieces).score(query, pieces, rows, count, scores);
    return true;
  }

  /** See `NamespaceIndex.scorePassages`. */
  scorePassages(text: string, passages: readonly string[]): Float64Array {
    const { analyzer } = this.parts;
    const sought = this.rows.keywords.sharesOf(this.respell(text).terms);
    const analyzed = passages.map((content) => analyzer.indexTerms({ content, tags: [] }));
    const scores = this.#similarityOf(text, analyzed);
    for (const [at, { terms, extras }] of analyzed.entries()) {
      const held = new Set([...terms, ...extras]);
      for (const { terms: one, share } of sought)
        if (one.some((term) => held.has(term))) scores[at] = (scores[at] as number) + share;
    }
    return scores;
  }

  /** Returns the scores of passages by words of similar meaning; zeros without word pieces. */
  #similarityOf(
    text: string,
    passages: readonly { readonly words: readonly string[] }[],
  ): Float64Array {
    const scores = new Float64Array(passages.length);
    const { wordPieces } = this.rows;
    const query = wordPieces === undefined ? [] : this.#queryPieces(text, wordPieces);
    if (wordPieces === undefined || query.length === 0) return scores;
    const pieces = new PieceRows();
    for (const [row, { words }] of passages.entries())
      pieces.set(row, piecesOfWords(words, wordPieces));
    const rows = Int32Array.from(passages, (_, row) => row);
    tableOf(wordPieces).score(query, pieces, rows, rows.length, scores);
    return scores.map((score) => similarWeight * score);
  }

  #queryPieces(text: string, model: WordPieces): QueryPiece[] {
    const found = new Map<number, number>();
    for (const word of this.parts.analyzer.indexTerms({ content: text, tags: [] }).words) {
      const [queryTerm] = this.parts.analyzer.queryTerms(word, this.rows.languages);
      if (queryTerm === undefined || queryTerm.terms.length === 0) continue;
      // The stem of the word is another in each language. The most frequent one is the word's.
      const weight = Math.min(
        ...queryTerm.terms.map(({ term }) => this.rows.keywords.rarityOf(term)),
      );
      for (const piece of model.piecesOf(word)) found.set(piece, weight);
    }
    return Array.from(found, ([piece, weight]) => ({ piece, weight }));
  }
}

function tableOf(wordPieces: WordPieces): SimilarWords {
  const table = tables.get(wordPieces) ?? new SimilarWords(wordPieces);
  tables.set(wordPieces, table);
  return table;
}
