import type { NamespaceIndex, Row } from "../../ports/search-index.js";
import type { NamedRows } from "../query/named-rows.js";
import type { RankInput } from "../query/rank-input.js";
import { asksNearest, matchesAll } from "../query/search.js";
import { contradictedRelevance, type Relevance } from "../score/relevance.js";
import type { CandidateFloor } from "../score/scored-candidates.js";
import { hasRow } from "../score/sorted-rows.js";

const noRows = new Int32Array(0);

/** The state of the gate of a query. A closed gate keeps all matches from becoming hits. */
export interface GateState {
  readonly isClosed: boolean;
  /** If the gate is closed: the relevance of the most relevant match; 0 without matches. */
  readonly bestRelevance: number;
}

/**
 * Decides which candidates match by their scores, which matches are weak, and whether a match opens
 * the gate of the query.
 *
 * A query for the nearest vectors (`asksNearest`) admits every row that has a vector. Otherwise, a
 * candidate matches if both conditions hold:
 * - It has a keyword score or a relevance above 0, or the query names its date, or asks only what
 *   its author said.
 * - Its relevance reaches the floor: `SearchQuery.minRelevance`, or else the default floor. For the
 *   default floor, what its thread adds counts too. The default floor spares a row that the query
 *   names (see `NamedRows`), and a row that holds every term of the query.
 *
 * A match is weak if its relevance in its thread is below `QueryVector.weakLevel`. A match is not
 * weak if it holds every term of the query, or if being named is enough for it to match.
 *
 * A match opens the gate if its relevance reaches `SearchQuery.gate`, or if it holds every term of
 * the query.
 */
export class Admission {
  readonly #floor: number;
  /** The greatest relevance that decides whether a candidate matches and whether it is weak. */
  readonly #bound: number;
  /** Whether the query sets no `minRelevance`, so that the default floor applies. */
  readonly isDefaultFloor: boolean;
  /** Rows that hold every term of the query. Found when first needed. */
  #complete: Int32Array | undefined;
  #bestRelevance = 0;
  #isOpen: boolean;

  constructor(
    private readonly index: NamespaceIndex,
    private readonly input: RankInput,
    private readonly named: NamedRows,
  ) {
    const { query, defaultFloor } = input;
    this.#floor = query.minRelevance ?? defaultFloor;
    this.isDefaultFloor = query.minRelevance === undefined;
    this.#bound = Math.max(this.#floor, input.weakLevel);
    this.#isOpen = matchesAll(query) || (query.gate ?? 0) === 0;
  }

  /**
   * Returns the relevance of a row, as far as it decides: a contradiction is looked for only if a
   * bound lies above the relevance that it leaves.
   */
  relevance(relevance: Relevance, row: Row, score: number): number {
    return this.#bound > contradictedRelevance
      ? relevance.of(row, score)
      : relevance.ofScore(row, score);
  }

  /** The least relevance of a match that is not spared; 0 if everything matches. */
  get floor(): number {
    return matchesAll(this.input.query) ? 0 : this.#floor;
  }

  /**
   * The floor that the index may apply. With the default floor, it spares the rows that hold every
   * term of the query.
   */
  get candidateFloor(): CandidateFloor {
    return { relevance: this.floor, spared: this.isDefaultFloor ? this.#completeRows() : noRows };
  }

  /** Whether a candidate below the floor matches. */
  admitsBelowFloor(row: Row, keyword: number): boolean {
    return this.isDefaultFloor && (this.named.has(row) || this.#isComplete(row, keyword));
  }

  /**
   * Whether a candidate matches by its scores.
   *
   * @param relevance Relevance of its own words and vector.
   * @param inThread The same with what its conversation thread adds.
   */
  admits(row: Row, keyword: number, relevance: number, inThread: number): boolean {
    if (matchesAll(this.input.query)) return true;
    if (asksNearest(this.input.query)) return this.index.cosine(row, row) > 0;
    if (!this.isRelated(row, keyword, relevance, inThread)) return false;
    if (!this.isDefaultFloor) return relevance >= this.#floor;
    return inThread >= this.#floor || this.admitsBelowFloor(row, keyword);
  }

  /** Whether a candidate fits the query at all, whatever the floor. */
  isRelated(row: Row, keyword: number, relevance: number, inThread: number): boolean {
    return keyword > 0 || relevance > 0 || inThread > 0 || this.named.isEnoughFor(row);
  }

  /** Whether a match is weak. */
  isWeak(row: Row, keyword: number, inThread: number): boolean {
    const { weakLevel, query } = this.input;
    if (inThread >= weakLevel || matchesAll(query) || asksNearest(query)) return false;
    return !this.#isComplete(row, keyword) && !this.named.isEnoughFor(row);
  }

  /** Counts a match for the gate. Looks for a contradiction only while the gate depends on it. */
  countMatch(row: Row, keyword: number, relevance: Relevance, score: number): void {
    if (this.#isOpen) return;
    if (relevance.ofScore(row, score) > this.#bestRelevance)
      this.#bestRelevance = Math.max(this.#bestRelevance, relevance.of(row, score));
    const isRelevant = this.#bestRelevance >= (this.input.query.gate ?? 0);
    this.#isOpen = isRelevant || this.#isComplete(row, keyword);
  }

  /** The state of the gate after all matches were counted. */
  get gate(): GateState {
    return { isClosed: !this.#isOpen, bestRelevance: this.#bestRelevance };
  }

  /** Whether a row holds every term of the query. */
  #isComplete(row: Row, keyword: number): boolean {
    return keyword > 0 && hasRow(this.#completeRows(), row);
  }

  #completeRows(): Int32Array {
    this.#complete ??= this.index.rowsWithAllTerms(this.input.query.query);
    return this.#complete;
  }
}
