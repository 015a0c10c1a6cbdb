import { countPhrase } from "../../text/count-phrase.js";
import { omissionsListedMax, weakHitsMax } from "../pack/pack.js";
import {
  type ExplainStage,
  limitOf,
  type Omission,
  type SearchQuery,
  type SearchResult,
} from "../query/search.js";
import type { FollowedMatch } from "./followed-match.js";

/** Returns the stage `packing` of a match: its place among the hits, or why it is none of them. */
export function packingStage(
  match: FollowedMatch,
  query: SearchQuery,
  result: SearchResult,
): ExplainStage {
  const { hits, summary } = result;
  const name = "packing";
  const hitAt = hits.findIndex(({ memory }) => memory.id === match.memory?.id);
  const hit = hits[hitAt];
  if (hit !== undefined)
    return { name, score: hit.scores.final, rank: hitAt + 1, droppedReason: "" };
  const omission = summary.omitted.find(({ id }) => id === match.memory?.id);
  const droppedReason =
    omission === undefined
      ? unlistedReason(match, query, result)
      : omissionReason(omission, query, result);
  return { name, score: omission?.score ?? match.scores.final, droppedReason };
}

function omissionReason(
  { reason, tokens }: Omission,
  query: SearchQuery,
  { summary }: SearchResult,
): string {
  if (reason === "NEAR_COPY") {
    const kept = query.order === "NEWEST_FIRST" ? "newer" : "better";
    return `near-copy of a ${kept} match: the same words, author, time and other fields`;
  }
  return (
    `its ${countPhrase(tokens, "token")} exceed${tokens === 1 ? "s" : ""} ` +
    `the rest of budget_tokens ${summary.budgetTokens ?? 0}`
  );
}

/** Why a match is neither a hit nor one of the listed omissions. */
function unlistedReason(
  match: FollowedMatch,
  query: SearchQuery,
  { hits, summary }: SearchResult,
): string {
  const { minRelevance } = query;
  const limit = limitOf(query);
  const isLimitReached = hits.length === limit && hits[0]?.excerpt === false;
  const limitReason = `limit ${limit} was reached before this match`;
  if (match.isWeak && summary.weakReturned === weakHitsMax && minRelevance === undefined)
    return (
      `it is weak, and ${weakHitsMax} weak matches come before it; ` +
      "set min_relevance to get more of them"
    );
  if (isLimitReached && summary.omitted.length < omissionsListedMax) return limitReason;
  const budgetReason =
    summary.budgetTokens === undefined
      ? ""
      : `, or it exceeds the rest of budget_tokens ${summary.budgetTokens}`;
  const otherReason =
    `it is omitted after the ${summary.omitted.length} omissions that are listed: ` +
    `it is a near-copy of a match before it${budgetReason}`;
  return isLimitReached ? `${limitReason}, or ${otherReason}` : otherReason;
}
