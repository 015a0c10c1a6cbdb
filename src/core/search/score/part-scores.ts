import {
  type Candidates,
  type NamespaceIndex,
  type Row,
  rowMarks,
} from "../../ports/search-index.js";
import { dateFit } from "../query/date.js";
import type { RankInput } from "../query/rank-input.js";
import type { Position } from "./ranking-numbers.js";
import type { TurnScores } from "./turn-scores.js";

/**
 * Candidates with the scores from which `PartScores` computes the parts of the final score. Arrays
 * are indexed by position.
 */
export interface WeighedCandidates extends Candidates {
  /** See `fusedScore`. */
  readonly fused: Float64Array;
  /** The fused score of the memory's own words and vector. Outside of threads, this is `fused`. */
  readonly ownFused: Float64Array;
  /** The fused score. In a thread, a share of the next row's fused score is added. */
  readonly base: Float64Array;
  /** The keyword score of the previous row in the thread, if that row is a question; else 0. */
  readonly asked: Float64Array;
  /** Scores for words of similar meaning. Filled after all other parts are known. */
  readonly similarWords: Float64Array;
  /**
   * The extra scores of the turns of conversations. `undefined`: turns are scored like other
   * memories.
   */
  readonly turns: TurnScores | undefined;
}

/**
 * Computes the parts of the final score, except the base score, recency, importance and novelty.
 * Reads no records.
 */
export class PartScores {
  /**
   * By the number of a day since 1970: how well the day fits the dates of the query. Created when
   * first needed.
   */
  #fits: Map<number, number> | undefined;
  /** The number of the only author whom the query names; -1 if it names none or several. */
  readonly #author: number;
  // Fields are faster to read in a tight loop than properties of the candidates.
  readonly #rows: Int32Array;
  readonly #asked: Float64Array;
  readonly #similarWords: Float64Array;
  readonly #turns: TurnScores | undefined;
  readonly #authorNumbers: Int32Array;
  readonly #marks: Uint8Array;

  constructor(
    private readonly index: NamespaceIndex,
    private readonly candidates: WeighedCandidates,
    private readonly input: RankInput,
  ) {
    this.#rows = candidates.rows;
    this.#asked = candidates.asked;
    this.#similarWords = candidates.similarWords;
    this.#turns = candidates.turns;
    const { author } = input.hints;
    this.#author = author === undefined ? -1 : (index.authorNumber(author) ?? -1);
    this.#authorNumbers = index.traits.authorNumbers;
    this.#marks = index.traits.marks;
  }

  /**
   * Returns the sums of the base score and all parts except `similarWords`, by position. Writes the
   * sums to `partial`. If no part applies to this query, returns the base scores instead.
   *
   * @param addsMore Whether the caller adds to the sums, so that they may not be the base scores.
   */
  sumInto(partial: Float64Array, addsMore: boolean): Float64Array {
    const { count, base, turns } = this.candidates;
    const hasTurns = turns !== undefined;
    const hasDates = this.input.hints.dates.length > 0;
    const hasAuthor = this.#author >= 0;
    if (!hasTurns && !hasDates && !hasAuthor && !addsMore) return base;
    for (let position = 0 as Position; position < count; position++) {
      let score = base[position] as number;
      if (hasTurns) score += this.answer(position);
      if (hasAuthor) score += this.author(position);
      if (hasDates) score += this.date(position) + this.mention(position);
      partial[position] = score;
    }
    return partial;
  }

  /** See `TurnScores.answer`. */
  answer(position: Position): number {
    return this.#turns === undefined ? 0 : this.#turns.answer(this.#asked[position] as number);
  }

  /** See `addSimilarWords`. */
  similarWords(position: Position): number {
    return this.#similarWords[position] as number;
  }

  /** See `TurnScores.mention`. */
  mention(position: Position): number {
    return this.#turns === undefined ? 0 : this.#turns.mention(this.#rows[position] as Row);
  }

  /** The bonus of a candidate by the author whom the query names; 0 for other candidates. */
  author(position: Position): number {
    const row = this.#rows[position] as Row;
    if (this.#authorNumbers[row] !== this.#author) return 0;
    const { signals, hints } = this.input;
    return hints.asksWhatAuthorsSaid ? signals.authorAlone : signals.author;
  }

  /**
   * The bonus of a candidate whose event lies on a day or in a month that the query names;
   * otherwise 0.
   */
  date(position: Position): number {
    const { dates } = this.input.hints;
    const row = this.#rows[position] as Row;
    if (dates.length === 0 || ((this.#marks[row] as number) & rowMarks.dated) === 0) return 0;
    const day = this.input.timeZone.dayOf(this.index.traits.happenedMs(row));
    this.#fits ??= new Map();
    let fit = this.#fits.get(day);
    if (fit === undefined) {
      fit = dateFit(dates, day);
      this.#fits.set(day, fit);
    }
    return this.input.signals.date * fit;
  }
}
