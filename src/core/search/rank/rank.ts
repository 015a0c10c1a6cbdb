import { typeSetOf } from "../../model/memory.js";
import type { IndexTier, NamespaceIndex, Row } from "../../ports/search-index.js";
import { NamedRows } from "../query/named-rows.js";
import type { RankInput } from "../query/rank-input.js";
import { isWithheld, mayReturn } from "../query/result-filter.js";
import { matchesAll } from "../query/search.js";
import type { RankingColumns } from "../score/ranking-columns.js";
import type { MatchNumber, Position } from "../score/ranking-numbers.js";
import { type ScoredCandidates, scoreCandidates } from "../score/scored-candidates.js";
import { Admission, type GateState } from "./admission.js";
import { type Match, Matches } from "./matches.js";

/** The types of a query for the items of a scratch page alone. */
const scratchPages = typeSetOf(["SCRATCH_PAGE"]);

/** The matches of a query, in order. */
export interface Ranking {
  /** Number of matches, without withheld matches. */
  readonly totalMatches: number;
  /** Number of memories that match but are withheld from the caller. */
  readonly withheld: number;
  readonly tier: IndexTier;
  readonly gate: GateState;
  /** What the default floor kept out. `undefined`: there are matches, or it kept nothing out. */
  readonly belowFloor: BelowFloor | undefined;
  /**
   * Iterates over the matches in order. Skips matches of more than `tokensMax()` tokens.
   *
   * Sorts the matches in batches, so that the first few cost much less than all of them. Calls
   * `tokensMax` before it sorts a batch, and again before it yields a match.
   *
   * Requires: the value of `tokensMax` never grows.
   */
  matches(tokensMax: () => number): Iterable<Match>;
}

/** The memories that only the default floor kept out of the matches. */
export interface BelowFloor {
  readonly floor: number;
  /** The relevance of the most relevant of them. */
  readonly bestRelevance: number;
}

/**
 * Numbers of matches in the batches: enough for a few hits, then enough for a full receipt, then
 * all remaining matches.
 */
const batchSizes = [16, 256, Number.POSITIVE_INFINITY];

/**
 * Ranks the memories of an index. Scores flow from candidates to hits in these steps:
 *
 * ```
 *   index.candidates       keyword   BM25, as a share of the best that the query could reach
 *          |               vector    cosine with the query
 *          |               thread    BM25 of the whole thread
 *          v
 *   scoreCandidates        fused     (1 - w) keyword + w vector
 *          |               base      fused + up to 0.3 fused of the next row in the thread
 *          |               relevance base on a scale of 0 to 1     (relevance.ts)
 *          |               partial   base + turn + answer + mention  (turn-scores.ts)
 *          |                              + thread + author + date   (part-scores.ts)
 *          |                              + similarWords             (similar-words.ts)
 *          v
 *   admit                  drops a candidate if
 *          |                 - it has no keyword score, its relevance is 0, and the query
 *          |                   neither names its date nor asks only what its author said
 *          |                 - its relevance is below the floor (admission.ts)
 *          |                 - the filter, expiry or supersession excludes it
 *          v
 *   Matches                final     partial + recency + importance (weights of the query)
 *          v
 *   matches()              sorts by final, or newest first; resolved
 *          |                 items of a scratch page last
 *          v
 *   pack.ts                returns no hits if the gate is closed; else
 *                          diversify (only with a weight for novelty), then selectMatches:
 *                          near-copies and matches over the budget become omissions
 * ```
 *
 * `w` is the embedder's vector weight. Without threads, `base` is `fused`. The 0.3 fades with the
 * length of the texts (`SignalWeights.following`). A query without words and vector admits
 * everything that the filter accepts, newest first.
 *
 * Reads nothing but its arguments. The result is valid until the columns are written to again, or
 * until the next call of `index.candidates`.
 */
export function rank(index: NamespaceIndex, input: RankInput, columns: RankingColumns): Ranking {
  const { query } = input;
  const { matches, gate, belowFloor } = admit(index, input, columns);
  const ordered =
    query.order === "NEWEST_FIRST" || matchesAll(query)
      ? orderByTime(matches)
      : orderByScore(matches);
  const order =
    input.resultFilter.types === scratchPages ? orderResolvedLast(matches, ordered) : ordered;
  return {
    totalMatches: matches.count,
    withheld: matches.withheld,
    tier: matches.weighed.tier,
    gate,
    belowFloor,
    *matches(tokensMax) {
      let offset = 0;
      let last: MatchNumber | undefined;
      for (const size of batchSizes) {
        const batch = nextBatch(matches, order, { size, offset, last, tokensMax: tokensMax() });
        for (const match of batch) if (matches.fits(match, tokensMax())) yield matches.at(match);
        if (batch.length < size) return;
        offset += size;
        last = batch.at(-1);
      }
    },
  };
}

interface Admitted {
  readonly matches: Matches;
  readonly gate: GateState;
  readonly belowFloor: BelowFloor | undefined;
}

/** Scores the candidates and admits the matches among them. */
function admit(index: NamespaceIndex, input: RankInput, columns: RankingColumns): Admitted {
  const { resultFilter, now } = input;
  const named = new NamedRows(index, input.hints, input.timeZone);
  const admission = new Admission(index, input, named);
  const floor = admission.floor === 0 ? undefined : admission.candidateFloor;
  const candidates = scoreCandidates(index, input, { columns, named, floor });
  const matches = new Matches(index, candidates, input, columns);
  const { weighed, relevance } = candidates;
  const { count, rows, keyword, base } = weighed;
  const scoreMin = relevance.scoreBelow(admission.floor);
  for (let position = 0 as Position; position < count; position++) {
    const row = rows[position] as Row;
    const keywordScore = keyword[position] as number;
    const score = base[position] as number;
    if (score < scoreMin && !admission.admitsBelowFloor(row, keywordScore)) continue;
    const rowRelevance = relevance.of(row, score);
    if (!admission.admits(row, keywordScore, rowRelevance)) continue;
    if (!mayReturn(index, row, resultFilter, now)) continue;
    if (isWithheld(index, row, resultFilter)) {
      matches.withheld += 1;
      continue;
    }
    matches.add(position);
    admission.countMatch(row, keywordScore, rowRelevance);
  }
  const { gate } = admission;
  if (matches.count > 0 || !admission.isDefaultFloor)
    return { matches, gate, belowFloor: undefined };
  const all = candidates.hasFloor ? scoreCandidates(index, input, { columns, named }) : candidates;
  return { matches, gate, belowFloor: findBelowFloor(index, input, all, admission) };
}

/**
 * Finds the most relevant memory that only the default floor kept out. Applies the filter to few
 * memories: only to a memory that is more relevant than the best one so far.
 */
function findBelowFloor(
  index: NamespaceIndex,
  { resultFilter, now, defaultFloor }: RankInput,
  { weighed: { count, rows, keyword, base }, relevance }: ScoredCandidates,
  admission: Admission,
): BelowFloor | undefined {
  let best: number | undefined;
  for (let position = 0 as Position; position < count; position++) {
    const row = rows[position] as Row;
    const rowRelevance = relevance.of(row, base[position] as number);
    if (best !== undefined && rowRelevance <= best) continue;
    if (!admission.isBelowDefaultFloor(row, keyword[position] as number, rowRelevance)) continue;
    if (!mayReturn(index, row, resultFilter, now) || isWithheld(index, row, resultFilter)) continue;
    best = rowRelevance;
  }
  return best === undefined ? undefined : { floor: defaultFloor, bestRelevance: best };
}

/**
 * A total order of matches. `value` decreases along it, or is infinite when the order has no value
 * (newest first).
 */
interface Order {
  compare(a: MatchNumber, b: MatchNumber): number;
  value(match: MatchNumber): number;
  /** An upper bound of `value`. Much cheaper to compute than `value`. */
  valueBound(match: MatchNumber): number;
  /**
   * Returns a lower bound of the `count`-th highest `value` among matches of at most `tokensMax`
   * tokens.
   */
  threshold(count: number, tokensMax: number): number;
}

function orderByTime(matches: Matches): Order {
  return {
    compare: (a, b) => matches.compareNewest(a, b),
    value: () => Number.NEGATIVE_INFINITY,
    valueBound: () => Number.POSITIVE_INFINITY,
    threshold: () => Number.NEGATIVE_INFINITY,
  };
}

/** Orders active items before resolved ones. */
function orderResolvedLast(matches: Matches, order: Order): Order {
  const isResolved = (match: MatchNumber) => Number(matches.memory(match).status === "RESOLVED");
  return {
    compare: (a, b) => isResolved(a) - isResolved(b) || order.compare(a, b),
    value: () => Number.NEGATIVE_INFINITY,
    valueBound: () => Number.POSITIVE_INFINITY,
    threshold: () => Number.NEGATIVE_INFINITY,
  };
}

/** Best final score first. Of two equal scores, the newer memory comes first. */
function orderByScore(matches: Matches): Order {
  const { bonusMax } = matches;
  return {
    compare: (a, b) => matches.finalScore(b) - matches.finalScore(a) || matches.compareNewest(a, b),
    value: (match) => matches.finalScore(match),
    valueBound: (match) => matches.partialScore(match) + bonusMax,
    threshold: (count, tokensMax) => scoreThreshold(matches, count, tokensMax),
  };
}

/**
 * `scoreThreshold` counts partial scores in a histogram: the number of its buckets between 0 and 1.
 */
const scoreSteps = 512;
/** All partial scores from this one on fall into the last bucket. */
const countedScoreMax = 2;
/** The histogram. All rankings share it, because each call of `scoreThreshold` is synchronous. */
const stepCounts = new Uint32Array(countedScoreMax * scoreSteps + 1);

/**
 * Returns a lower bound of the `count`-th highest final score among matches of at most `tokensMax`
 * tokens. Reads only partial scores: a final score is never below its partial score. The bound is a
 * multiple of 1/512 and at most 2. Ignores partial scores below 0. Returns minus infinity if fewer
 * than `count` matches remain. Reads no record.
 */
function scoreThreshold(matches: Matches, count: number, tokensMax: number): number {
  if (matches.count < count) return Number.NEGATIVE_INFINITY;
  const stepMax = countedScoreMax * scoreSteps;
  const counts = stepCounts.fill(0);
  for (let match = 0 as MatchNumber; match < matches.count; match++) {
    if (!matches.fits(match, tokensMax)) continue;
    const step = Math.min(stepMax, Math.floor(matches.partialScore(match) * scoreSteps));
    if (step >= 0) counts[step] = (counts[step] as number) + 1;
  }
  let reached = 0;
  for (let step = stepMax; step >= 0; step--) {
    reached += counts[step] as number;
    if (reached >= count) return step / scoreSteps;
  }
  return Number.NEGATIVE_INFINITY;
}

interface BatchRequest {
  readonly size: number;
  /** Number of matches in the earlier batches. */
  readonly offset: number;
  /** The last match of the previous batch; `undefined` for the first batch. */
  readonly last: MatchNumber | undefined;
  readonly tokensMax: number;
}

/** Returns the first `size` matches of at most `tokensMax` tokens that come after `last`. */
function nextBatch(
  matches: Matches,
  order: Order,
  { size, offset, last, tokensMax }: BatchRequest,
): MatchNumber[] {
  const takesAll = size === Number.POSITIVE_INFINITY;
  // Matches of earlier batches may reach the threshold too, so the threshold counts them.
  let threshold = takesAll ? Number.NEGATIVE_INFINITY : order.threshold(offset + size, tokensMax);
  const batch: MatchNumber[] = [];
  for (let match = 0 as MatchNumber; match < matches.count; match++) {
    if (order.valueBound(match) < threshold) continue;
    if (!matches.fits(match, tokensMax)) continue;
    if (last !== undefined && order.compare(match, last) <= 0) continue;
    if (takesAll) {
      batch.push(match);
      continue;
    }
    const worst = batch.length === size ? batch[size - 1] : undefined;
    if (worst !== undefined && order.compare(match, worst) > 0) continue;
    if (worst !== undefined) batch.pop();
    insert(batch, match, order);
    if (batch.length === size)
      threshold = Math.max(threshold, order.value(batch[size - 1] as MatchNumber));
  }
  return takesAll ? batch.sort((a, b) => order.compare(a, b)) : batch;
}

/** Inserts a match into a sorted list. */
function insert(sorted: MatchNumber[], match: MatchNumber, order: Order): void {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (order.compare(sorted[middle] as MatchNumber, match) <= 0) low = middle + 1;
    else high = middle;
  }
  sorted.splice(low, 0, match);
}
