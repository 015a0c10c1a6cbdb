import { isVisible } from "../model/visibility.js";
import type { NamespaceIndex } from "../ports/search-index.js";
import { hintsOf } from "./hints.js";
import type { Match, RankInput } from "./matches.js";
import { mayReturn, passesFilter } from "./may-return.js";
import { listedOmissions } from "./pack.js";
import { rank } from "./rank.js";
import type { RankingColumns } from "./ranking-columns.js";
import { scoreCandidates } from "./scored-candidates.js";
import { relevanceOf } from "./scores.js";
import type { ExplainStage, Explanation, Omission, SearchQuery, SearchResult } from "./search.js";

/** What a search did, for explaining it. */
export interface ExplainInput {
  readonly query: SearchQuery;
  readonly rankInput: RankInput;
  readonly result: SearchResult;
  /** Most hits that the search returned; infinity if only its budget said. */
  readonly limit: number;
  /** Row of the memory asked about. */
  readonly row: number;
  /** Room for the rankings. */
  readonly columns: RankingColumns;
}

/** Follows one memory through a search, stage by stage. Looks at every candidate for each stage, so it costs several searches. */
export function explain(index: NamespaceIndex, input: ExplainInput): Explanation {
  const { query, rankInput, row, columns } = input;
  const filtered = filterStage(index, input);
  if (filtered.droppedReason !== "") return { stages: [filtered], returned: false };
  const matching = query.query === "" ? [] : matchStages(index, rankInput, row, columns);
  const stages = [filtered, ...matching];
  if (matching.at(-1)?.droppedReason) return { stages, returned: false };
  const matches = [...rank(index, rankInput, columns).inOrder(() => Number.POSITIVE_INFINITY)];
  return {
    stages: [...stages, ...orderStages(matches, input), packStage(matches, input)],
    returned: isHit(index, input),
  };
}

function filterStage(
  index: NamespaceIndex,
  { query, rankInput: { returnable, now }, row }: ExplainInput,
): ExplainStage {
  const { memory } = index.at(row);
  if (!isVisible(memory, now, query.includeSuperseded)) {
    return stage(
      "filter",
      0,
      undefined,
      memory.supersededBy === undefined
        ? "expired"
        : `superseded by memory '${memory.supersededBy}'`,
    );
  }
  return stage(
    "filter",
    0,
    undefined,
    passesFilter(memory, returnable) ? "" : "does not pass the filter",
  );
}

/** The stages that decide whether it matches, with its rank among all that pass the filter. */
function matchStages(
  index: NamespaceIndex,
  input: RankInput,
  row: number,
  columns: RankingColumns,
): ExplainStage[] {
  const { query, calibration, returnable, now } = input;
  const { count, rows, keyword, vector, fused, smoothed } = scoreCandidates(
    index,
    input,
    hintsOf(index, input),
    columns,
  );
  const left: number[] = [];
  let own: number | undefined;
  for (let position = 0; position < count; position++) {
    const candidate = rows[position] as number;
    if (mayReturn(index, candidate, returnable, now)) left.push(position);
    if (candidate === row) own = position;
  }
  const stageOf = (name: string, scores: ArrayLike<number>) => {
    const score = own === undefined ? 0 : (scores[own] as number);
    return stage(
      name,
      score,
      1 + left.filter((position) => (scores[position] as number) > score).length,
      "",
    );
  };
  const relevance = own === undefined ? 0 : relevanceOf(smoothed[own] as number, calibration);
  const hasKeyword = own !== undefined && (keyword[own] as number) > 0;
  const reason = dropReason(relevance, hasKeyword, query.minRelevance ?? 0);
  return [
    stageOf("keyword", keyword),
    stageOf("vector", vector),
    stageOf("fused", fused),
    stageOf("following", smoothed),
    reason === ""
      ? stageOf(
          "relevance",
          Float64Array.from(smoothed.subarray(0, count), (score) =>
            relevanceOf(score, calibration),
          ),
        )
      : stage("relevance", relevance, undefined, reason),
  ];
}

function dropReason(relevance: number, hasKeyword: boolean, minRelevance: number): string {
  if (relevance < minRelevance) return `its relevance is below min_relevance ${minRelevance}`;
  return relevance === 0 && !hasKeyword
    ? "shares no keyword with the query and has a relevance of 0"
    : "";
}

/** What is added to the score of a match, one part after the other, and its rank among all matches after each. */
function orderStages(matches: readonly Match[], { query, row }: ExplainInput): ExplainStage[] {
  const own = matches.findIndex((match) => match.row === row);
  const scores = matches[own]?.scores;
  if (query.query === "" || query.order === "NEWEST_FIRST")
    return [stage("newest first", scores?.final ?? 0, own + 1, "")];
  const { recency, importance } = query.weights;
  const added = [
    ["thread", (match) => match.scores.thread],
    ["author", (match) => match.scores.author],
    ["date", (match) => match.scores.date],
    ["recency", (match) => recency * match.scores.recency],
    ["importance", (match) => importance * match.scores.importance],
  ] as const satisfies readonly (readonly [string, (match: Match) => number])[];
  const sums = matches.map(
    (match) => match.scores.final - added.reduce((sum, [, part]) => sum + part(match), 0),
  );
  return added.map(([name, part]) => {
    for (const [at, match] of matches.entries()) sums[at] = (sums[at] as number) + part(match);
    const score = sums[own] ?? 0;
    return stage(name, score, 1 + sums.filter((sum) => sum > score).length, "");
  });
}

function packStage(matches: readonly Match[], input: ExplainInput): ExplainStage {
  const { hits, summary } = input.result;
  const match = matches.find(({ row }) => row === input.row);
  const place = hits.findIndex(({ memory }) => memory.id === match?.memory.id);
  const hit = hits[place];
  if (hit !== undefined) return stage("packing", hit.scores.final, place + 1, "");
  const omission = summary.omitted.find(({ id }) => id === match?.memory.id);
  const reason = omission === undefined ? unlistedReason(input) : omissionReason(omission, input);
  return stage("packing", omission?.score ?? match?.scores.final ?? 0, undefined, reason);
}

function omissionReason(
  { reason, tokens }: Omission,
  { query, result: { summary } }: ExplainInput,
): string {
  if (reason === "NEAR_COPY")
    return `a ${query.order === "NEWEST_FIRST" ? "newer" : "better"} match has the same words`;
  return `its ${tokens} tokens did not fit into what was left of budget_tokens ${summary.budgetTokens ?? 0}`;
}

/** Why a match is neither a hit nor listed as passed over. */
function unlistedReason({ limit, result: { hits, summary } }: ExplainInput): string {
  const isLimitReached = hits.length === limit && hits[0]?.excerpt === false;
  const reached = `limit ${limit} was reached before its turn`;
  if (isLimitReached && summary.omitted.length < listedOmissions) return reached;
  const budget =
    summary.budgetTokens === undefined
      ? ""
      : `, or did not fit into what was left of budget_tokens ${summary.budgetTokens}`;
  const passedOver = `it was passed over behind ${summary.omitted.length} others: it has the words of a match before it${budget}`;
  return isLimitReached ? `${reached}, or ${passedOver}` : passedOver;
}

function isHit(index: NamespaceIndex, { result, row }: ExplainInput): boolean {
  const { id } = index.at(row).memory;
  return result.hits.some(({ memory }) => memory.id === id);
}

function stage(
  name: string,
  score: number,
  rank: number | undefined,
  droppedReason: string,
): ExplainStage {
  return { name, score, ...(rank === undefined ? {} : { rank }), droppedReason };
}
