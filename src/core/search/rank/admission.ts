import type { NamespaceIndex, Row } from "../../ports/search-index.js";
import type { NamedRows } from "../query/named-rows.js";
import type { RankInput } from "../query/rank-input.js";
import { isWithheld, mayReturn } from "../query/result-filter.js";
import { matchesAll } from "../query/search.js";
import type { CandidateFloor } from "../score/scored-candidates.js";
import { hasRow } from "../score/sorted-rows.js";

/**
 * Multiplies the default floor for rows without a keyword score, if a match holds every term of the
 * query. The default floor is the least relevance of a match in a query that sets no
 * `minRelevance`. The factor was chosen on the development cases of bench/everyday.
 */
const noWordFactor = 2;

const noRows = new Int32Array(0);

/** The state of the gate of a query. A closed gate keeps all matches from becoming hits. */
export interface GateState {
  readonly isClosed: boolean;
  /** If the gate is closed: the relevance of the most relevant match; 0 without matches. */
  readonly bestRelevance: number;
}

/**
 * Decides which candidates match by their scores, and whether a match opens the gate of the query.
 *
 * A row is spared from the default floor if the query names it (see `NamedRows`), or if it holds
 * every term of the query.
 *
 * A candidate matches if both conditions hold:
 * - It has a keyword score or a relevance above 0, or the query names its date, or asks only what
 *   its author said.
 * - Its relevance reaches the floor: `SearchQuery.minRelevance`, or else the default floor. The
 *   default floor does not apply to spared rows. If a match holds every term of the query, the
 *   default floor is twice as high for rows without a keyword score.
 *
 * A match opens the gate if its relevance reaches `SearchQuery.gate`, if the query names its date,
 * or if it holds every term of the query. A named author does not open the gate.
 */
export class Admission {
  readonly #floor: number;
  /** Whether the query sets no `minRelevance`, so that the default floor applies. */
  readonly isDefaultFloor: boolean;
  /** Rows that hold every term of the query. Found when first needed. */
  #complete: Int32Array | undefined;
  /** Whether a match holds every term of the query. Found when first needed. */
  #hasCompleteMatch: boolean | undefined;
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
    this.#isOpen = matchesAll(query) || (query.gate ?? 0) === 0;
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
    return this.isDefaultFloor && this.isSpared(row, keyword);
  }

  /** Whether a candidate matches by its scores. */
  admits(row: Row, keyword: number, relevance: number): boolean {
    if (matchesAll(this.input.query)) return true;
    if (keyword === 0 && relevance === 0 && !this.named.isEnoughFor(row)) return false;
    if (!this.isDefaultFloor) return relevance >= this.#floor;
    return this.#reachesDefaultFloor(keyword, relevance) || this.admitsBelowFloor(row, keyword);
  }

  /** The default floor for rows without a keyword score, if a match holds every term. */
  get noWordFloor(): number {
    return Math.min(1, noWordFactor * this.#floor);
  }

  /** Whether only the default floor keeps a candidate out. */
  isBelowDefaultFloor(row: Row, keyword: number, relevance: number): boolean {
    if (!this.isDefaultFloor || (keyword === 0 && relevance === 0)) return false;
    return !this.admits(row, keyword, relevance);
  }

  /** Counts a match for the gate. */
  countMatch(row: Row, keyword: number, relevance: number): void {
    if (this.#isOpen) return;
    this.#bestRelevance = Math.max(this.#bestRelevance, relevance);
    this.#isOpen =
      relevance >= (this.input.query.gate ?? 0) ||
      this.named.hasDate(row) ||
      (keyword > 0 && this.#holdsEveryTerm(row));
  }

  /** The state of the gate after all matches were counted. */
  get gate(): GateState {
    return { isClosed: !this.#isOpen, bestRelevance: this.#bestRelevance };
  }

  /** Whether the query names the row, or the row holds every term of the query. */
  isSpared(row: Row, keyword: number): boolean {
    return this.named.has(row) || (keyword > 0 && this.#holdsEveryTerm(row));
  }

  #reachesDefaultFloor(keyword: number, relevance: number): boolean {
    if (relevance < this.#floor) return false;
    if (keyword > 0 || relevance >= this.noWordFloor) return true;
    this.#hasCompleteMatch ??= this.#completeRows().some((row) => this.#canBeHit(row as Row));
    return !this.#hasCompleteMatch;
  }

  #canBeHit(row: Row): boolean {
    const { resultFilter, now } = this.input;
    return (
      mayReturn(this.index, row, resultFilter, now) && !isWithheld(this.index, row, resultFilter)
    );
  }

  #completeRows(): Int32Array {
    this.#complete ??= this.index.rowsWithAllTerms(this.input.query.query);
    return this.#complete;
  }

  #holdsEveryTerm(row: Row): boolean {
    return hasRow(this.#completeRows(), row);
  }
}
