import { stringify } from "safe-stable-stringify";
import { millisOfInstant } from "../../model/instant.js";
import type { TimeZone } from "../../model/time-zone.js";
import type { NamespaceIndex, ScorePassages } from "../../ports/search-index.js";
import { commitSeqOf } from "../../requests/commit-seq.js";
import {
  limitOf,
  matchesAll,
  type Omission,
  type SearchHit,
  type SearchQuery,
  type SearchResult,
  type SearchSummary,
} from "../query/search.js";
import { anyMatch, type Match, type Selectable } from "../rank/matches.js";
import type { Ranking } from "../rank/rank.js";
import { diversify } from "./novelty.js";
import type { Rendering } from "./rendering.js";

/** Maximum number of omissions that a receipt lists. The receipt only counts further omissions. */
export const omissionsListedMax = 100;

/** Maximum number of weak hits of a query without `minRelevance`. */
export const weakHitsMax = 3;

/** The limits of a selection. Infinity: no limit. */
export interface SelectionLimits {
  /** Maximum number of matches. */
  readonly limit: number;
  /** Maximum number of tokens of all selected matches together. */
  readonly budgetTokens: number;
  /** Maximum number of weak matches. */
  readonly weakMax: number;
  /** Whether to leave out near-copies of a selected match. */
  readonly dropNearCopies: boolean;
  /** The time zone in which the days of near-copies count. */
  readonly timeZone: TimeZone;
}

/** The selected matches, and the first matches passed over. */
export interface Selection {
  readonly matches: readonly { readonly match: Match; readonly tokens: number }[];
  readonly tokensUsed: number;
  /** In the order of the ranking, at most `omissionsListedMax`. */
  readonly omitted: readonly Omission[];
}

/**
 * Selects matches in their order. Skips a match that does not fit into the rest of the budget, and
 * goes on with the matches after it. Never exceeds the budget.
 *
 * @param ranking Iterates over the matches in order. Matches that cannot be selected may be
 *   missing.
 * @param tokensOf Counts the tokens of a match, which is expensive. Called only if the lower bound
 *   of the count, `memory.tokenCount`, still fits.
 */
export function selectMatches(
  ranking: (selectable: Selectable) => Iterable<Match>,
  { limit, budgetTokens, weakMax, dropNearCopies, timeZone }: SelectionLimits,
  tokensOf: (match: Match, isFirstWeak: boolean) => number,
): Selection {
  const matches: { match: Match; tokens: number }[] = [];
  const omitted: Omission[] = [];
  /** The `copyKeyOf` of the selected matches, by word signature. */
  const selectedCopies = new Map<number, Set<string>>();
  let remaining = budgetTokens;
  let weak = 0;
  const omit = ({ memory, scores }: Match, tokens: number, reason: Omission["reason"]) => {
    if (omitted.length < omissionsListedMax)
      omitted.push({ id: memory.id, tokens, score: scores.final, reason });
  };
  // Once the receipt is full, the ranking may leave out matches that do not fit.
  const tokensMax = () =>
    omitted.length < omissionsListedMax ? Number.POSITIVE_INFINITY : remaining;
  const takesWeak = () => weak < weakMax;
  for (const match of ranking({ tokensMax, takesWeak })) {
    const { memory, isWeak } = match;
    if (isWeak && !takesWeak()) continue;
    const signature = dropNearCopies ? match.wordSignature : undefined;
    const alike = signature === undefined ? undefined : selectedCopies.get(signature);
    if (alike?.has(copyKeyOf(match, timeZone)) === true) {
      omit(match, memory.tokenCount, "NEAR_COPY");
      continue;
    }
    const tokens =
      memory.tokenCount > remaining ? memory.tokenCount : tokensOf(match, isWeak && weak === 0);
    if (tokens > remaining) {
      omit(match, tokens, "OVER_BUDGET");
      continue;
    }
    matches.push({ match, tokens });
    remaining -= tokens;
    if (isWeak) weak += 1;
    if (alike !== undefined) alike.add(copyKeyOf(match, timeZone));
    else if (signature !== undefined)
      selectedCopies.set(signature, new Set([copyKeyOf(match, timeZone)]));
    if (matches.length === limit) break;
  }
  const tokensUsed = matches.reduce((sum, { tokens }) => sum + tokens, 0);
  return { matches, tokensUsed, omitted };
}

/**
 * Returns a key. Two matches with the same word signature are near-copies if they share this key:
 * the same author, kind, status, thread, tags and metadata, and the same second of their event
 * times. Without event times: the same day of their creation in the zone.
 */
export function copyKeyOf({ memory }: Pick<Match, "memory">, timeZone: TimeZone): string {
  const { author, kind, status, threadId, tags, metadata, eventTime, createTime } = memory;
  const time =
    eventTime === undefined
      ? ["created", timeZone.dayOf(millisOfInstant(createTime))]
      : [eventTime.seconds];
  return stringify([author, kind, status, threadId, tags.toSorted(), metadata, time]) ?? "";
}

/** An excerpt to make, which becomes the only hit of a result. Making it needs no index. */
export interface PendingExcerpt {
  /** The best match. It does not fit into the budget. */
  readonly best: Match;
  readonly budgetTokens: number;
  /** Scores passages of the match for the query. */
  readonly score: ScorePassages;
}

/**
 * A complete result, or a result and a pending excerpt, which then is the only hit. The result has
 * only weak hits, or none.
 */
export interface PackedRanking {
  readonly result: SearchResult;
  /** Absent: the result is complete. */
  readonly pending?: PendingExcerpt;
}

/** What packing reads of an index. */
export type PackedIndex = Pick<NamespaceIndex, "head" | "passageScorer" | "cosine">;

/** What packing reads besides the ranking. */
interface PackInput {
  readonly query: SearchQuery;
  readonly rendering: Pick<Rendering, "tokensOf" | "weakHeadingTokens">;
  readonly timeZone: TimeZone;
}

/**
 * Turns a ranking into hits and a receipt. An excerpt of the best match is pending if no match fits
 * into the budget, or if only weak matches fit and the best match is not weak. If the gate is
 * closed, there are no hits.
 */
export function pack(
  index: PackedIndex,
  ranking: Ranking,
  { query, rendering, timeZone }: PackInput,
): PackedRanking {
  const { budgetTokens } = query;
  if (ranking.gate.isClosed) return { result: closedResult(index, ranking, query) };
  const selection = selectMatches(
    (selectable) => orderForPacking(index, ranking, query, selectable),
    {
      limit: limitOf(query),
      budgetTokens: budgetTokens ?? Number.POSITIVE_INFINITY,
      weakMax: query.minRelevance === undefined ? weakHitsMax : Number.POSITIVE_INFINITY,
      dropNearCopies: query.keepsNearCopies !== true && !matchesAll(query),
      timeZone,
    },
    ({ memory }, isFirstWeak) =>
      rendering.tokensOf(memory) + (isFirstWeak ? rendering.weakHeadingTokens : 0),
  );
  const { tokensUsed, omitted } = selection;
  const hits = selection.matches.map(({ match, tokens }, at) => hitOf(match, at + 1, tokens));
  const summary = receiptOf(index, ranking, query, { tokensUsed, omitted, hits });
  const result = { hits, summary };
  if (budgetTokens === undefined || hits.some(({ weak }) => !weak)) return { result };
  const [best] = ranking.matches(anyMatch);
  if (best === undefined || (best.isWeak && hits.length > 0)) return { result };
  return { result, pending: { best, budgetTokens, score: index.passageScorer(query.query) } };
}

/** What a result has of its matches: the hits, their tokens, and the omissions. */
interface Packed {
  readonly hits: readonly SearchHit[];
  readonly tokensUsed: number;
  readonly omitted: readonly Omission[];
}

const nothingPacked: Packed = { hits: [], tokensUsed: 0, omitted: [] };

/** Returns the receipt of a result. Its gate is open. */
function receiptOf(
  index: PackedIndex,
  { totalMatches, withheld, tier }: Ranking,
  { namespace, budgetTokens }: SearchQuery,
  { hits, tokensUsed, omitted }: Packed,
): SearchSummary {
  return {
    totalMatches,
    tokensUsed,
    budgetTokens,
    omitted,
    omittedCount: totalMatches - hits.length - omitted.length,
    weakReturned: hits.filter(({ weak }) => weak).length,
    withheld: withheld > 0 ? withheld : undefined,
    index: tier,
    commitSeq: commitSeqOf(index.head, namespace.userId),
    noHitsReason: "",
  };
}

/**
 * Rounds a relevance down to three digits. Rounded up, it could look equal to a limit that it does
 * not reach.
 */
function roundedDown(relevance: number): number {
  return Math.floor(relevance * 1000 + 1e-9) / 1000;
}

/** Returns the result of a query whose gate is closed. */
function closedResult(index: PackedIndex, ranking: Ranking, query: SearchQuery): SearchResult {
  const receipt = receiptOf(index, ranking, query, nothingPacked);
  const { totalMatches, gate } = ranking;
  const noHitsReason =
    totalMatches === 0
      ? receipt.noHitsReason
      : `no match reaches the gate of ${query.gate}: the most relevant one has a relevance of ` +
        `${roundedDown(gate.bestRelevance)}`;
  return { hits: [], summary: { ...receipt, gateClosed: true, noHitsReason } };
}

/**
 * Returns the matches in the order of the ranking. If the query gives novelty a weight, `diversify`
 * changes the order.
 */
function orderForPacking(
  index: PackedIndex,
  ranking: Ranking,
  query: SearchQuery,
  selectable: Selectable,
): Iterable<Match> {
  const matches = ranking.matches(selectable);
  const { novelty } = query.weights;
  return novelty > 0 && !matchesAll(query) && query.order === "RELEVANCE"
    ? diversify(matches, novelty, (rowA, rowB) => index.cosine(rowA, rowB))
    : matches;
}

/** Turns a match into a hit that uses `tokens` tokens of the budget. */
export function hitOf({ memory, scores, isWeak }: Match, rank: number, tokens: number): SearchHit {
  return { memory, scores, rank, weak: isWeak, tokens, excerpt: false };
}
