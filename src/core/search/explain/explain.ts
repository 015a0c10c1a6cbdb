import { allTypes, type Memory } from "../../model/memory.js";
import { currentSuccessor, isExpired } from "../../model/visibility.js";
import type { Clock } from "../../ports/clock.js";
import type { NamespaceIndex, Row } from "../../ports/search-index.js";
import type { PackedRanking } from "../pack/pack.js";
import { createLaps } from "../query/laps.js";
import type { RankInput } from "../query/rank-input.js";
import { finderOf, mayReturn, passesFilter } from "../query/result-filter.js";
import {
  type ExplainedMemory,
  type ExplainStage,
  matchesAll,
  type QueryReading,
  type SearchExplanation,
  type SearchQuery,
  type SearchResult,
  type StageSummary,
} from "../query/search.js";
import { anyMatch } from "../rank/matches.js";
import { rank } from "../rank/rank.js";
import type { RankingColumns } from "../score/ranking-columns.js";
import { type Followed, type FollowedMatch, followMatches, shortMemory } from "./followed-match.js";
import { MatchStages } from "./match-stages.js";
import { orderStages } from "./order-stages.js";
import { packingStage } from "./packing-stage.js";

/** A search to explain. */
export interface ExplainInput extends Followed {
  readonly query: SearchQuery;
  readonly rankInput: RankInput;
  /** The packed ranking of the search. */
  readonly packed: PackedRanking;
  /** Columns for the rankings. */
  readonly columns: RankingColumns;
  /** How long the search took to rank and to pack, and the clock for the other stages. */
  readonly times: { readonly rankMs: number; readonly packMs: number; readonly clock: Clock };
}

/** A memory that does not match, and its stages. */
interface Dropped {
  readonly memory: Memory;
  readonly stages: readonly ExplainStage[];
}

/**
 * Follows memories through a search, stage by stage: the hits, what was omitted, the next best, and
 * those that are asked about. Ranks all candidates again for the stages, once for all memories.
 *
 * Returns a function that turns the result of the search into the explanation. The function does
 * not use the index, so it can be called when the result is complete.
 */
export function explain(
  index: NamespaceIndex,
  input: ExplainInput,
): (result: SearchResult) => SearchExplanation {
  const { query, rankInput, packed, nearMisses, columns, times } = input;
  const ranking = rank(index, rankInput, columns).matches(anyMatch);
  const matches = followMatches(ranking, packed, input, rankInput.timeZone);
  const matching = matchesAll(query)
    ? undefined
    : new MatchStages(index, rankInput, columns, times.clock);
  const matchAt = new Map(matches.map(({ memory }, at) => [memory?.id, at]));
  const reading = readingOf(index, input, matching);
  const summaries = [
    filterSummary(index, rankInput, createLaps(times.clock)),
    ...(matching?.summaries() ?? []),
  ];
  const relevanceMs = Math.max(0, times.rankMs - (matching?.scoringMs ?? 0));

  const { dropped, missingIds, askedCount } = followDropped(index, input, matches, matching);

  const ordering = orderStages(matches, query);
  const stagesOf = (match: FollowedMatch, at: number, result: SearchResult): ExplainStage[] => {
    const passed = { name: "filter", score: 0, droppedReason: "" };
    const before = [passed, ...(matching?.of(match.row, true) ?? [])];
    const { gateClosed = false, noHitsReason } = result.summary;
    if (gateClosed)
      return [
        ...before,
        { name: "gate", score: before.at(-1)?.score ?? 0, droppedReason: noHitsReason },
      ];
    return [...before, ...ordering(at), packingStage(match, query, result)];
  };
  return (result) => {
    const chosen = chooseMatches(matches, matchAt, input, result);
    const found = chosen.map((at): ExplainedMemory => {
      const match = matches[at] as FollowedMatch & { readonly memory: Memory };
      return explainMatch(match, stagesOf(match, at, result), result);
    });
    const nearest = dropped.slice(
      0,
      askedCount + Math.max(0, (nearMisses ?? 0) - countMissed(found)),
    );
    return {
      ...{ reading, missingIds, result },
      stages: [
        ...summaries,
        ...resultSummaries(matches.length, summaries, result, { ...times, relevanceMs }),
      ],
      memories: [
        ...found,
        ...nearest.map(({ memory, stages }) => ({
          ...{ memory, stages, tokens: memory.tokenCount, returned: false },
        })),
      ],
    };
  };
}

/** Follows the memories that do not match: those that are asked about, then the best others. */
function followDropped(
  index: NamespaceIndex,
  input: ExplainInput,
  matches: readonly FollowedMatch[],
  matching: MatchStages | undefined,
): { dropped: readonly Dropped[]; missingIds: readonly string[]; askedCount: number } {
  const { ids, nearMisses, rankInput } = input;
  const matched = new Set(matches.map(({ row }) => row));
  const missingIds: string[] = [];
  const asked = new Set<Row>();
  for (const id of new Set(ids)) {
    const row = index.rowOf(id);
    if (row === undefined || isExpired(index.at(row).memory, rankInput.now)) missingIds.push(id);
    else if (!matched.has(row)) asked.add(row);
  }
  const others = nearMisses === undefined ? 0 : nearMisses + asked.size;
  const rows = new Set([...asked, ...(matching?.bestWithoutMatch(others, matched) ?? [])]);
  const dropped = Array.from(rows, (row): Dropped => {
    const filtering = filterStage(index, input, row);
    const stages = filtering.droppedReason === "" ? (matching?.of(row, false) ?? []) : [];
    return { memory: shortMemory(index.at(row).memory), stages: [filtering, ...stages] };
  });
  return { dropped, missingIds, askedCount: asked.size };
}

/** Number of matches that were neither returned nor omitted. */
function countMissed(found: readonly ExplainedMemory[]): number {
  return found.filter(({ returned, omission }) => !returned && omission === undefined).length;
}

/**
 * Returns which matches to explain, in their order: hits, omissions, those that are asked about,
 * and the best of the others.
 */
function chooseMatches(
  matches: readonly FollowedMatch[],
  matchAt: ReadonlyMap<string | undefined, number>,
  { ids, nearMisses }: ExplainInput,
  { hits, summary }: SearchResult,
): readonly number[] {
  const named =
    nearMisses === undefined
      ? []
      : [...hits.map(({ memory }) => memory.id), ...summary.omitted.map(({ id }) => id)];
  const chosen = new Set(
    [...named, ...ids].map((id) => matchAt.get(id)).filter((at) => at !== undefined),
  );
  let missed = 0;
  for (let at = 0; at < matches.length && missed < (nearMisses ?? 0); at++) {
    if (chosen.has(at)) continue;
    chosen.add(at);
    missed += 1;
  }
  return [...chosen].sort((a, b) => a - b);
}

function explainMatch(
  { memory, nearCopyOf }: FollowedMatch & { readonly memory: Memory },
  stages: readonly ExplainStage[],
  { hits, summary }: SearchResult,
): ExplainedMemory {
  const hit = hits.find((one) => one.memory.id === memory.id);
  const omission = summary.omitted.find(({ id }) => id === memory.id);
  const isCopy = omission?.reason === "NEAR_COPY";
  const kept = isCopy ? hits.find((one) => one.memory.id === nearCopyOf) : undefined;
  return {
    ...{ memory, stages },
    tokens: hit?.tokens ?? omission?.tokens ?? memory.tokenCount,
    returned: hit !== undefined,
    ...(omission && { omission: omission.reason }),
    ...(kept && { nearCopyOf: kept.memory.id }),
  };
}

function filterStage(
  index: NamespaceIndex,
  { query, rankInput: { resultFilter, now } }: ExplainInput,
  row: Row,
): ExplainStage {
  const { memory } = index.at(row);
  const successor = query.includeSuperseded
    ? undefined
    : currentSuccessor(memory, now, finderOf(index));
  const droppedReason =
    successor !== undefined
      ? `superseded by memory '${successor.id}'`
      : passesFilter(memory, resultFilter)
        ? ""
        : "does not pass the filter";
  return { name: "filter", score: 0, droppedReason };
}

function filterSummary(
  index: NamespaceIndex,
  { resultFilter, now }: Pick<RankInput, "resultFilter" | "now">,
  lap: () => number,
): StageSummary {
  let all = 0;
  let left = 0;
  for (let row = 0 as Row; row < index.rowLimit; row++) {
    if (!index.traits.isOfType(row, allTypes)) continue;
    all += 1;
    if (mayReturn(index, row, resultFilter, now)) left += 1;
  }
  return { name: "filter", left, dropped: all - left, durationMs: lap() };
}

/** Returns the last stages: which matches there are, and what became of them. */
function resultSummaries(
  matches: number,
  [filter]: readonly StageSummary[],
  { hits, summary }: SearchResult,
  { relevanceMs, packMs }: { readonly relevanceMs: number; readonly packMs: number },
): StageSummary[] {
  const matched = {
    ...{ name: "relevance", left: matches, dropped: (filter?.left ?? matches) - matches },
    durationMs: relevanceMs,
  };
  const last = { durationMs: packMs };
  if (summary.gateClosed === true)
    return [matched, { name: "gate", left: 0, dropped: matches, ...last }];
  return [matched, { name: "packing", left: hits.length, dropped: matches - hits.length, ...last }];
}

/** Returns how the query was understood. */
function readingOf(
  index: NamespaceIndex,
  { query, rankInput: { hints, timeZone } }: ExplainInput,
  matching: MatchStages | undefined,
): QueryReading {
  if (matching === undefined) {
    const nothing = { terms: [], respellings: [], authors: [], dates: [] };
    return { ...nothing, isOnlyAboutAuthors: false, timeZone, vectorWeight: 0, minRelevance: 0 };
  }
  return {
    terms: index.termsOf(query.query),
    respellings: index.respellingsOf(query.query),
    ...{ authors: hints.authors, isOnlyAboutAuthors: hints.isOnlyAboutAuthors },
    ...{ dates: hints.dates, timeZone },
    vectorWeight: matching.vectorWeight,
    minRelevance: matching.floor,
  };
}
