import type { Memory } from "../../model/memory.js";
import type { NamespaceIndex, Row } from "../../ports/search-index.js";
import type { RankInput } from "../query/rank-input.js";
import { recencyOf } from "../query/scores.js";
import { matchesAll, type Scores } from "../query/search.js";
import type { WeighedCandidates } from "../score/part-scores.js";
import type { RankingColumns } from "../score/ranking-columns.js";
import type { MatchNumber, Position } from "../score/ranking-numbers.js";
import type { ScoredCandidates } from "../score/scored-candidates.js";

/** A memory that matches, with its scores. */
export interface Match {
  readonly row: Row;
  readonly memory: Memory;
  /** See `IndexedMemory.wordSignature`. */
  readonly wordSignature: number | undefined;
  readonly scores: Scores;
  /** See `SearchHit.weak`. */
  readonly isWeak: boolean;
}

/** Which matches can still be selected. Each call may accept fewer matches than the call before. */
export interface Selectable {
  /** Maximum number of tokens of a match. */
  tokensMax(): number;
  /** Whether a weak match can be selected. */
  takesWeak(): boolean;
}

/** Every match can be selected. */
export const anyMatch: Selectable = {
  tokensMax: () => Number.POSITIVE_INFINITY,
  takesWeak: () => true,
};

/**
 * The matches of a query, numbered from 0 in the order in which `add` receives them. Methods take
 * the number of a match. Only `at` builds an object.
 */
export class Matches {
  readonly #positions: Int32Array;
  readonly #finals: Float64Array;
  readonly #weak: Uint8Array;
  readonly weighed: WeighedCandidates;
  count = 0;
  /** Number of memories that match but are restricted, and so are withheld from the caller. */
  withheld = 0;

  /** Requires: `columns` has capacity for all candidates, and nothing else writes to it. */
  constructor(
    readonly index: NamespaceIndex,
    readonly candidates: ScoredCandidates,
    readonly input: RankInput,
    { positions, finals, weak }: RankingColumns,
  ) {
    this.#positions = positions;
    this.#finals = finals;
    this.#weak = weak;
    this.weighed = candidates.weighed;
  }

  /** Adds the candidate at a position. */
  add(position: Position, isWeak: boolean): void {
    this.#positions[this.count] = position;
    this.#finals[this.count] = Number.NaN;
    this.#weak[this.count] = isWeak ? 1 : 0;
    this.count += 1;
  }

  row(match: MatchNumber): Row {
    return this.weighed.rows[this.#positions[match] as Position] as Row;
  }

  memory(match: MatchNumber): Memory {
    return this.index.at(this.row(match)).memory;
  }

  /** Orders two matches as `compareNewestFirst` does, without reading their records. */
  compareNewest(a: MatchNumber, b: MatchNumber): number {
    const [rowA, rowB] = [this.row(a), this.row(b)];
    const { traits } = this.index;
    return traits.createdMs(rowB) - traits.createdMs(rowA) || this.index.compareIds(rowB, rowA);
  }

  /**
   * Whether the memory has at most `tokensMax` tokens, and may be weak if it is. Does not read the
   * record.
   */
  fits(match: MatchNumber, tokensMax: number, takesWeak: boolean): boolean {
    if (!takesWeak && this.#weak[match] === 1) return false;
    return (
      tokensMax === Number.POSITIVE_INFINITY ||
      this.index.traits.tokenCount(this.row(match)) <= tokensMax
    );
  }

  /** The final score without recency and importance. */
  partialScore(match: MatchNumber): number {
    return this.candidates.partial[this.#positions[match] as Position] as number;
  }

  /** The score that orders the matches: the base score plus all bonuses. Computed once. */
  finalScore(match: MatchNumber): number {
    const known = this.#finals[match] as number;
    if (!Number.isNaN(known)) return known;
    const row = this.row(match);
    const { weights } = this.input.query;
    const final =
      this.partialScore(match) +
      weights.recency * this.#recency(row) +
      weights.importance * this.index.traits.importance(row);
    this.#finals[match] = final;
    return final;
  }

  /** An upper bound of `finalScore - partialScore` for every match. */
  get bonusMax(): number {
    const { recency, importance } = this.input.query.weights;
    return recency + importance;
  }

  /** Builds the match with its record and all its scores. */
  at(match: MatchNumber): Match {
    const { query } = this.input;
    const row = this.row(match);
    const { memory, wordSignature } = this.index.at(row);
    const position = this.#positions[match] as Position;
    const { relevance, parts } = this.candidates;
    const { vector, keyword, fused, base, ownFused, respelledByRow } = this.weighed;
    const scores: Scores = {
      relevance: matchesAll(query) ? 0 : relevance.of(row, ownFused[position] as number),
      vector: Math.min(1, Math.max(0, vector[position] as number)),
      keyword: keyword[position] as number,
      following: (base[position] as number) - (fused[position] as number),
      author: parts.author(position),
      date: parts.date(position),
      answer: parts.answer(position),
      mention: parts.mention(position),
      similarWords: parts.similarWords(position),
      similarSpelling: respelledByRow?.[row] ?? 0,
      recency: this.#recency(row),
      importance: this.index.traits.importance(row),
      final: this.finalScore(match),
    };
    return { row, memory, wordSignature, scores, isWeak: this.#weak[match] === 1 };
  }

  #recency(row: Row): number {
    return recencyOf(this.index.traits.happenedMs(row), this.input.referenceMs);
  }
}
