import type { Instant } from "../model/instant.js";
import type { Memory } from "../model/memory.js";
import type { Calibration } from "../ports/embedder.js";
import type { NamespaceIndex } from "../ports/search-index.js";
import type { Hints } from "./hints.js";
import type { Returnable } from "./may-return.js";
import type { RankingColumns } from "./ranking-columns.js";
import type { ScoredCandidates } from "./scored-candidates.js";
import { recencyOf, relevanceOf } from "./scores.js";
import type { ScoreParts, Scores, SearchQuery } from "./search.js";
import type { SignalWeights } from "./signal-weights.js";
import { dateFit } from "./signals/date.js";

/** A memory that matches, with its scores. */
export interface Match {
  readonly row: number;
  readonly memory: Memory;
  readonly wordSignature: number | undefined;
  readonly scores: Scores;
}

/** What ranking needs to know beside the index. */
export interface RankInput {
  readonly query: Pick<SearchQuery, "query" | "order" | "minRelevance" | "weights">;
  readonly vector: Float32Array | undefined;
  /** Rows near the vector; `undefined`: compare the vectors of all. */
  readonly nearest: Int32Array | undefined;
  readonly calibration: Calibration;
  readonly signals: SignalWeights;
  readonly returnable: Returnable;
  /** Now, for expiry. */
  readonly now: Instant;
  /** What counts as now for recency and for relative dates. */
  readonly referenceMs: number;
}

/** The memories that match. A match is a number: its place in the columns `positions` and `finals`. */
export class Matches {
  readonly #positions: Int32Array;
  readonly #finals: Float64Array;
  count = 0;
  /** Memories that match but are kept from who asks. */
  withheld = 0;

  /** REQUIRES: the columns have room for all candidates, and nobody else writes to them. */
  constructor(
    readonly index: NamespaceIndex,
    readonly candidates: ScoredCandidates,
    { positions, finals }: RankingColumns,
    readonly input: RankInput,
    readonly hints: Hints,
  ) {
    this.#positions = positions;
    this.#finals = finals;
  }

  add(position: number): void {
    this.#positions[this.count] = position;
    this.#finals[this.count] = Number.NaN;
    this.count += 1;
  }

  row(match: number): number {
    return this.candidates.rows[this.#positions[match] as number] as number;
  }

  memory(match: number): Memory {
    return this.index.at(this.row(match)).memory;
  }

  /** Whether its memory has at most so many tokens; looks at no memory. */
  hasAtMostTokens(match: number, tokensMax: number): boolean {
    return (
      tokensMax === Number.POSITIVE_INFINITY ||
      this.index.traits.tokenCount(this.row(match)) <= tokensMax
    );
  }

  /** The score that decided that it matches. */
  score(match: number): number {
    return this.candidates.smoothed[this.#positions[match] as number] as number;
  }

  final(match: number): number {
    const known = this.#finals[match] as number;
    if (!Number.isNaN(known)) return known;
    const row = this.row(match);
    const { weights } = this.input.query;
    const final =
      this.score(match) +
      this.#threadPart(match) +
      this.#authorPart(row) +
      this.#datePart(row) +
      weights.recency * this.#recency(row) +
      weights.importance * this.index.traits.importance(row);
    this.#finals[match] = final;
    return final;
  }

  /** What `final` can add to `score` at most. */
  get mostAdded(): number {
    const { recency, importance } = this.input.query.weights;
    const { thread, author, date } = this.input.signals;
    const { hints, index } = this;
    const hinted =
      (hints.author === undefined ? 0 : author) + (hints.dates.length === 0 ? 0 : 2 * date);
    return recency + importance + (index.hasThreads ? thread : 0) + hinted;
  }

  scored(match: number): Match {
    const { query, calibration } = this.input;
    const row = this.row(match);
    const { memory, wordSignature } = this.index.at(row);
    const scores: Scores = {
      relevance: query.query === "" ? 0 : relevanceOf(this.score(match), calibration),
      ...this.parts(match),
      final: this.final(match),
    };
    return { row, memory, wordSignature, scores };
  }

  /** What the final score is made of. */
  parts(match: number): ScoreParts {
    const position = this.#positions[match] as number;
    const row = this.row(match);
    return {
      vector: Math.min(1, Math.max(0, this.candidates.vector[position] as number)),
      keyword: this.candidates.keyword[position] as number,
      following: this.score(match) - (this.candidates.fused[position] as number),
      thread: this.#threadPart(match),
      author: this.#authorPart(row),
      date: this.#datePart(row),
      recency: this.#recency(row),
      importance: this.index.traits.importance(row),
    };
  }

  #threadPart(match: number): number {
    return (
      this.input.signals.thread *
      (this.candidates.thread[this.#positions[match] as number] as number)
    );
  }

  #authorPart(row: number): number {
    const { author } = this.hints;
    return author !== undefined && this.index.at(row).memory.author === author
      ? this.input.signals.author
      : 0;
  }

  #datePart(row: number): number {
    const { dates } = this.hints;
    return dates.length === 0
      ? 0
      : this.input.signals.date * dateFit(dates, this.index.at(row).memory.eventTime);
  }

  #recency(row: number): number {
    return recencyOf(this.index.traits.happenedMs(row), this.input.referenceMs);
  }
}
