import type { NamespaceIndex } from "../search-index.js";
import { isVisible } from "../visibility.js";
import type { RankInput } from "./matches.js";
import { fusedScores, indexQueryOf, rank, smoothedScores } from "./rank.js";
import { relevanceOf } from "./scores.js";
import type { ExplainStage, Explanation, SearchQuery, SearchResult } from "./search.js";

/** What a search did, for explaining it. */
export interface ExplainInput {
  readonly query: SearchQuery;
  readonly rankInput: RankInput;
  readonly result: SearchResult;
  /** Row of the memory asked about. */
  readonly row: number;
}

/** Follows one memory through a search, stage by stage. Looks at every candidate for each stage, so it costs several searches. */
export function explain(index: NamespaceIndex, input: ExplainInput): Explanation {
  const { query, rankInput, row } = input;
  const filtered = filterStage(index, input);
  if (filtered.droppedReason !== "") return { stages: [filtered], returned: false };
  const matching = query.query === "" ? [] : matchStages(index, rankInput, row);
  const stages = [filtered, ...matching];
  if (matching.at(-1)?.droppedReason) return { stages, returned: false };
  return { stages: [...stages, ...orderStages(index, input), packStage(index, input)], returned: isHit(index, input) };
}

function filterStage(index: NamespaceIndex, { query, rankInput: { passesFilter, now }, row }: ExplainInput): ExplainStage {
  const { memory } = index.at(row);
  if (!isVisible(memory, now, query.includeSuperseded)) {
    return stage("filter", 0, undefined, memory.supersededBy === undefined ? "expired" : `superseded by memory '${memory.supersededBy}'`);
  }
  return stage("filter", 0, undefined, passesFilter(memory) ? "" : "does not pass the filter");
}

/** The stages that decide whether it matches, with its rank among all that pass the filter. */
function matchStages(index: NamespaceIndex, input: RankInput, row: number): ExplainStage[] {
  const { query, calibration, passesFilter, now } = input;
  const candidates = index.candidates(indexQueryOf(input));
  const fused = fusedScores(candidates, input);
  const smoothed = smoothedScores(index, candidates, fused, input);
  const left: number[] = [];
  let own: number | undefined;
  for (let position = 0; position < candidates.count; position++) {
    const candidate = candidates.rows[position] as number;
    const { memory } = index.at(candidate);
    if (isVisible(memory, now, query.includeSuperseded) && passesFilter(memory)) left.push(position);
    if (candidate === row) own = position;
  }
  const stageOf = (name: string, scores: ArrayLike<number>) => {
    const score = own === undefined ? 0 : (scores[own] as number);
    return stage(name, score, 1 + left.filter((position) => (scores[position] as number) > score).length, "");
  };
  const relevance = own === undefined ? 0 : relevanceOf(smoothed[own] as number, calibration);
  const hasKeyword = own !== undefined && (candidates.keyword[own] as number) > 0;
  const reason = dropReason(relevance, hasKeyword, query.minRelevance ?? 0);
  return [
    stageOf("keyword", candidates.keyword),
    stageOf("vector", candidates.vector),
    stageOf("fused", fused),
    stageOf("following", smoothed),
    reason === ""
      ? stageOf(
          "relevance",
          Float64Array.from(smoothed, (score) => relevanceOf(score, calibration)),
        )
      : stage("relevance", relevance, undefined, reason),
  ];
}

function dropReason(relevance: number, hasKeyword: boolean, minRelevance: number): string {
  if (relevance < minRelevance) return `its relevance is below min_relevance ${minRelevance}`;
  return relevance === 0 && !hasKeyword ? "shares no keyword with the query and has a relevance of 0" : "";
}

/** What is added to the score of a match, one part after the other, and its rank among all matches after each. */
function orderStages(index: NamespaceIndex, { query, rankInput, row }: ExplainInput): ExplainStage[] {
  const matches = [...rank(index, rankInput).inOrder(() => true)];
  const own = matches.findIndex((match) => match.row === row);
  const scores = matches[own]?.scores;
  if (query.query === "" || query.order === "NEWEST_FIRST") return [stage("newest first", scores?.final ?? 0, own + 1, "")];
  const { recency, importance } = query.weights;
  const added = [
    ["thread", (match) => match.scores.thread],
    ["author", (match) => match.scores.author],
    ["date", (match) => match.scores.date],
    ["recency", (match) => recency * match.scores.recency],
    ["importance", (match) => importance * match.scores.importance],
  ] as const satisfies readonly (readonly [string, (match: (typeof matches)[number]) => number])[];
  const sums = matches.map((match) => match.scores.final - added.reduce((sum, [, part]) => sum + part(match), 0));
  return added.map(([name, part]) => {
    for (const [at, match] of matches.entries()) sums[at] = (sums[at] as number) + part(match);
    const score = sums[own] ?? 0;
    return stage(name, score, 1 + sums.filter((sum) => sum > score).length, "");
  });
}

function packStage(index: NamespaceIndex, input: ExplainInput): ExplainStage {
  const { id } = index.at(input.row).memory;
  const { hits, summary } = input.result;
  const place = hits.findIndex(({ memory }) => memory.id === id);
  const hit = hits[place];
  if (hit !== undefined) return stage("packing", hit.scores.final, place + 1, "");
  const omission = summary.omitted.find((omitted) => omitted.id === id);
  const score = omission?.score ?? 0;
  if (omission?.reason === "NEAR_COPY") return stage("packing", score, undefined, "a better match has the same words");
  if (omission?.reason === "OVER_BUDGET") {
    return stage(
      "packing",
      score,
      undefined,
      `its ${omission.tokens} tokens did not fit into what was left of budget_tokens ${summary.budgetTokens ?? 0}`,
    );
  }
  return stage("packing", score, undefined, `${hits.length} better matches came first, and the limit or the budget was used up`);
}

function isHit(index: NamespaceIndex, { result, row }: ExplainInput): boolean {
  const { id } = index.at(row).memory;
  return result.hits.some(({ memory }) => memory.id === id);
}

function stage(name: string, score: number, rank: number | undefined, droppedReason: string): ExplainStage {
  return { name, score, ...(rank === undefined ? {} : { rank }), droppedReason };
}
