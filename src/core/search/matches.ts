import type { Memory } from "../model/memory.js";
import type { NamespaceIndex, Row } from "../ports/search-index.js";
import type { RankInput } from "./rank-input.js";
import type { RankingColumns } from "./ranking-columns.js";
import type { MatchNumber, Position } from "./ranking-numbers.js";
import type { ScoredCandidates } from "./scored-candidates.js";
import { recencyOf, relevanceOf } from "./scores.js";
import { matchesAll, type ScoreParts, type Scores } from "./search.js";
import { dateFit } from "./signals/date.js";

/** A memory that matches, with its scores. */
export interface Match {
  readonly row: Row;
  readonly memory: Memory;
  /** See `IndexedMemory.wordSignature`. */
  readonly wordSignature: number | undefined;
  readonly scores: Scores;
}

/**
 * The matches of a query, numbered from 0 in the order in which `add` receives them. A match is
 * passed around as its number; only `at` builds an object.
 */
export class Matches {
  readonly #positions: Int32Array;
  readonly #finals: Float64Array;
  readonly #bonusMax: number;
  count = 0;
  /** Number of memories that match but are restricted, and so are withheld from the caller. */
  withheld = 0;

  /** Requires: `columns` has capacity for all candidates, and nothing else writes to it. */
  constructor(
    readonly index: NamespaceIndex,
    readonly candidates: ScoredCandidates,
    readonly input: RankInput,
    { positions, finals }: RankingColumns,
  ) {
    this.#positions = positions;
    this.#finals = finals;
    this.#bonusMax = this.#findBonusMax();
  }

  /** Adds the candidate at a position. */
  add(position: Position): void {
    this.#positions[this.count] = position;
    this.#finals[this.count] = Number.NaN;
    this.count += 1;
  }

  row(match: MatchNumber): Row {
    return this.candidates.rows[this.#positions[match] as Position] as Row;
  }

  memory(match: MatchNumber): Memory {
    return this.index.at(this.row(match)).memory;
  }

  /** Whether the memory has at most `tokensMax` tokens. Does not read the record. */
  fits(match: MatchNumber, tokensMax: number): boolean {
    return (
      tokensMax === Number.POSITIVE_INFINITY ||
      this.index.traits.tokenCount(this.row(match)) <= tokensMax
    );
  }

  /** The score that decided that the memory matches. */
  baseScore(match: MatchNumber): number {
    return this.candidates.base[this.#positions[match] as Position] as number;
  }

  /**
   * The base score and the scores of turns: every part of the final score that can be negative, or
   * that differs much between matches. Does not read the record.
   */
  partialScore(match: MatchNumber): number {
    const position = this.#positions[match] as Position;
    const base = this.candidates.base[position] as number;
    const { turns } = this.candidates;
    if (turns === undefined) return base;
    return (
      base +
      (turns.turn[position] as number) +
      (turns.answer[position] as number) +
      (turns.mention[position] as number)
    );
  }

  /** The score that orders the matches: the base score and all bonuses. Computed once. */
  finalScore(match: MatchNumber): number {
    const known = this.#finals[match] as number;
    if (!Number.isNaN(known)) return known;
    const row = this.row(match);
    const { weights } = this.input.query;
    const final =
      this.partialScore(match) +
      this.#threadBonus(match) +
      this.#authorBonus(match) +
      this.#dateBonus(row) +
      weights.recency * this.#recency(row) +
      weights.importance * this.index.traits.importance(row);
    this.#finals[match] = final;
    return final;
  }

  /** At least `finalScore`, and much cheaper to compute. Does not read the record. */
  finalScoreBound(match: MatchNumber): number {
    const { hints, signals } = this.input;
    const fused = this.candidates.fused[this.#positions[match] as Position] as number;
    const authorMatch = hints.author === undefined ? 0 : signals.authorMatch * Math.max(0, fused);
    return this.partialScore(match) + authorMatch + this.#bonusMax;
  }

  /** The most that the parts outside `finalScoreBound` add, over all matches. */
  #findBonusMax(): number {
    const { recency, importance } = this.input.query.weights;
    const { thread, author, date } = this.input.signals;
    const { hints } = this.input;
    const hintBonus =
      (hints.author === undefined ? 0 : author) + (hints.dates.length === 0 ? 0 : 2 * date);
    const threadBonus = this.index.hasThreads ? thread + this.candidates.threads.bestMax : 0;
    return recency + importance + threadBonus + hintBonus;
  }

  /** Builds the match with its record and all its scores. */
  at(match: MatchNumber): Match {
    const { query, calibration } = this.input;
    const row = this.row(match);
    const { memory, wordSignature } = this.index.at(row);
    const scores: Scores = {
      relevance: matchesAll(query) ? 0 : relevanceOf(this.baseScore(match), calibration),
      ...this.#parts(match, row),
      final: this.finalScore(match),
    };
    return { row, memory, wordSignature, scores };
  }

  #parts(match: MatchNumber, row: Row): ScoreParts {
    const position = this.#positions[match] as Position;
    const { turns } = this.candidates;
    return {
      vector: Math.min(1, Math.max(0, this.candidates.vector[position] as number)),
      keyword: this.candidates.keyword[position] as number,
      following: this.baseScore(match) - (this.candidates.fused[position] as number),
      thread: this.#threadBonus(match),
      author: this.#authorBonus(match),
      date: this.#dateBonus(row),
      turn: turns?.turn[position] ?? 0,
      answer: turns?.answer[position] ?? 0,
      mention: turns?.mention[position] ?? 0,
      recency: this.#recency(row),
      importance: this.index.traits.importance(row),
    };
  }

  #threadBonus(match: MatchNumber): number {
    const { rows, thread, threads } = this.candidates;
    const position = this.#positions[match] as Position;
    const bonus = this.input.signals.thread * (thread[position] as number);
    if (threads.bestMax === 0) return bonus;
    const number = this.index.threadNumbers[rows[position] as Row] as number;
    return number < 0 ? bonus : bonus + (threads.best[number] as number);
  }

  #authorBonus(match: MatchNumber): number {
    const row = this.row(match);
    const { author } = this.input.hints;
    if (author === undefined || this.index.at(row).memory.author !== author) return 0;
    const { signals } = this.input;
    const { turns, fused } = this.candidates;
    if (turns === undefined || !this.index.traits.isTurn(row)) return signals.author;
    const score = fused[this.#positions[match] as Position] as number;
    return signals.author + turns.share * signals.authorMatch * Math.max(0, score);
  }

  #dateBonus(row: Row): number {
    const { dates } = this.input.hints;
    return dates.length === 0
      ? 0
      : this.input.signals.date * dateFit(dates, this.index.at(row).memory.eventTime);
  }

  #recency(row: Row): number {
    return recencyOf(this.index.traits.happenedMs(row), this.input.referenceMs);
  }
}
