import { allTypes } from "../../core/model/memory.js";
import type { Candidates, IndexQuery, IndexTier, Row } from "../../core/ports/search-index.js";
import { bringBestFirst } from "../keyword/best-first.js";
import type { QueryTerm } from "../keyword/query-term.js";
import type { IndexRows } from "../rows/index-rows.js";
import { absent } from "../thread/thread-order.js";
import { sameVectorCosine } from "../vector/vector-math.js";
import { findAboveFloor } from "./above-floor.js";
import { findAboveMinimum } from "./above-minimum.js";
import { gatherRows } from "./gather-rows.js";
import type { RowSet } from "./row-set.js";
import { type Scratch, scratchFor } from "./scratch.js";
import type { WordSearch } from "./word-search.js";

/**
 * If at most this share of all rows has a wanted type, these rows are scored one by one. Otherwise
 * one scan over all rows is faster, because scoring a row takes a few times as long outside a scan.
 */
const fewOfTypeShare = 0.2;

/**
 * For each near row, this many of the rows with the best keyword scores also get a vector score.
 * Applies to a query with `comparesBest` in a namespace without threads.
 */
const comparedPerNear = 16;

const noRows = new Int32Array(0);
const noPositions: readonly number[] = [];

/**
 * Finds the candidates of a query among the rows of a namespace.
 *
 * The first line that applies to the query gives its candidates:
 *
 *     neither text nor vector    every row, scores 0
 *     a minimum in use           the rows whose keyword score lets them reach the minimum
 *     no vector, no threads      the rows with a keyword score
 *     near rows from a graph     near rows, rows with a keyword score, their thread neighbours
 *     few rows of the types      rows of these types, their thread neighbours
 *     a floor in use             one scan over all rows, which keeps those that may reach the floor
 *     otherwise                  one scan over all rows
 *
 * If the near rows or the rows of the types, together with their neighbours, are too many for
 * `gatherRows`, one scan over all rows is made instead.
 *
 * A minimum is in use unless `findAboveMinimum` returns `undefined`, a floor unless
 * `findAboveFloor` does. The named rows of the query join the candidates, except where a minimum is
 * in use.
 *
 * All queries of all namespaces share one set of working columns (scratch), which is clean between
 * queries.
 */
export class CandidateSearch {
  #scratch: Scratch = scratchFor(0);

  constructor(
    private readonly rows: IndexRows,
    private readonly words: WordSearch,
  ) {}

  /** See `NamespaceIndex.candidates`. */
  find(query: IndexQuery): Candidates {
    const { rowLimit } = this.rows;
    this.#scratch = scratchFor(rowLimit);
    if (query.text === "" && query.vector === undefined) return this.#allRows();
    for (const row of query.named ?? noRows) this.#scratch.named.add(row);
    try {
      if (query.respells !== true) return this.#findByTerms(query, this.#queryTerms(query));
      const { terms, respellings } = this.words.respell(query.text);
      if (respellings.length === 0) return this.#findByTerms(query, terms);
      const respelledByRow = new Float32Array(rowLimit);
      return { ...this.#findByTerms(query, terms, respelledByRow), respelledByRow };
    } finally {
      this.#scratch.keywordByRow.fill(0, 0, rowLimit);
      this.#scratch.chosen.clear();
      this.#scratch.named.clear();
    }
  }

  /** See `NamespaceIndex.rowsWithAllTerms`. */
  rowsWithAllTerms(text: string): Int32Array {
    return this.rows.keywords.rowsWithAll(this.words.termsOf(text));
  }

  #queryTerms({ text, isAddedNext = false }: IndexQuery): readonly QueryTerm[] {
    return isAddedNext ? this.words.termsOfNewText(text) : this.words.termsOf(text);
  }

  /**
   * Finds the candidates of a query with text or vector.
   *
   * @param respelledByRow Gets the part of the keyword scores that comes from respelled terms.
   */
  #findByTerms(
    query: IndexQuery,
    terms: readonly QueryTerm[],
    respelledByRow?: Float32Array,
  ): Candidates {
    const { rows, keywordByRow, ownKeywordByRow: own, ownVector } = this.#scratch;
    const { hasLinks } = this.rows.threads;
    if (hasLinks) own.fill(0, 0, this.rows.rowLimit);
    const parts = { ...(respelledByRow && { respelled: respelledByRow }), own };
    const scored = this.rows.keywords.score(terms, keywordByRow, rows, parts);
    const relevant =
      terms.length === 0 ? undefined : findAboveMinimum(this.rows, this.#scratch, query, scored);
    const found = relevant ?? this.#findScored(query, scored);
    return hasLinks ? { ...found, own: { keywordByRow: own, vectorByRow: ownVector } } : found;
  }

  /**
   * Finds the candidates of a query with text or vector.
   *
   * @param scored Number of rows with a keyword score, which come first in `rows` of the scratch.
   */
  #findScored(query: IndexQuery, scored: number): Candidates {
    const { vector, ownVector } = this.#scratch;
    const queryVector =
      query.vector?.length === this.rows.vectors?.dimension ? query.vector : undefined;
    if (queryVector !== undefined) {
      const few =
        query.nearest !== undefined
          ? this.#amongNearest(query, queryVector, query.nearest, scored)
          : this.#amongTypes(query.types ?? allTypes, queryVector);
      return (
        few ??
        findAboveFloor(this.rows, this.#scratch, query.floor, queryVector) ??
        this.#scan(queryVector)
      );
    }
    if (!this.rows.threads.hasLinks) return this.#keywordRows(scored);
    vector.fill(0, 0, this.rows.rowLimit);
    ownVector.fill(0, 0, this.rows.rowLimit);
    return this.#allScored(noPositions);
  }

  #allRows(): Candidates {
    const { rows, keyword, vector } = this.#scratch;
    let count = 0;
    for (const row of this.rows.occupied()) rows[count++] = row;
    keyword.fill(0, 0, count);
    vector.fill(0, 0, count);
    return { tier: "exact", count, rows, keyword, vector, sameVector: [] };
  }

  /**
   * Makes candidates of the rows with a keyword score and of the named rows. Requires: the first
   * `scored` of `rows` are the rows with a keyword score.
   */
  #keywordRows(scored: number): Candidates {
    const { rows, keyword, keywordByRow, vector, named } = this.#scratch;
    let count = scored;
    for (let i = 0; i < named.count; i++) {
      const row = named.rows[i] as Row;
      if (keywordByRow[row] === 0) rows[count++] = row;
    }
    for (let i = 0; i < count; i++) keyword[i] = keywordByRow[rows[i] as Row] as number;
    vector.fill(0, 0, count);
    return { tier: "exact", count, rows, keyword, vector, sameVector: [] };
  }

  /**
   * Makes candidates of the rows that the graph search found, of the rows with a keyword score, and
   * of the neighbours of both in threads. Returns `undefined` if one scan over all rows costs less.
   */
  #amongNearest(
    { comparesBest = false }: IndexQuery,
    queryVector: Float32Array,
    nearest: Int32Array,
    scored: number,
  ): Candidates | undefined {
    const { chosen, rows, named } = this.#scratch;
    const { threads, rowLimit } = this.rows;
    const best =
      comparesBest && !threads.hasLinks
        ? this.#bestFirst(scored, nearest.length * comparedPerNear)
        : scored;
    const near = named.count === 0 ? nearest : joined(nearest, named);
    const count = gatherRows(chosen, rows.subarray(0, best), near, threads, rowLimit);
    if (count < 0) return undefined;
    return this.#chosenRows(queryVector, count, "near", this.#takeUncompared(best, scored));
  }

  /**
   * Makes candidates of the rows of some types. Includes their neighbours in threads, because the
   * score of a row in a thread depends on its neighbours. Returns `undefined` if one scan over all
   * rows costs less.
   */
  #amongTypes(types: number, queryVector: Float32Array): Candidates | undefined {
    if (types === allTypes) return undefined;
    const { traits, threads, rowLimit } = this.rows;
    const ofTypes = traits.rowsOfType(types, rowLimit, rowLimit * fewOfTypeShare);
    if (ofTypes === undefined) return undefined;
    const count = gatherRows(this.#scratch.chosen, noRows, ofTypes, threads, rowLimit);
    return count < 0 ? undefined : this.#chosenRows(queryVector, count, "exact", 0);
  }

  /**
   * Compares the query with the vectors of all rows, and makes candidates of the rows with a score.
   */
  #scan(queryVector: Float32Array): Candidates {
    const { ownVector, vector } = this.#scratch;
    const { rowLimit, threads } = this.rows;
    const own = threads.hasLinks ? ownVector : vector;
    const greatest = this.rows.vectors?.score(queryVector, rowLimit, own) ?? 0;
    const sameVector =
      greatest >= sameVectorCosine ? positionsOfSameVector(own, rowLimit) : noPositions;
    if (threads.hasLinks) this.rows.context.apply(own, rowLimit, vector);
    return this.#allScored(sameVector);
  }

  /**
   * Makes candidates of all rows for which `#isCandidate` is true. An empty row is never a
   * candidate. Requires: `vector` holds scores by row. Afterwards `vector` holds them by position.
   */
  #allScored(sameVector: readonly number[]): Candidates {
    const { rows, keyword, keywordByRow, vector, named } = this.#scratch;
    const { rowLimit, threads } = this.rows;
    const scoresDecide = named.count === 0 && !threads.hasLinks;
    let count = 0;
    for (let row = 0 as Row; row < rowLimit; row++) {
      const keywordScore = keywordByRow[row] as number;
      const vectorScore = vector[row] as number;
      if (keywordScore === 0 && !(vectorScore > 0) && (scoresDecide || !this.#isWanted(row)))
        continue;
      rows[count] = row;
      keyword[count] = keywordScore;
      vector[count] = vectorScore;
      count += 1;
    }
    return { tier: "exact", count, rows, keyword, vector, sameVector };
  }

  /** Whether a row is a candidate: it has a score, or `#isWanted` is true for it. */
  #isCandidate(row: Row, keywordScore: number, vectorScore: number): boolean {
    return keywordScore !== 0 || vectorScore > 0 || this.#isWanted(row);
  }

  /**
   * Whether a row is a candidate even without a score: it is named, or has a next row in its
   * thread, whose score can raise its own.
   */
  #isWanted(row: Row): boolean {
    return this.rows.next(row) !== absent || this.#scratch.named.has(row);
  }

  /**
   * Moves the `most` best of the first `scored` rows to the front, by keyword score. Also moves
   * rows that score nearly as high as the last of these. Returns the number of rows at the front.
   *
   * If `scored` is greater than `most`, `keyword` afterwards has the scores of all `scored` rows by
   * position.
   */
  #bestFirst(scored: number, most: number): number {
    if (scored <= most) return scored;
    const { rows, keyword, keywordByRow } = this.#scratch;
    for (let position = 0; position < scored; position++) {
      keyword[position] = keywordByRow[rows[position] as Row] as number;
    }
    return bringBestFirst(rows, keyword, scored, most);
  }

  /**
   * Writes the rows at positions `from` to `end` to the start of the columns, with vector score 0.
   * Skips rows in `chosen`. Returns the number of rows written.
   */
  #takeUncompared(from: number, end: number): number {
    const { chosen, rows, keyword, vector } = this.#scratch;
    let count = 0;
    for (let position = from; position < end; position++) {
      const row = rows[position] as Row;
      if (chosen.has(row)) continue;
      rows[count] = row;
      keyword[count] = keyword[position] as number;
      vector[count] = 0;
      count += 1;
    }
    return count;
  }

  /**
   * Appends candidates to the first `count` entries of the columns, and returns all of them. Each
   * of the first `gathered` chosen rows becomes a candidate if `#isCandidate` is true for it. The
   * other chosen rows are there only because candidates borrow their vectors.
   *
   * Requires: `count` is 0 in a namespace with threads.
   */
  #chosenRows(
    queryVector: Float32Array,
    gathered: number,
    tier: IndexTier,
    count: number,
  ): Candidates {
    const { chosen, rows, keyword, keywordByRow, vector } = this.#scratch;
    const { scores, sameVector } = this.#scoreChosen(queryVector, gathered);
    let end = count;
    for (let i = 0; i < gathered; i++) {
      const row = chosen.rows[i] as Row;
      const keywordScore = keywordByRow[row] as number;
      const vectorScore = scores[i] as number;
      if (!this.#isCandidate(row, keywordScore, vectorScore)) continue;
      rows[end] = row;
      keyword[end] = keywordScore;
      vector[end] = vectorScore;
      end += 1;
    }
    return { tier, count: end, rows, keyword, vector, sameVector };
  }

  /**
   * Returns vector scores of the first `gathered` chosen rows, in their order, and the chosen rows
   * whose own vector is the query's.
   */
  #scoreChosen(
    queryVector: Float32Array,
    gathered: number,
  ): { readonly scores: Float32Array; readonly sameVector: readonly number[] } {
    const { chosen, vector, ownVector } = this.#scratch;
    const { threads, vectors, context } = this.rows;
    const own = threads.hasLinks ? vector : ownVector;
    vectors?.scoreSome(queryVector, chosen.rows, chosen.count, own);
    const sameVector = positionsOfSameVector(own, chosen.count).map(
      (position) => chosen.rows[position] as number,
    );
    if (!threads.hasLinks) return { scores: own, sameVector };
    for (let i = 0; i < chosen.count; i++) {
      ownVector[chosen.rows[i] as Row] = vector[i] as number;
    }
    for (let i = 0; i < gathered; i++) {
      vector[i] = context.score(ownVector, chosen.rows[i] as Row);
    }
    return { scores: vector, sameVector };
  }
}

/**
 * Returns the positions of the cosines that are 1 within rounding: these rows have the query's own
 * vector.
 */
function positionsOfSameVector(cosines: Float32Array, count: number): number[] {
  const positions: number[] = [];
  for (let position = 0; position < count; position++)
    if ((cosines[position] as number) >= sameVectorCosine) positions.push(position);
  return positions;
}

/** Returns the rows of an array, followed by the rows of a set. */
function joined(rows: Int32Array, set: RowSet): Int32Array {
  const all = new Int32Array(rows.length + set.count);
  all.set(rows);
  all.set(set.rows.subarray(0, set.count), rows.length);
  return all;
}
