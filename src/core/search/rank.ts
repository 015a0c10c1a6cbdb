import { compareNewestFirst } from "../model/memory.js";
import type { IndexTier, NamespaceIndex } from "../ports/search-index.js";
import { hintsOf } from "./hints.js";
import { type Match, Matches, type RankInput } from "./matches.js";
import { isWithheld, mayReturn } from "./may-return.js";
import type { RankingColumns } from "./ranking-columns.js";
import { scoreCandidates } from "./scored-candidates.js";
import { relevanceOf } from "./scores.js";

/** All matches of a query. */
export interface Ranking {
  readonly totalMatches: number;
  /** Memories that match too, but are kept from who asks. */
  readonly withheld: number;
  readonly tier: IndexTier;
  /**
   * The matches in order, without those that have more than `tokensMax` tokens. Found in batches, so that the first few cost much less than all; `tokensMax` is asked when a batch is made, and again before each match is handed out.
   * REQUIRES: `tokensMax` never grows.
   */
  inOrder(tokensMax: () => number): Iterable<Match>;
}

/** Sizes of the batches in which matches are put in order: what a few hits need, what a full receipt needs, the rest. */
const batchSizes = [16, 256, Number.POSITIVE_INFINITY];

/**
 * Admits matches by keyword hit and relevance, then orders them by final score or by time.
 * Reads the index and nothing else; the result is good as long as the candidates are, and nobody else writes to the columns.
 */
export function rank(index: NamespaceIndex, input: RankInput, columns: RankingColumns): Ranking {
  const { query } = input;
  const matches = admit(index, input, columns);
  const order =
    query.order === "NEWEST_FIRST" || query.query === ""
      ? orderByTime(matches)
      : orderByScore(matches);
  return {
    totalMatches: matches.count,
    withheld: matches.withheld,
    tier: matches.candidates.tier,
    *inOrder(tokensMax) {
      let taken = 0;
      let last: number | undefined;
      for (const size of batchSizes) {
        const batch = nextBatch(matches, order, { size, taken, last, tokensMax: tokensMax() });
        for (const match of batch)
          if (matches.hasAtMostTokens(match, tokensMax())) yield matches.scored(match);
        if (batch.length < size) return;
        taken += size;
        last = batch.at(-1);
      }
    },
  };
}

/** The memories of an index that match. */
function admit(index: NamespaceIndex, input: RankInput, columns: RankingColumns): Matches {
  const { query, calibration, returnable, now } = input;
  const hints = hintsOf(index, input);
  const candidates = scoreCandidates(index, input, hints, columns);
  const matches = new Matches(index, candidates, columns, input, hints);
  const { count, rows, keyword, smoothed } = candidates;
  const { minRelevance = 0 } = query;
  const everything = query.query === "";
  for (let position = 0; position < count; position++) {
    if (!everything) {
      const relevance = relevanceOf(smoothed[position] as number, calibration);
      if ((keyword[position] === 0 && relevance === 0) || relevance < minRelevance) continue;
    }
    const row = rows[position] as number;
    if (!mayReturn(index, row, returnable, now)) continue;
    if (isWithheld(index, row, returnable)) matches.withheld += 1;
    else matches.add(position);
  }
  return matches;
}

/** An order of matches; total, so that no two are equal. It may know a value of each match that falls along the order; infinities where it does not. */
interface Order {
  compare(a: number, b: number): number;
  value(match: number): number;
  /** `value` is no more than this, which costs much less to know. */
  valueAtMost(match: number): number;
  /** A value that so many of the matches of at most `tokensMax` tokens reach. */
  valueReachedBy(count: number, tokensMax: number): number;
}

function orderByTime(matches: Matches): Order {
  return {
    compare: (a, b) => compareNewestFirst(matches.memory(a), matches.memory(b)),
    value: () => Number.NEGATIVE_INFINITY,
    valueAtMost: () => Number.POSITIVE_INFINITY,
    valueReachedBy: () => Number.NEGATIVE_INFINITY,
  };
}

/** Best final score first; ties go to the newer one, so that the order is always the same. */
function orderByScore(matches: Matches): Order {
  const { mostAdded } = matches;
  return {
    compare: (a, b) =>
      matches.final(b) - matches.final(a) ||
      compareNewestFirst(matches.memory(a), matches.memory(b)),
    value: (match) => matches.final(match),
    valueAtMost: (match) => matches.score(match) + mostAdded,
    valueReachedBy: (count, tokensMax) => scoreReachedBy(matches, count, tokensMax),
  };
}

/** Steps in which `scoreReachedBy` counts scores from 0 to 1. */
const scoreSteps = 512;

/** A score, nearly the greatest, that so many matches of at most `tokensMax` tokens reach, and with it their final scores. Looks at no memory. */
function scoreReachedBy(matches: Matches, count: number, tokensMax: number): number {
  const counts = new Uint32Array(scoreSteps + 1);
  for (let match = 0; match < matches.count; match++) {
    if (!matches.hasAtMostTokens(match, tokensMax)) continue;
    const step = Math.min(scoreSteps, Math.floor(matches.score(match) * scoreSteps));
    counts[step] = (counts[step] as number) + 1;
  }
  let reached = 0;
  for (let step = scoreSteps; step >= 0; step--) {
    reached += counts[step] as number;
    if (reached >= count) return step / scoreSteps;
  }
  return Number.NEGATIVE_INFINITY;
}

/** What a batch is to be. */
interface BatchRequest {
  readonly size: number;
  /** How many matches were in batches before. */
  readonly taken: number;
  /** The last one of them, in order. */
  readonly last: number | undefined;
  readonly tokensMax: number;
}

/** The first `size` matches of at most `tokensMax` tokens behind `last`, in order. */
function nextBatch(
  matches: Matches,
  order: Order,
  { size, taken, last, tokensMax }: BatchRequest,
): number[] {
  // What was taken may be among those that reach it.
  let bar =
    size === Number.POSITIVE_INFINITY
      ? Number.NEGATIVE_INFINITY
      : order.valueReachedBy(taken + size, tokensMax);
  const batch: number[] = [];
  for (let match = 0; match < matches.count; match++) {
    if (order.valueAtMost(match) < bar) continue;
    if (!matches.hasAtMostTokens(match, tokensMax)) continue;
    if (last !== undefined && order.compare(match, last) <= 0) continue;
    if (size === Number.POSITIVE_INFINITY) {
      batch.push(match);
      continue;
    }
    const worst = batch.length === size ? batch[size - 1] : undefined;
    if (worst !== undefined && order.compare(match, worst) > 0) continue;
    if (worst !== undefined) batch.pop();
    insert(batch, match, order);
    if (batch.length === size) bar = Math.max(bar, order.value(batch[size - 1] as number));
  }
  return size === Number.POSITIVE_INFINITY ? batch.sort((a, b) => order.compare(a, b)) : batch;
}

/** Puts a match into its place in a sorted list. */
function insert(sorted: number[], match: number, order: Order): void {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (order.compare(sorted[middle] as number, match) <= 0) low = middle + 1;
    else high = middle;
  }
  sorted.splice(low, 0, match);
}
