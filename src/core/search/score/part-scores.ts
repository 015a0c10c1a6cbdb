import {
  type Candidates,
  type NamespaceIndex,
  type Row,
  rowMarks,
} from "../../ports/search-index.js";
import { dateFit } from "../query/date.js";
import type { RankInput } from "../query/rank-input.js";
import { noteScoresOf } from "./mark-scores.js";
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
  /** What each thread adds to the scores of its rows, by thread number. `undefined`: nothing. */
  readonly threads: Float64Array | undefined;
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
  readonly #fused: Float64Array;
  readonly #asked: Float64Array;
  readonly #similarWords: Float64Array;
  readonly #thread: Float32Array;
  readonly #threads: Float64Array | undefined;
  readonly #turns: TurnScores | undefined;
  /** See `noteScoresOf`. */
  readonly #notes: Float64Array | undefined;
  readonly #threadNumbers: Int32Array;
  readonly #authorNumbers: Int32Array;
  readonly #marks: Uint8Array;

  constructor(
    private readonly index: NamespaceIndex,
    private readonly candidates: WeighedCandidates,
    private readonly input: RankInput,
  ) {
    this.#rows = candidates.rows;
    this.#fused = candidates.fused;
    this.#asked = candidates.asked;
    this.#similarWords = candidates.similarWords;
    this.#thread = candidates.thread;
    this.#threads = candidates.threads;
    this.#turns = candidates.turns;
    this.#notes = noteScoresOf(index, input);
    const { author } = input.hints;
    this.#author = author === undefined ? -1 : (index.authorNumber(author) ?? -1);
    this.#threadNumbers = index.threadNumbers;
    this.#authorNumbers = index.traits.authorNumbers;
    this.#marks = index.traits.marks;
  }

  /**
   * Returns the sums of the base score and all parts except `similarWords`, by position. Writes the
   * sums to `partial`. If no part applies to this query, returns the base scores instead.
   */
  sumInto(partial: Float64Array): Float64Array {
    const { count, base, turns } = this.candidates;
    const hasMarks = turns !== undefined || this.#notes !== undefined;
    const hasThreads = this.index.hasThreads;
    const hasDates = this.input.hints.dates.length > 0;
    const hasAuthor = this.#author >= 0;
    if (!hasMarks && !hasThreads && !hasDates && !hasAuthor) return base;
    for (let position = 0 as Position; position < count; position++) {
      let score = base[position] as number;
      if (hasMarks) score += this.turn(position) + this.answer(position);
      if (hasThreads) score += this.thread(position);
      if (hasAuthor) score += this.author(position);
      if (hasDates) score += this.date(position) + this.mention(position);
      partial[position] = score;
    }
    return partial;
  }

  /** See `TurnScores.turn`. For a memory that is not a turn, see `noteScoresOf`. */
  turn(position: Position): number {
    const row = this.#rows[position] as Row;
    if (!this.#isTurn(row)) return this.#notes?.[this.#marks[row] as number] ?? 0;
    return this.#turns === undefined ? 0 : this.#turns.turn(row);
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

  /** The bonus of a candidate whose thread fits the query; 0 without a thread. */
  thread(position: Position): number {
    const part = this.input.signals.thread * (this.#thread[position] as number);
    if (this.#threads === undefined) return part;
    const number = this.#threadNumbers[this.#rows[position] as Row] as number;
    return number < 0 ? part : part + (this.#threads[number] as number);
  }

  /** The bonus of a candidate by the author whom the query names; 0 for other candidates. */
  author(position: Position): number {
    const row = this.#rows[position] as Row;
    if (this.#authorNumbers[row] !== this.#author) return 0;
    const { author, authorMatch } = this.input.signals;
    if (this.#turns === undefined || !this.#isTurn(row)) return author;
    return author + this.#turns.share * authorMatch * (this.#fused[position] as number);
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

  #isTurn(row: Row): boolean {
    return ((this.#marks[row] as number) & rowMarks.turn) !== 0;
  }
}
