import { currentSuccessor } from "../model/visibility.js";
import type { NamespaceIndex, Row } from "../ports/search-index.js";
import { countPhrase } from "../text/count-phrase.js";
import { omissionsListedMax, weakHitsMax } from "./pack/pack.js";
import { NamedRows } from "./query/named-rows.js";
import type { RankInput } from "./query/rank-input.js";
import { finderOf, mayReturn, passesFilter } from "./query/result-filter.js";
import {
  type ExplainStage,
  type Explanation,
  limitOf,
  matchesAll,
  type Omission,
  type SearchQuery,
  type SearchResult,
} from "./query/search.js";
import { Admission } from "./rank/admission.js";
import { anyMatch, type Match } from "./rank/matches.js";
import { rank } from "./rank/rank.js";
import type { RankingColumns } from "./score/ranking-columns.js";
import { scoreCandidates } from "./score/scored-candidates.js";

/** A search to explain, and the memory to follow through it. */
export interface ExplainInput {
  readonly query: SearchQuery;
  readonly rankInput: RankInput;
  /** The row of the memory to follow. Requires: the memory has not expired. */
  readonly row: Row;
  /** Columns for the rankings. */
  readonly columns: RankingColumns;
}

/**
 * Follows one memory through a search, stage by stage. Ranks all candidates again for the stages,
 * so it costs as much as several searches. Returns a function that turns the result of the search
 * into the explanation. The function does not use the index, so it can be called when the result is
 * complete.
 */
export function explain(
  index: NamespaceIndex,
  input: ExplainInput,
): (result: SearchResult) => Explanation {
  const { query } = input;
  const respellings = matchesAll(query) ? [] : index.respellingsOf(query.query);
  const followTo = follow(index, input);
  return (result) => ({ ...followTo(result), respellings });
}

/** Returns a function that turns the result of the search into the explanation's stages. */
function follow(
  index: NamespaceIndex,
  input: ExplainInput,
): (result: SearchResult) => Omit<Explanation, "respellings"> {
  const { query, rankInput, row, columns } = input;
  const filtering = filterStage(index, input);
  if (filtering.droppedReason !== "") return () => ({ stages: [filtering], returned: false });
  const { id } = index.at(row).memory;
  const matches = [...rank(index, rankInput, columns).matches(anyMatch)];
  const match = matches.find((one) => one.row === row);
  const matching = matchesAll(query) ? [] : matchStages(index, input, match !== undefined);
  const stages = [filtering, ...matching];
  if (stages.at(-1)?.droppedReason) return () => ({ stages, returned: false });
  const ordering = orderStages(matches, input);
  return (result) => {
    const { gateClosed = false, noHitsReason } = result.summary;
    if (gateClosed) {
      const score = stages.at(-1)?.score ?? 0;
      const closed = stage("gate", score, undefined, noHitsReason);
      return { stages: [...stages, closed], returned: false };
    }
    return {
      stages: [...stages, ...ordering, packStage(match, input, result)],
      returned: result.hits.some(({ memory }) => memory.id === id),
    };
  };
}

function filterStage(
  index: NamespaceIndex,
  { query, rankInput: { resultFilter, now }, row }: ExplainInput,
): ExplainStage {
  const { memory } = index.at(row);
  const successor = query.includeSuperseded
    ? undefined
    : currentSuccessor(memory, now, finderOf(index));
  if (successor !== undefined)
    return stage("filter", 0, undefined, `superseded by memory '${successor.id}'`);
  const reason = passesFilter(memory, resultFilter) ? "" : "does not pass the filter";
  return stage("filter", 0, undefined, reason);
}

/**
 * Returns the stages that decide whether the memory matches. Ranks the memory among all memories
 * that pass the filter.
 */
function matchStages(index: NamespaceIndex, input: ExplainInput, isMatch: boolean): ExplainStage[] {
  const { rankInput, row, columns } = input;
  const { resultFilter, now } = rankInput;
  const named = new NamedRows(index, rankInput.hints, rankInput.timeZone);
  const scores = scoreCandidates(index, rankInput, { columns, named });
  const { count, rows, keyword, vector, fused, base, ownFused } = scores.weighed;
  const eligible: number[] = [];
  let memoryAt: number | undefined;
  for (let position = 0; position < count; position++) {
    const candidate = rows[position] as Row;
    if (mayReturn(index, candidate, resultFilter, now)) eligible.push(position);
    if (candidate === row) memoryAt = position;
  }
  const rankedStage = (name: string, scores: ArrayLike<number>) => {
    const score = memoryAt === undefined ? 0 : (scores[memoryAt] as number);
    const better = eligible.filter((position) => (scores[position] as number) > score);
    return stage(name, score, 1 + better.length, "");
  };
  const relevances = Float64Array.from(ownFused.subarray(0, count), (score, position) =>
    scores.relevance.of(rows[position] as Row, score),
  );
  const relevance = memoryAt === undefined ? 0 : (relevances[memoryAt] as number);
  const inThread = memoryAt === undefined ? 0 : scores.relevance.of(row, base[memoryAt] as number);
  const keywordScore = memoryAt === undefined ? 0 : (keyword[memoryAt] as number);
  const admission = new Admission(index, rankInput, named);
  const isRelated = admission.isRelated(row, keywordScore, relevance, inThread);
  const reason = isMatch ? "" : mismatchReason(isRelated, rankInput);
  return [
    rankedStage("keyword", keyword),
    rankedStage("vector", vector),
    rankedStage("fused", fused),
    rankedStage("following", base),
    reason === ""
      ? rankedStage("relevance", relevances)
      : stage("relevance", relevance, undefined, reason),
  ];
}

/**
 * Why a memory does not match. `isRelated`: the memory has a relevance above 0 or a keyword of the
 * query, or being named by the query is enough.
 */
function mismatchReason(
  isRelated: boolean,
  { query: { minRelevance }, defaultFloor }: RankInput,
): string {
  if (!isRelated) {
    return (
      "shares no keyword with the query and has a relevance of 0, " +
      "and the query neither names its date nor asks only what its author said"
    );
  }
  if (minRelevance !== undefined) return `its relevance is below min_relevance ${minRelevance}`;
  const floor = Number(defaultFloor.toFixed(3));
  return `its relevance is below ${floor}, the default of min_relevance`;
}

/**
 * Returns the stages that order the matches: one for each bonus, in the order in which the bonuses
 * add up.
 */
function orderStages(matches: readonly Match[], { query, row }: ExplainInput): ExplainStage[] {
  const matchAt = matches.findIndex((match) => match.row === row);
  const scores = matches[matchAt]?.scores;
  if (matchesAll(query) || query.order === "NEWEST_FIRST")
    return [stage("newest first", scores?.final ?? 0, matchAt + 1, "")];
  const { recency, importance } = query.weights;
  const bonuses = [
    ["author", (match) => match.scores.author],
    ["date", (match) => match.scores.date],
    ["answer", (match) => match.scores.answer],
    ["mention", (match) => match.scores.mention],
    ["similar_words", (match) => match.scores.similarWords],
    ["recency", (match) => recency * match.scores.recency],
    ["importance", (match) => importance * match.scores.importance],
  ] as const satisfies readonly (readonly [string, (match: Match) => number])[];
  const sums = matches.map(
    (match) => match.scores.final - bonuses.reduce((sum, [, bonus]) => sum + bonus(match), 0),
  );
  return bonuses.map(([name, bonus]) => {
    for (const [at, match] of matches.entries()) sums[at] = (sums[at] as number) + bonus(match);
    const score = sums[matchAt] ?? 0;
    return stage(name, score, 1 + sums.filter((sum) => sum > score).length, "");
  });
}

function packStage(
  match: Match | undefined,
  input: ExplainInput,
  result: SearchResult,
): ExplainStage {
  const { hits, summary } = result;
  const hitAt = hits.findIndex(({ memory }) => memory.id === match?.memory.id);
  const hit = hits[hitAt];
  if (hit !== undefined) return stage("packing", hit.scores.final, hitAt + 1, "");
  const omission = summary.omitted.find(({ id }) => id === match?.memory.id);
  const reason =
    omission === undefined
      ? unlistedReason(match, input, result)
      : omissionReason(omission, input, result);
  return stage("packing", omission?.score ?? match?.scores.final ?? 0, undefined, reason);
}

function omissionReason(
  { reason, tokens }: Omission,
  { query }: ExplainInput,
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
  match: Match | undefined,
  { query }: ExplainInput,
  { hits, summary }: SearchResult,
): string {
  const { minRelevance } = query;
  const limit = limitOf(query);
  const isLimitReached = hits.length === limit && hits[0]?.excerpt === false;
  const limitReason = `limit ${limit} was reached before this match`;
  if (match?.isWeak === true && summary.weakReturned === weakHitsMax && minRelevance === undefined)
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

function stage(
  name: string,
  score: number,
  rank: number | undefined,
  droppedReason: string,
): ExplainStage {
  return { name, score, ...(rank === undefined ? {} : { rank }), droppedReason };
}
