import { typeSetOf } from "../../model/memory.js";
import type { IndexTier, NamespaceIndex, Row } from "../../ports/search-index.js";
import { NamedRows } from "../query/named-rows.js";
import type { RankInput } from "../query/rank-input.js";
import { isWithheld, mayReturn } from "../query/result-filter.js";
import { matchesAll } from "../query/search.js";
import type { RankingColumns } from "../score/ranking-columns.js";
import type { MatchNumber, Position } from "../score/ranking-numbers.js";
import { scoreCandidates } from "../score/scored-candidates.js";
import { Admission, type GateState } from "./admission.js";
import { type Match, Matches, type Selectable } from "./matches.js";

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
  /**
   * Iterates over the matches in order. Skips matches that cannot be selected any more.
   *
   * Sorts the matches in batches, so that the first few cost much less than all of them. Calls
   * `selectable` before it sorts a batch, and again before it yields a match.
   */
  matches(selectable: Selectable): Iterable<Match>;
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
 *          v
 *   scoreCandidates        fused     (1 - w) keyword + w vector
 *          |               relevance fused, without what the thread adds to words and vector, on a
 *          |                         scale of 0 to 1     (relevance.ts)
 *          |               base      fused + up to 0.3 fused of the next row in the thread
 *          |               partial   base + answer + mention         (turn-scores.ts)
 *          |                              + author + date            (part-scores.ts)
 *          |                              + similarWords             (similar-words.ts)
 *          v
 *   admit                  drops a candidate if
 *          |                 - it has no keyword score, its relevance is 0, and the query
 *          |                   neither names its date nor asks only what its author said
 *          |                 - its relevance is below the floor (admission.ts). If nothing is
 *          |                   left, the best candidate is admitted below the default floor
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
  const { matches, gate } = admit(index, input, columns);
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
    *matches(selectable) {
      let offset = 0;
      let last: MatchNumber | undefined;
      for (const size of batchSizes) {
        const bounds = { tokensMax: selectable.tokensMax(), takesWeak: selectable.takesWeak() };
        const batch = nextBatch(matches, order, { size, offset, last, ...bounds });
        for (const match of batch)
          if (matches.fits(match, selectable.tokensMax(), selectable.takesWeak()))
            yield matches.at(match);
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
}

/** Scores the candidates and admits the matches among them. */
function admit(index: NamespaceIndex, input: RankInput, columns: RankingColumns): Admitted {
  const named = new NamedRows(index, input.hints, input.timeZone);
  const admission = new Admission(index, input, named);
  const floor = admission.floor === 0 ? undefined : admission.candidateFloor;
  const candidates = scoreCandidates(index, input, { columns, named, floor });
  const matches = new Matches(index, candidates, input, columns);
  const { count, rows, keyword, base, ownFused } = candidates.weighed;
  const { relevance } = candidates;
  const scoreMin = relevance.scoreBelow(admission.floor);
  for (let position = 0 as Position; position < count; position++) {
    const row = rows[position] as Row;
    const keywordScore = keyword[position] as number;
    const own = ownFused[position] as number;
    const inThread = Math.max(own, base[position] as number);
    const score = admission.isDefaultFloor ? inThread : own;
    if (score < scoreMin && !admission.admitsBelowFloor(row, keywordScore)) continue;
    if (
      admission.admits(
        row,
        keywordScore,
        admission.relevance(relevance, row, own),
        admission.relevance(relevance, row, inThread),
      )
    )
      addMatch(matches, admission, position);
  }
  if (matches.count > 0 || floor === undefined || !admission.isDefaultFloor)
    return { matches, gate: admission.gate };
  const all = candidates.hasFloor ? scoreCandidates(index, input, { columns, named }) : candidates;
  const alone = new Matches(index, all, input, columns);
  alone.withheld = matches.withheld;
  const best = findBest(alone, admission);
  if (best !== undefined) addMatch(alone, admission, best);
  return { matches: alone, gate: admission.gate };
}

/** Adds a candidate that matches by its scores, unless the filter or the access excludes it. */
function addMatch(matches: Matches, admission: Admission, position: Position): void {
  const { index, input, candidates } = matches;
  const { rows, keyword, base, ownFused } = matches.weighed;
  const row = rows[position] as Row;
  if (!mayReturn(index, row, input.resultFilter, input.now)) return;
  if (isWithheld(index, row, input.resultFilter)) {
    matches.withheld += 1;
    return;
  }
  const keywordScore = keyword[position] as number;
  const own = ownFused[position] as number;
  const inThread = Math.max(own, base[position] as number);
  const { relevance } = candidates;
  matches.add(
    position,
    admission.isWeak(row, keywordScore, admission.relevance(relevance, row, inThread)),
  );
  admission.countMatch(row, keywordScore, relevance, own);
}

/**
 * Finds the best candidate that fits the query and may be returned. The default floor never leaves
 * out this candidate. Applies the filter to few memories: only to one with a higher score than the
 * best so far.
 */
function findBest(
  { index, input: { resultFilter, now }, candidates }: Matches,
  admission: Admission,
): Position | undefined {
  const { relevance, partial } = candidates;
  const { count, rows, keyword, base, ownFused } = candidates.weighed;
  let best: Position | undefined;
  let bestScore = Number.NEGATIVE_INFINITY;
  for (let position = 0 as Position; position < count; position++) {
    const score = partial[position] as number;
    if (score <= bestScore) continue;
    const row = rows[position] as Row;
    const own = relevance.of(row, ownFused[position] as number);
    const inThread = relevance.of(row, base[position] as number);
    if (!admission.isRelated(row, keyword[position] as number, own, inThread)) continue;
    if (!mayReturn(index, row, resultFilter, now) || isWithheld(index, row, resultFilter)) continue;
    best = position;
    bestScore = score;
  }
  return best;
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
  /** Returns a lower bound of the `count`-th highest `value` among matches within the bounds. */
  threshold(count: number, bounds: SelectionBounds): number;
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
    threshold: (count, bounds) => scoreThreshold(matches, count, bounds),
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
 * Returns a lower bound of the `count`-th highest final score among matches within the bounds.
 * Reads only partial scores: a final score is never below its partial score. The bound is a
 * multiple of 1/512 and at most 2. Ignores partial scores below 0. Returns minus infinity if fewer
 * than `count` matches remain. Reads no record.
 */
function scoreThreshold(
  matches: Matches,
  count: number,
  { tokensMax, takesWeak }: SelectionBounds,
): number {
  if (matches.count < count) return Number.NEGATIVE_INFINITY;
  const stepMax = countedScoreMax * scoreSteps;
  const counts = stepCounts.fill(0);
  for (let match = 0 as MatchNumber; match < matches.count; match++) {
    if (!matches.fits(match, tokensMax, takesWeak)) continue;
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

/** See `Matches.fits`. */
interface SelectionBounds {
  readonly tokensMax: number;
  readonly takesWeak: boolean;
}

interface BatchRequest extends SelectionBounds {
  readonly size: number;
  /** Number of matches in the earlier batches. */
  readonly offset: number;
  /** The last match of the previous batch; `undefined` for the first batch. */
  readonly last: MatchNumber | undefined;
}

/** Returns the first `size` matches within the bounds that come after `last`. */
function nextBatch(
  matches: Matches,
  order: Order,
  { size, offset, last, tokensMax, takesWeak }: BatchRequest,
): MatchNumber[] {
  const takesAll = size === Number.POSITIVE_INFINITY;
  // Matches of earlier batches may reach the threshold too, so the threshold counts them.
  let threshold = takesAll
    ? Number.NEGATIVE_INFINITY
    : order.threshold(offset + size, { tokensMax, takesWeak });
  const batch: MatchNumber[] = [];
  for (let match = 0 as MatchNumber; match < matches.count; match++) {
    if (order.valueBound(match) < threshold) continue;
    if (!matches.fits(match, tokensMax, takesWeak)) continue;
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
