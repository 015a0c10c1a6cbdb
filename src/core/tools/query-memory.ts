import { instantOfMillis } from "../model/instant.js";
import type { ToolManifest } from "../model/tool-manifest.js";
import type { TurnEntry } from "../model/turn-entry.js";
import type { Call } from "../ports/call.js";
import { type LimitedCall, limitTime } from "../requests/time-limit.js";
import { defaultWeights, type SearchQuery, type SearchResult } from "../search/query/search.js";
import { type Refusal, type Ruling, type RunnableQuery, ruleOn } from "./access.js";
import { findManifest } from "./manifests.js";
import { RequestBudget } from "./request-budget.js";
import {
  type Failure,
  failureOf,
  type RetrievalParts,
  retrieve,
  type SearchOutcome,
} from "./retrieve.js";
import type { QueryMemoryInput, QueryOutcome, ToolServiceParts } from "./service.js";
import type { TurnLog } from "./turn-log.js";
import { entriesOf, notesOn, type TurnNote, verdictOf } from "./turn-notes.js";

/**
 * Time limit of a query, in milliseconds. If a query is searched again with a smaller budget, the
 * limit holds for both searches together.
 */
const searchTimeoutMs = 5_000;

/**
 * Minimum number of tokens of an excerpt, for a query that gets fewer tokens than it asked for. One
 * or two tokens are only a word without its sentence.
 */
const excerptTokensMin = 3;

/** The dependencies of answering queries. */
export interface QueryMemoryParts extends ToolServiceParts, RetrievalParts {
  readonly turnLog: TurnLog;
}

/**
 * Answers the queries of a tool. Runs all searches in parallel. Answers in the order of the
 * queries, as far as the remaining budget allows.
 */
export async function* queryMemory(
  parts: QueryMemoryParts,
  input: QueryMemoryInput,
  call: Call,
): AsyncGenerator<QueryOutcome> {
  const { turnLog, clock, timer, uses } = parts;
  call.throwIfEnded();
  const limited = limitTime(call, timer, searchTimeoutMs);
  const entries: TurnEntry[] = [];
  try {
    const request = await startSearches(parts, input, limited);
    for (const [at, query] of input.queries.entries()) {
      const { result, notes, durationMs } = await answer(parts, input, request, at, call);
      // When the call ends, its searches fail too. The trace must not report them as failed.
      call.throwIfEnded();
      const { queryId, memoryType } = query;
      const found = { queryId, ...(memoryType && { memoryType }), result, durationMs };
      const outcome = { ...found, ...verdictOf(notes) };
      const nowMs = clock.nowMs();
      entries.push(...entriesOf(input, query, outcome, notes, instantOfMillis(nowMs)));
      const ids = result.hits.map(({ memory }) => memory.id);
      if (ids.length > 0) uses?.note(input.namespace, ids, nowMs);
      yield outcome;
    }
  } finally {
    limited.clear();
    // Also runs after the caller has left: the trace keeps the queries that were answered.
    await turnLog.append(input.namespace, entries, call.allowance);
  }
}

/** A request whose searches are running. */
interface RunningRequest {
  readonly manifest: ToolManifest | undefined;
  readonly budget: RequestBudget;
  /** One ruling for each query, in the order of the queries. */
  readonly rulings: readonly Ruling[];
  /** The searches of the queries that may run. */
  readonly searches: ReadonlyMap<Ruling, Promise<SearchOutcome>>;
}

/** The result of a query, with the notes on it for the trace. */
interface Answer {
  readonly result: SearchResult;
  readonly notes: readonly TurnNote[];
  readonly durationMs: number;
}

async function startSearches(
  parts: QueryMemoryParts,
  input: QueryMemoryInput,
  limited: LimitedCall,
): Promise<RunningRequest> {
  const { namespace, toolId, toolVersion, queries, budgetTokens } = input;
  let manifest: ToolManifest | undefined;
  let failure: Failure | undefined;
  try {
    manifest = await limited.orEnd(findManifest(parts.store, toolId, toolVersion));
  } catch (error) {
    failure = failureOf(error, parts.log, limited);
  }
  const rulings =
    failure === undefined
      ? ruleOn(queries, manifest)
      : queries.map((): Refusal => ({ kind: "refused", ...failure }));
  const budget = new RequestBudget(budgetTokens, manifest);
  const runnable = rulings.filter((ruling) => ruling.kind === "run");
  // Each query searches with the budget that it would get if the earlier queries used nothing.
  const granted = runnable.map((ruling) => searchQueryOf(input, ruling, grantOf(budget, ruling)));
  const found = await retrieve(parts, namespace, manifest, granted, limited);
  const searches = new Map(found.map((search, at) => [runnable[at] as Ruling, search]));
  return { manifest, budget, rulings, searches };
}

/** Answers the query at a position, and takes its tokens from the budget. */
async function answer(
  parts: QueryMemoryParts,
  input: QueryMemoryInput,
  { manifest, budget, rulings, searches }: RunningRequest,
  at: number,
  call: Call,
): Promise<Answer> {
  const ruling = rulings[at] as Ruling;
  if (ruling.kind === "refused") {
    const { event, reason } = ruling;
    return { result: noResult, notes: [{ event, reason }], durationMs: 0 };
  }
  const granted = grantOf(budget, ruling);
  const searchAgain = (spentMs: number) =>
    searchAlone(parts, manifest, searchQueryOf(input, ruling, granted), call, spentMs);
  const outcome = await fitToBudget(
    await (searches.get(ruling) as Promise<SearchOutcome>),
    granted,
    searchAgain,
  );
  const result =
    outcome.kind === "found"
      ? withoutScrap(outcome.result, granted < ruling.query.budgetTokens)
      : failedResult(outcome.event === "INVALID" ? 0 : granted);
  budget.use(ruling.query.memoryType, result.summary.tokensUsed);
  const notes = notesOn(outcome, result, ruling.query, granted, ruling.refused);
  return { result, notes, durationMs: outcome.durationMs };
}

function grantOf(budget: RequestBudget, { query }: RunnableQuery): number {
  return budget.grant(query.memoryType, query.budgetTokens);
}

/**
 * Fits a result into the tokens that the query is granted. The search may have had more tokens: it
 * started before the earlier queries took theirs.
 *
 * @param searchAgain searches with the granted tokens. `spentMs`: the time of the first search
 */
async function fitToBudget(
  outcome: SearchOutcome,
  grantedTokens: number,
  searchAgain: (spentMs: number) => Promise<SearchOutcome>,
): Promise<SearchOutcome> {
  if (outcome.kind === "failed") return outcome;
  const { result } = outcome;
  const { summary } = result;
  if (summary.tokensUsed > grantedTokens) {
    if (grantedTokens > 0) return searchAgain(outcome.durationMs);
    return { ...outcome, result: withoutHits(result, 0) };
  }
  // The hits fit, so a search with the granted tokens would return the same hits.
  return {
    ...outcome,
    result: { ...result, summary: { ...summary, budgetTokens: grantedTokens } },
  };
}

/** Drops a tiny excerpt if the query is granted fewer tokens than it asked for. */
function withoutScrap(result: SearchResult, isReduced: boolean): SearchResult {
  const [hit] = result.hits;
  const isScrap = hit?.excerpt === true && hit.tokens < excerptTokensMin;
  return isReduced && isScrap ? withoutHits(result, result.summary.budgetTokens ?? 0) : result;
}

function withoutHits({ summary }: SearchResult, budgetTokens: number): SearchResult {
  const omittedCount = summary.totalMatches;
  return {
    hits: [],
    summary: {
      ...summary,
      tokensUsed: 0,
      budgetTokens,
      omitted: [],
      omittedCount,
      weakReturned: 0,
    },
  };
}

async function searchAlone(
  parts: QueryMemoryParts,
  manifest: ToolManifest | undefined,
  query: SearchQuery,
  call: Call,
  spentMs: number,
): Promise<SearchOutcome> {
  const limited = limitTime(call, parts.timer, searchTimeoutMs, spentMs);
  try {
    const [outcome] = await retrieve(parts, query.namespace, manifest, [query], limited);
    return await (outcome as Promise<SearchOutcome>);
  } finally {
    limited.clear();
  }
}

function searchQueryOf(
  { namespace }: QueryMemoryInput,
  { query, permitted }: RunnableQuery,
  budgetTokens: number,
): SearchQuery {
  return {
    namespace,
    query: query.queryText,
    limit: query.limit,
    budgetTokens,
    // A filter may leave only weak matches, and a tool cannot ask for a lower relevance itself.
    minRelevance: 0,
    ...(query.gate !== undefined && { gate: query.gate }),
    ...(query.timeZone !== undefined && { timeZone: query.timeZone }),
    filter: query.filter,
    accessFilter: permitted,
    order: "RELEVANCE",
    weights: defaultWeights,
    includeSuperseded: false,
  };
}

/** Returns the result of a failed query. An invalid query did not run: it is granted 0 tokens. */
function failedResult(grantedTokens: number): SearchResult {
  return { ...noResult, summary: { ...noResult.summary, budgetTokens: grantedTokens } };
}

/** The result of a query that was not run or failed. */
const noResult: SearchResult = {
  hits: [],
  summary: {
    totalMatches: 0,
    tokensUsed: 0,
    budgetTokens: 0,
    omitted: [],
    omittedCount: 0,
    weakReturned: 0,
    index: "exact",
    commitSeq: 0n,
    noHitsReason: "",
  },
};
