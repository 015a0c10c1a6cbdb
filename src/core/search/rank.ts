import type { Calibration } from "../embedder.js";
import { compareInstants, type Instant, millisOfInstant } from "../instant.js";
import { happenedAt, type Memory } from "../memory.js";
import type { Candidates, NamespaceIndex } from "../search-index.js";
import { compareNewestFirst } from "../timeline.js";
import { fusedScore, recencyOf, relevanceOf } from "./scores.js";
import type { RankingWeights, Scores, SearchQuery } from "./search.js";

/** A memory that matches, with its place in the order. */
export interface Match {
  readonly row: number;
  readonly memory: Memory;
  readonly wordSignature: number | undefined;
  readonly scores: Scores;
}

/** All matches of a query. */
export interface Ranking {
  readonly totalMatches: number;
  /** The matches in order; the first few cost much less than all. */
  inOrder(): Iterable<Match>;
}

/** What `rank` needs to know beside the index. */
export interface RankInput {
  readonly query: Pick<SearchQuery, "query" | "order" | "minRelevance" | "includeSuperseded" | "weights">;
  readonly vector: Float32Array | undefined;
  readonly calibration: Calibration;
  readonly passesFilter: (memory: Memory) => boolean;
  /** Now, for expiry. */
  readonly now: Instant;
  /** What counts as now for recency. */
  readonly referenceMs: number;
}

/** How many matches are found by one pass over all before the rest is sorted. */
const firstBest = 64;

/** Admits matches by keyword hit and relevance, then orders them by final score or by time. Pure: reads the index and nothing else. */
export function rank(index: NamespaceIndex, input: RankInput): Ranking {
  const { query, vector, calibration } = input;
  const candidates = index.candidates(vector === undefined ? { text: query.query } : { text: query.query, vector });
  const admitted = admit(index, candidates, input);
  const scorer = new Scorer(index, candidates, input);
  const compare = query.order === "NEWEST_FIRST" || query.query === "" ? compareByTime : compareByScore;
  // What recency and importance can add at most: a match further behind than this need not be scored.
  const slack = compare === compareByScore ? query.weights.recency + query.weights.importance : Number.POSITIVE_INFINITY;
  return {
    totalMatches: admitted.length,
    *inOrder() {
      const best: Match[] = [];
      for (const position of admitted) {
        const worst = best.length === firstBest ? best[firstBest - 1] : undefined;
        if (worst !== undefined && scorer.fused(position) + slack < worst.scores.final) continue;
        insert(best, scorer.match(position), compare);
        if (best.length > firstBest) best.pop();
      }
      yield* best;
      if (admitted.length <= firstBest) return;
      const seen = new Set(best.map((match) => match.row));
      const rest = admitted.filter((position) => !seen.has(candidates.rows[position] ?? -1)).map((position) => scorer.match(position));
      yield* rest.sort(compare);
    },
  };

  /** Positions in `candidates` of the memories that match. */
  function admit(index: NamespaceIndex, { count, rows, keyword, vector }: Candidates, { passesFilter, now }: RankInput): number[] {
    const positions: number[] = [];
    for (let position = 0; position < count; position++) {
      const keywordScore = keyword[position] ?? 0;
      if (query.query !== "") {
        const relevance = relevanceOf(fusedScore(keywordScore, vector[position] ?? 0, calibration), calibration);
        if ((keywordScore === 0 && relevance === 0) || relevance < (query.minRelevance ?? 0)) continue;
      }
      const { memory } = index.at(rows[position] ?? 0);
      if (isVisible(memory, now, query.includeSuperseded) && passesFilter(memory)) positions.push(position);
    }
    return positions;
  }
}

/** Whether reads return a memory at all: not expired, and not superseded unless that is asked for. */
export function isVisible(memory: Memory, now: Instant, includeSuperseded: boolean): boolean {
  return !isExpired(memory, now) && (includeSuperseded || memory.supersededBy === undefined);
}

/** Whether a memory's time is up. */
export function isExpired({ expireTime }: Memory, now: Instant): boolean {
  return expireTime !== undefined && compareInstants(expireTime, now) <= 0;
}

/** Turns positions in the candidates into scored matches. */
class Scorer {
  readonly #weights: RankingWeights;

  constructor(
    readonly index: NamespaceIndex,
    readonly candidates: Candidates,
    readonly input: RankInput,
  ) {
    this.#weights = input.query.weights;
  }

  fused(position: number): number {
    return fusedScore(this.candidates.keyword[position] ?? 0, this.candidates.vector[position] ?? 0, this.input.calibration);
  }

  match(position: number): Match {
    const { calibration, referenceMs, query } = this.input;
    const row = this.candidates.rows[position] ?? 0;
    const { memory, wordSignature } = this.index.at(row);
    const fused = this.fused(position);
    const recency = recencyOf(millisOfInstant(happenedAt(memory)), referenceMs);
    const scores: Scores = {
      relevance: query.query === "" ? 0 : relevanceOf(fused, calibration),
      vector: Math.min(1, Math.max(0, this.candidates.vector[position] ?? 0)),
      keyword: this.candidates.keyword[position] ?? 0,
      recency,
      importance: memory.importance,
      final: fused + this.#weights.recency * recency + this.#weights.importance * memory.importance,
    };
    return { row, memory, wordSignature, scores };
  }
}

type Compare = (a: Match, b: Match) => number;

function compareByTime(a: Match, b: Match): number {
  return compareNewestFirst(a.memory, b.memory);
}

/** Ties go to the newer one, so that the order is always the same. */
function compareByScore(a: Match, b: Match): number {
  return b.scores.final - a.scores.final || compareByTime(a, b);
}

/** Puts a match into its place in a sorted array. */
function insert(sorted: Match[], match: Match, compare: Compare): void {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const other = sorted[middle];
    if (other !== undefined && compare(other, match) <= 0) low = middle + 1;
    else high = middle;
  }
  sorted.splice(low, 0, match);
}
