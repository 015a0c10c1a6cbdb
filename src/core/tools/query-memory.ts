import { instantOfMillis } from "../model/instant.js";
import type { ToolManifest } from "../model/tool-manifest.js";
import type { TurnEntry } from "../model/turn-entry.js";
import type { Call } from "../ports/call.js";
import { type LimitedCall, limitTime } from "../requests/time-limit.js";
import { defaultWeights, type SearchQuery, type SearchResult } from "../search/search.js";
import { type Ruling, ruleOn } from "./access.js";
import { findManifest } from "./manifests.js";
import type { ToolServiceParts } from "./parts.js";
import { RequestBudget } from "./request-budget.js";
import { type Found, failureOf, type RetrievalParts, retrieve } from "./retrieve.js";
import type { QueryMemoryInput, QueryOutcome } from "./tool-service.js";
import type { TurnLog } from "./turn-log.js";
import { entriesOf, notesOn, type TurnNote } from "./turn-notes.js";

/** How long the searches of a request may take: they run side by side, and none holds the others up for longer. */
const searchTimeoutMs = 5_000;

/** What answering queries needs of the world. */
export interface QueryMemoryParts extends ToolServiceParts, RetrievalParts {
  readonly turnLog: TurnLog;
}

/** Answers the queries of a tool: they are searched side by side, and handed out in their order as what is left of the budget allows. */
export async function* queryMemory(
  parts: QueryMemoryParts,
  input: QueryMemoryInput,
  call: Call,
): AsyncGenerator<QueryOutcome> {
  const { turnLog, clock, timer } = parts;
  call.throwIfEnded();
  const limited = limitTime(call, timer, searchTimeoutMs);
  const entries: TurnEntry[] = [];
  try {
    const answer = await beginAnswering(parts, input, limited);
    for (const query of input.queries) {
      const { result, notes, durationMs } = await answer(call);
      // What ended the call has ended the searches too, and is none of their failures.
      call.throwIfEnded();
      const { queryId, memoryType } = query;
      const outcome = { queryId, ...(memoryType && { memoryType }), result, durationMs };
      entries.push(...entriesOf(input, query, outcome, notes, instantOfMillis(clock.nowMs())));
      yield outcome;
    }
  } finally {
    limited.clear();
    // Also of what was answered before a caller left.
    await turnLog.append(input.namespace, entries);
  }
}

/** What a query gets, and what the trace is to tell of it. */
interface Answer {
  readonly result: SearchResult;
  readonly notes: readonly TurnNote[];
  readonly durationMs: number;
}

/** Begins all searches. What it returns gives the answer to the first query, then to the next, and so on. */
async function beginAnswering(
  parts: QueryMemoryParts,
  input: QueryMemoryInput,
  limited: LimitedCall,
): Promise<(call: Call) => Promise<Answer>> {
  const declared = await limited
    .orEnd(findManifest(parts.store, input.toolId, input.toolVersion))
    .then(
      (manifest) => ({ manifest, failure: undefined }),
      (error: unknown) => ({ manifest: undefined, failure: failureOf(error, parts.log, limited) }),
    );
  const { manifest, failure } = declared;
  const rulings =
    failure === undefined
      ? ruleOn(input.queries, manifest)
      : input.queries.map((): Ruling => ({ kind: "refused", ...failure }));
  const budget = new RequestBudget(input.budgetTokens, manifest);
  const runs = rulings.filter((ruling) => ruling.kind === "run");
  const queries = runs.map((run) =>
    searchOf(input, run, budget.grant(run.query.memoryType, run.query.budgetTokens)),
  );
  const founds = (await retrieve(parts, input.namespace, manifest, queries, limited)).values();
  const order = rulings.values();
  return async (call) => {
    const ruling = order.next().value as Ruling;
    if (ruling.kind === "refused") {
      return {
        result: nothing,
        notes: [{ event: ruling.event, reason: ruling.reason }],
        durationMs: 0,
      };
    }
    const { memoryType, budgetTokens } = ruling.query;
    const granted = budget.grant(memoryType, budgetTokens);
    const searchAgain = () =>
      searchWith(parts, input, manifest, searchOf(input, ruling, granted), call);
    const found = await fitted((await founds.next().value) as Found, granted, searchAgain);
    const result =
      found.kind === "found" ? found.result : failed(found.event === "INVALID" ? 0 : granted);
    budget.use(memoryType, result.summary.tokensUsed);
    return {
      result,
      notes: notesOn(found, result, ruling.query, granted),
      durationMs: found.durationMs,
    };
  };
}

/** What a query found with as much as it could get at best, made to fit into what it has been granted. */
async function fitted(
  found: Found,
  grantedTokens: number,
  searchAgain: () => Promise<Found>,
): Promise<Found> {
  if (found.kind === "failed") return found;
  const { result } = found;
  const { summary } = result;
  if (summary.tokensUsed > grantedTokens) {
    if (grantedTokens > 0) return searchAgain();
    const none = {
      ...summary,
      tokensUsed: 0,
      budgetTokens: 0,
      omitted: [],
      omittedCount: summary.totalMatches,
    };
    return { ...found, result: { hits: [], summary: none } };
  }
  // Packing takes the same matches with any budget that these fit into.
  return { ...found, result: { ...result, summary: { ...summary, budgetTokens: grantedTokens } } };
}

async function searchWith(
  parts: QueryMemoryParts,
  { namespace }: QueryMemoryInput,
  manifest: ToolManifest | undefined,
  query: SearchQuery,
  call: Call,
): Promise<Found> {
  const limited = limitTime(call, parts.timer, searchTimeoutMs);
  try {
    const [found] = await retrieve(parts, namespace, manifest, [query], limited);
    return await (found as Promise<Found>);
  } finally {
    limited.clear();
  }
}

function searchOf(
  { namespace }: QueryMemoryInput,
  { query, permitted }: Ruling & { readonly kind: "run" },
  budgetTokens: number,
): SearchQuery {
  return {
    namespace,
    query: query.queryText,
    limit: query.limit,
    budgetTokens,
    filter: query.filter,
    accessFilter: permitted,
    order: "RELEVANCE",
    weights: defaultWeights,
    includeSuperseded: false,
  };
}

/** The result of a query that failed with what it had been granted; one that breaks a rule was not run. */
function failed(grantedTokens: number): SearchResult {
  return { ...nothing, summary: { ...nothing.summary, budgetTokens: grantedTokens } };
}

/** The result of a query that was not run. */
const nothing: SearchResult = {
  hits: [],
  summary: {
    totalMatches: 0,
    tokensUsed: 0,
    budgetTokens: 0,
    omitted: [],
    omittedCount: 0,
    index: "exact",
    commitSeq: 0n,
    noHitsReason: "",
  },
};
