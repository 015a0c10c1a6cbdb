import type { NamespaceIndex } from "../ports/search-index.js";
import { commitSeqOf } from "../requests/commit-seq.js";
import { createExcerpter, type ScorePassages } from "./excerpt.js";
import type { Match } from "./matches.js";
import { diversify } from "./novelty.js";
import type { Ranking } from "./rank.js";
import type { Rendering } from "./rendering.js";
import {
  limitOf,
  matchesAll,
  type Omission,
  type SearchHit,
  type SearchQuery,
  type SearchResult,
  type SearchSummary,
} from "./search.js";

/** Maximum number of omissions that a receipt lists. The receipt only counts the others. */
export const omissionsListedMax = 100;

const secondsPerDay = 24 * 60 * 60;

/** The limits of a selection. Infinity: no limit. */
export interface SelectionLimits {
  /** Maximum number of matches. */
  readonly limit: number;
  /** Maximum number of tokens of all selected matches together. */
  readonly budgetTokens: number;
  /** Whether to leave out near-copies of a selected match. */
  readonly dropNearCopies: boolean;
}

/** The selected matches, and the first matches passed over. */
export interface Selection {
  readonly matches: readonly { readonly match: Match; readonly tokens: number }[];
  readonly tokensUsed: number;
  /** Best first, at most `omissionsListedMax`. */
  readonly omitted: readonly Omission[];
}

/**
 * Selects matches in their order. Skips a match that does not fit into the rest of the budget, and
 * goes on with the matches after it. Never exceeds the budget.
 *
 * @param ranking Iterates over the matches in order. Matches of more than `tokensMax()` tokens may
 *   be missing.
 * @param tokensOf Counts the tokens of a match, which is expensive. Called only if the lower bound
 *   of the count, `memory.tokenCount`, still fits.
 */
export function selectMatches(
  ranking: (tokensMax: () => number) => Iterable<Match>,
  { limit, budgetTokens, dropNearCopies }: SelectionLimits,
  tokensOf: (match: Match) => number,
): Selection {
  const matches: { match: Match; tokens: number }[] = [];
  const omitted: Omission[] = [];
  const selectedCopies = new Set<string>();
  let remaining = budgetTokens;
  const omit = ({ memory, scores }: Match, tokens: number, reason: Omission["reason"]) => {
    if (omitted.length < omissionsListedMax)
      omitted.push({ id: memory.id, tokens, score: scores.final, reason });
  };
  // Once the receipt is full, the ranking may leave out matches that do not fit.
  const tokensMax = () =>
    omitted.length < omissionsListedMax ? Number.POSITIVE_INFINITY : remaining;
  for (const match of ranking(tokensMax)) {
    const { memory } = match;
    const copyKey = dropNearCopies ? copyKeyOf(match) : undefined;
    if (copyKey !== undefined && selectedCopies.has(copyKey)) {
      omit(match, memory.tokenCount, "NEAR_COPY");
      continue;
    }
    const tokens = memory.tokenCount > remaining ? memory.tokenCount : tokensOf(match);
    if (tokens > remaining) {
      omit(match, tokens, "OVER_BUDGET");
      continue;
    }
    matches.push({ match, tokens });
    remaining -= tokens;
    if (copyKey !== undefined) selectedCopies.add(copyKey);
    if (matches.length === limit) break;
  }
  const tokensUsed = matches.reduce((sum, { tokens }) => sum + tokens, 0);
  return { matches, tokensUsed, omitted };
}

/**
 * Returns a key that only near-copies share, or `undefined` if the memory has no near-copies.
 * Near-copies have the same words in the same order and the same author. Their event times lie on
 * the same UTC day, or none of them has an event time.
 */
function copyKeyOf({ memory, wordSignature }: Match): string | undefined {
  if (wordSignature === undefined) return undefined;
  const { author = "", eventTime } = memory;
  const day = eventTime === undefined ? "" : Math.floor(eventTime.seconds / secondsPerDay);
  return `${wordSignature} ${day} ${author}`;
}

/**
 * Turns a ranking into hits and a receipt. If no match fits into the budget, the only hit is an
 * excerpt of the best match. If the gate is closed, there are no hits.
 */
export function pack(
  index: NamespaceIndex,
  ranking: Ranking,
  query: SearchQuery,
  rendering: Rendering,
): SearchResult {
  const { budgetTokens } = query;
  if (ranking.gate.isClosed) return closedResult(index, ranking, query);
  const selection = selectMatches(
    (tokensMax) => orderForPacking(index, ranking, query, tokensMax),
    {
      limit: limitOf(query),
      budgetTokens: budgetTokens ?? Number.POSITIVE_INFINITY,
      dropNearCopies: !matchesAll(query),
    },
    ({ memory }) => rendering.tokensOf(memory),
  );
  const { tokensUsed, omitted } = selection;
  const hits = selection.matches.map(({ match, tokens }) => hitOf(match, tokens));
  const summary: SearchSummary = {
    ...receiptOf(index, ranking, query),
    tokensUsed,
    omitted,
    omittedCount: ranking.totalMatches - hits.length - omitted.length,
  };
  return hits.length > 0 || ranking.totalMatches === 0 || budgetTokens === undefined
    ? { hits, summary }
    : packExcerpt(ranking, summary, budgetTokens, rendering, (passages) =>
        index.scorePassages(query.query, passages),
      );
}

/** Returns the receipt of a result without hits and without listed omissions. */
function receiptOf(
  index: NamespaceIndex,
  { totalMatches, withheld, tier }: Ranking,
  { namespace, budgetTokens }: SearchQuery,
): SearchSummary {
  return {
    totalMatches,
    tokensUsed: 0,
    ...(budgetTokens === undefined ? {} : { budgetTokens }),
    omitted: [],
    omittedCount: totalMatches,
    ...(withheld > 0 && { withheld }),
    index: tier,
    commitSeq: commitSeqOf(index.head, namespace.userId),
    noHitsReason: "",
  };
}

/** Returns the result of a query whose gate is closed. */
function closedResult(index: NamespaceIndex, ranking: Ranking, query: SearchQuery): SearchResult {
  const receipt = receiptOf(index, ranking, query);
  const { totalMatches, gate } = ranking;
  const noHitsReason =
    totalMatches === 0
      ? ""
      : `no match reaches the gate of ${query.gate}: the most relevant one has a relevance of ` +
        gate.bestRelevance.toFixed(2);
  return { hits: [], summary: { ...receipt, gateClosed: true, noHitsReason } };
}

/**
 * Returns the matches in the order of the ranking, reordered if the query gives novelty a weight.
 */
function orderForPacking(
  index: NamespaceIndex,
  ranking: Ranking,
  query: SearchQuery,
  tokensMax: () => number,
): Iterable<Match> {
  const matches = ranking.matches(tokensMax);
  const { novelty } = query.weights;
  return novelty > 0 && !matchesAll(query) && query.order === "RELEVANCE"
    ? diversify(matches, novelty, (rowA, rowB) => index.cosine(rowA, rowB))
    : matches;
}

/** Packs an excerpt of the best match. `summary` is the summary of the result without hits. */
function packExcerpt(
  ranking: Ranking,
  summary: SearchSummary,
  budgetTokens: number,
  rendering: Rendering,
  score: ScorePassages,
): SearchResult {
  const [best] = ranking.matches(() => Number.POSITIVE_INFINITY);
  const excerpt = best && excerptHit(best, budgetTokens, rendering, score);
  if (excerpt === undefined) {
    const noHitsReason = `budget_tokens ${budgetTokens} is too small even for an excerpt`;
    return { hits: [], summary: { ...summary, noHitsReason } };
  }
  const omitted = summary.omitted.filter(({ id }) => id !== excerpt.memory.id);
  return {
    hits: [excerpt],
    summary: {
      ...summary,
      tokensUsed: excerpt.tokens,
      omitted,
      omittedCount: ranking.totalMatches - 1 - omitted.length,
    },
  };
}

/** Returns an excerpt whose rendering fits into the budget; `undefined` if none fits. */
function excerptHit(
  match: Match,
  budgetTokens: number,
  rendering: Rendering,
  score: ScorePassages,
): SearchHit | undefined {
  const { counter } = rendering;
  const excerptOf = createExcerpter(match.memory.content, counter, score);
  for (let maxTokens = budgetTokens; maxTokens > 0; ) {
    const content = excerptOf(maxTokens);
    if (content === "") return undefined;
    const tokens = counter.count(rendering.render(content));
    if (tokens <= budgetTokens)
      return { ...hitOf(match, tokens), memory: { ...match.memory, content }, excerpt: true };
    maxTokens -= tokens - budgetTokens;
  }
  return undefined;
}

function hitOf({ memory, scores }: Match, tokens: number): SearchHit {
  return { memory, scores, tokens, excerpt: false };
}
