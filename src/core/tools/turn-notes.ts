import type { Instant } from "../model/instant.js";
import { type TurnEntry, type TurnEvent, tracedText } from "../model/turn-entry.js";
import type { SearchResult } from "../search/query/search.js";
import { countPhrase } from "../text/count-phrase.js";
import type { SearchOutcome } from "./retrieve.js";
import type { InvalidQuery, QueryOutcome, ToolQuery, Turn } from "./service.js";

/** A note on a query for the trace. The first note of a query says whether it ran. */
export interface TurnNote {
  readonly event: TurnEvent;
  readonly reason: string;
}

/**
 * Returns the notes on a query that ran. `result` is the result for the caller, with at most
 * `grantedTokens` tokens. `refused` names the parts of the query's filter that the manifest does
 * not allow; empty means none.
 */
export function notesOn(
  outcome: SearchOutcome,
  result: SearchResult,
  { budgetTokens: requested }: ToolQuery,
  grantedTokens: number,
  refused: string,
): TurnNote[] {
  if (outcome.kind === "failed") return [{ event: outcome.event, reason: outcome.reason }];
  const { keywordsOnlyReason = "" } = result.summary;
  const closed = gateClosing(result);
  const notes: TurnNote[] = [
    outcome.cached
      ? { event: "CACHED", reason: closed }
      : { event: "QUERIED", reason: closed || keywordsOnlyReason },
  ];
  const reason = truncation(result, grantedTokens);
  if (reason !== "") {
    const reduced =
      grantedTokens < requested
        ? `; the query asked for ${requested}, but the budget of the request or of its type had no more`
        : "";
    notes.push({ event: "TRUNCATED", reason: reason + reduced });
  }
  if (refused !== "") notes.push({ event: "DENIED", reason: refused });
  const { withheld = 0 } = result.summary;
  if (withheld > 0) {
    const restricted = countPhrase(withheld, "restricted memory", "restricted memories");
    const were = withheld === 1 ? "was" : "were";
    notes.push({ event: "DENIED", reason: `${restricted} matched, and ${were} withheld` });
  }
  return notes;
}

/** Sums up the notes on a query for its caller. */
export function verdictOf(notes: readonly TurnNote[]): TurnNote {
  const [main] = notes as [TurnNote];
  const isTruncated = notes.some(({ event }) => event === "TRUNCATED");
  const reasons = notes.map(({ reason }) => reason).filter((reason) => reason !== "");
  return { event: isTruncated ? "TRUNCATED" : main.event, reason: reasons.join("; ") };
}

/** Says why the gate is closed. Empty if the gate is open. */
function gateClosing({ summary: { gateClosed = false, noHitsReason } }: SearchResult): string {
  if (!gateClosed) return "";
  return noHitsReason === "" ? "the gate is closed, because nothing matched" : noHitsReason;
}

/**
 * Describes the matches that the budget left out. Returns an empty text if the budget left out no
 * match.
 */
function truncation({ hits, summary }: SearchResult, grantedTokens: number): string {
  const { totalMatches, omitted, gateClosed = false } = summary;
  if (gateClosed) return "";
  const matches = countPhrase(totalMatches, "match", "matches");
  const remaining = grantedTokens === 1 ? "token" : `${grantedTokens} tokens`;
  if (totalMatches > 0 && grantedTokens === 0) return `no tokens were left for its ${matches}`;
  if (totalMatches > 0 && hits.length === 0)
    return `${matches} did not fit into the remaining ${remaining}`;
  const overBudget = omitted.filter(({ reason }) => reason === "OVER_BUDGET").length;
  if (hits.some(({ excerpt }) => excerpt))
    return `no match fitted into ${countPhrase(grantedTokens, "token")}; the best one came as an excerpt`;
  return overBudget === 0
    ? ""
    : `${overBudget} of ${matches} did not fit into the remaining ${remaining}`;
}

/**
 * Returns the trace entries of a query's notes. Only the first entry has the text, tokens, results
 * and duration, so that sums over entries are right.
 */
export function entriesOf(
  turn: Turn,
  query: ToolQuery | InvalidQuery,
  { result, durationMs }: Pick<QueryOutcome, "result" | "durationMs">,
  notes: readonly TurnNote[],
  time: Instant,
): TurnEntry[] {
  const { requestId, taskId, planId, toolId, toolVersion } = turn;
  const { queryId, memoryType, queryText } = query;
  const origin = {
    requestId,
    taskId,
    planId,
    queryId,
    toolId,
    toolVersion,
    ...(memoryType && { memoryType }),
  };
  return notes.map((note, at) => ({
    time,
    ...origin,
    queryText: at === 0 ? tracedText(queryText) : "",
    ...note,
    tokensUsed: at === 0 ? result.summary.tokensUsed : 0,
    returnedResults: at === 0 ? result.hits.length : 0,
    durationMs: at === 0 ? durationMs : 0,
  }));
}
