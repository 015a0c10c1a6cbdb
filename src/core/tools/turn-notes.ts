import type { Instant } from "../model/instant.js";
import { type TurnEntry, type TurnEvent, tracedText } from "../model/turn-entry.js";
import type { SearchResult } from "../search/search.js";
import type { Found } from "./retrieve.js";
import type { InvalidQuery, QueryOutcome, ToolQuery, Turn } from "./tool-service.js";

/** What the trace is to tell of a query: the first note says what became of it. */
export interface TurnNote {
  readonly event: TurnEvent;
  readonly reason: string;
}

/** Notes of a query that was run, on the result as it is handed out with a budget of so many tokens. */
export function notesOn(
  found: Found,
  result: SearchResult,
  { budgetTokens: asked }: ToolQuery,
  grantedTokens: number,
): TurnNote[] {
  if (found.kind === "failed") return [{ event: found.event, reason: found.reason }];
  const notes: TurnNote[] = [{ event: found.cached ? "CACHED" : "QUERIED", reason: "" }];
  const reason = truncation(result, grantedTokens);
  if (reason !== "") {
    const reduced =
      grantedTokens < asked
        ? `; it asked for ${asked}, and the budget of the request or of its type had no more left`
        : "";
    notes.push({ event: "TRUNCATED", reason: reason + reduced });
  }
  const { withheld = 0 } = result.summary;
  if (withheld > 0)
    notes.push({
      event: "DENIED",
      reason: `${withheld} restricted memories matched, and were withheld`,
    });
  return notes;
}

/** What was left out for lack of tokens; empty if nothing was. */
function truncation({ hits, summary }: SearchResult, grantedTokens: number): string {
  const { totalMatches, omitted } = summary;
  if (totalMatches > 0 && grantedTokens === 0)
    return `no tokens were left for its ${totalMatches} matches`;
  const overBudget = omitted.filter(({ reason }) => reason === "OVER_BUDGET").length;
  if (hits.some(({ excerpt }) => excerpt))
    return `no match fitted into ${grantedTokens} tokens; the best one came as an excerpt`;
  return overBudget === 0
    ? ""
    : `${overBudget} of ${totalMatches} matches did not fit into what was left of ${grantedTokens} tokens`;
}

/** The entries of a query's notes. Tokens and duration are on the first, so that sums are right. */
export function entriesOf(
  turn: Turn,
  query: ToolQuery | InvalidQuery,
  { result, durationMs }: QueryOutcome,
  notes: readonly TurnNote[],
  time: Instant,
): TurnEntry[] {
  const { requestId, taskId, planId, toolId, toolVersion } = turn;
  const { queryId, memoryType, queryText } = query;
  const asked = {
    requestId,
    taskId,
    planId,
    queryId,
    toolId,
    toolVersion,
    ...(memoryType && { memoryType }),
  };
  return notes.map((note, place) => ({
    time,
    ...asked,
    queryText: place === 0 ? tracedText(queryText) : "",
    ...note,
    tokensUsed: place === 0 ? result.summary.tokensUsed : 0,
    returnedResults: place === 0 ? result.hits.length : 0,
    durationMs: place === 0 ? durationMs : 0,
  }));
}
