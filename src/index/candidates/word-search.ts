import type { WordPieces } from "../../core/ports/embedder.js";
import type { ScorePassages } from "../../core/ports/search-index.js";
import { createPause } from "../../core/requests/pause.js";
import type { QueryTerm } from "../keyword/query-term.js";
import { type RespelledTerms, respellTerms } from "../keyword/respelled-terms.js";
import type { IndexParts, IndexRows } from "../rows/index-rows.js";
import { PieceRows } from "../words/piece-rows.js";
import { piecesOfWords } from "../words/pieces-of-words.js";
import { type QueryPiece, SimilarWords } from "../words/similar-words.js";

/** The `SimilarWords` of each vocabulary, which all namespaces share. */
const tables = new WeakMap<WordPieces, SimilarWords>();

/** Weight of words of similar meaning in the score of a passage. Equal words have weight 1. */
const similarWeight = 0.5;

/** A query with its terms, which depend on the languages of the namespace. */
interface AnalyzedQuery {
  readonly text: string;
  readonly languages: IndexRows["languages"];
  readonly terms: readonly QueryTerm[];
}

/** The respelled terms of a query, which depend on the texts of the namespace. */
interface RespelledQuery {
  readonly text: string;
  /** `KeywordIndex.changes` when the query was respelled. */
  readonly changes: number;
  readonly respelled: RespelledTerms;
}

/**
 * Finds the terms and respellings of a query. Matches the words of a query with the words of turns
 * and of passages, by their meaning.
 */
export class WordSearch {
  /** The last analyzed query: a search asks for its terms several times. */
  #last: AnalyzedQuery | undefined;
  /** The last respelled query: an excerpt and Explain ask for its respellings again. */
  #lastRespelled: RespelledQuery | undefined;

  constructor(
    private readonly rows: IndexRows,
    private readonly parts: IndexParts,
  ) {}

  /** Returns the terms of a query. */
  termsOf(text: string): readonly QueryTerm[] {
    const { languages } = this.rows;
    if (this.#last?.text !== text || this.#last.languages !== languages) {
      const terms = this.parts.analyzer.queryTerms(text, languages);
      this.#last = { text, languages, terms };
    }
    return this.#last.terms;
  }

  /** See `NamespaceIndex.nameTerms`. */
  nameTerms(word: string): readonly string[] {
    return this.parts.analyzer.nameTerms(word, this.rows.languages);
  }

  /** Returns the terms of a text that is probably added next. */
  termsOfNewText(text: string): readonly QueryTerm[] {
    return this.parts.analyzer.queryTerms(text, this.rows.languages, true);
  }

  /** Returns the terms of a query, with terms of similar spelling for words that no row has. */
  respell(text: string): RespelledTerms {
    const { keywords } = this.rows;
    const { changes } = keywords;
    if (this.#lastRespelled?.text !== text || this.#lastRespelled.changes !== changes) {
      const { isKnownWord = () => false } = this.parts;
      const respelled = respellTerms(this.termsOf(text), keywords, isKnownWord);
      this.#lastRespelled = { text, changes, respelled };
    }
    return this.#lastRespelled.respelled;
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

  /** See `NamespaceIndex.passageScorer`. */
  passageScorer(text: string): ScorePassages {
    const { analyzer } = this.parts;
    const sought = this.rows.keywords.sharesOf(this.respell(text).terms);
    const { wordPieces } = this.rows;
    const query = wordPieces === undefined ? [] : this.#queryPieces(text, wordPieces);
    return async (passages) => {
      const pause = createPause();
      const pieces = new PieceRows();
      const heldShares: number[][] = [];
      for (const [row, content] of passages.entries()) {
        const analyzed = await analyzer.indexTermsInTurns({ content, tags: [] }, pause);
        const held = new Set([...analyzed.terms, ...analyzed.extras]);
        const holding = sought.filter(({ terms }) => terms.some((term) => held.has(term)));
        heldShares.push(holding.map(({ share }) => share));
        if (wordPieces !== undefined && query.length > 0)
          pieces.set(row, piecesOfWords(analyzed.words, wordPieces));
        await pause();
      }
      const similarities = similarityOf(query, pieces, passages.length, wordPieces);
      return similarities.map((similarity, row) =>
        (heldShares[row] ?? []).reduce((sum, share) => sum + share, similarWeight * similarity),
      );
    };
  }

  #queryPieces(text: string, model: WordPieces): QueryPiece[] {
    const found = new Map<number, number>();
    for (const word of this.parts.analyzer.indexTerms({ content: text, tags: [] }).words) {
      const [queryTerm] = this.parts.analyzer.queryTerms(word, this.rows.languages);
      if (queryTerm === undefined || queryTerm.terms.length === 0) continue;
      // Each language may give the word another stem. The weight is the rarity of the most frequent
      // stem.
      const weight = Math.min(
        ...queryTerm.terms.map(({ term }) => this.rows.keywords.rarityOf(term)),
      );
      for (const piece of model.piecesOf(word)) found.set(piece, weight);
    }
    return Array.from(found, ([piece, weight]) => ({ piece, weight }));
  }
}

/**
 * Returns the score of each row of `pieces` by similar meaning; zeros if the query has no pieces.
 */
function similarityOf(
  query: readonly QueryPiece[],
  pieces: PieceRows,
  count: number,
  wordPieces: WordPieces | undefined,
): Float64Array {
  const scores = new Float64Array(count);
  if (wordPieces === undefined || query.length === 0) return scores;
  const rows = Int32Array.from(scores, (_, row) => row);
  tableOf(wordPieces).score(query, pieces, rows, count, scores);
  return scores;
}

function tableOf(wordPieces: WordPieces): SimilarWords {
  const table = tables.get(wordPieces) ?? new SimilarWords(wordPieces);
  tables.set(wordPieces, table);
  return table;
}
