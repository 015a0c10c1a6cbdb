import type { Clock } from "../../ports/clock.js";
import type { NamespaceIndex, Row } from "../../ports/search-index.js";
import { createLaps } from "../query/laps.js";
import { NamedRows } from "../query/named-rows.js";
import type { RankInput } from "../query/rank-input.js";
import { mayReturn } from "../query/result-filter.js";
import type { ExplainStage, StageSummary } from "../query/search.js";
import { Admission } from "../rank/admission.js";
import type { RankingColumns } from "../score/ranking-columns.js";
import { scoreCandidates } from "../score/scored-candidates.js";
import { Ranks } from "./ranks.js";

/** The stages that score candidates, in order. */
const scoring = ["keyword", "vector", "fused", "following", "relevance"] as const;
type Scoring = (typeof scoring)[number];

/**
 * The stages that decide which memories match. Each memory that passes the filter is ranked among
 * all of these. Scores all candidates when it is made, and then needs the columns no longer.
 */
export class MatchStages {
  /** By stage, the scores of all candidates. */
  readonly #scores: Readonly<Record<Scoring, Float64Array>>;
  readonly #ranks: Readonly<Record<Scoring, Ranks>>;
  /** Positions of the candidates that pass the filter. */
  readonly #eligible: Int32Array;
  readonly #positionOf = new Map<Row, number>();
  readonly #rows: Int32Array;
  readonly #partial: Float64Array;
  /** Relevance with what the thread adds. */
  readonly #inThread: Float64Array;
  readonly #admission: Admission;
  /** Weight of the vector score in the fused score; 0 without a vector. */
  readonly vectorWeight: number;
  /** Time to score the candidates by keywords and by vector, in milliseconds. */
  readonly scoringMs: number;
  /** The relevance that a match needs. */
  readonly floor: number;

  constructor(
    index: NamespaceIndex,
    private readonly input: RankInput,
    columns: RankingColumns,
    clock: Clock,
  ) {
    const named = new NamedRows(index, input.hints, input.timeZone);
    const lap = createLaps(clock);
    const scored = scoreCandidates(index, input, { columns, named });
    this.scoringMs = lap();
    const { count, rows, keyword, vector, fused, base, ownFused } = scored.weighed;
    const copy = (scores: ArrayLike<number>): Float64Array =>
      Float64Array.from({ length: count }, (_, position) => scores[position] as number);
    this.#rows = rows.slice(0, count);
    this.#partial = copy(scored.partial);
    const relevances = Float64Array.from(this.#rows, (row, position) =>
      scored.relevance.of(row as Row, ownFused[position] as number),
    );
    this.#inThread = Float64Array.from(this.#rows, (row, position) =>
      scored.relevance.of(row as Row, base[position] as number),
    );
    const eligible: number[] = [];
    for (const [position, row] of this.#rows.entries()) {
      this.#positionOf.set(row as Row, position);
      if (mayReturn(index, row as Row, input.resultFilter, input.now)) eligible.push(position);
    }
    this.#eligible = Int32Array.from(eligible);
    this.#scores = {
      ...{ keyword: copy(keyword), vector: copy(vector), fused: copy(fused) },
      ...{ following: copy(base), relevance: relevances },
    };
    const ranksOf = (name: Scoring): Ranks => new Ranks(() => this.#eligibleScores(name));
    this.#ranks = {
      ...{ keyword: ranksOf("keyword"), vector: ranksOf("vector"), fused: ranksOf("fused") },
      ...{ following: ranksOf("following"), relevance: ranksOf("relevance") },
    };
    this.#admission = new Admission(index, input, named);
    this.floor = this.#admission.floor;
    this.vectorWeight = input.vector === undefined ? 0 : input.calibration.vectorWeight;
  }

  /** Returns the stages of a memory that passes the filter. */
  of(row: Row, isMatch: boolean): ExplainStage[] {
    const position = this.#positionOf.get(row);
    const scoreOf = (name: Scoring): number =>
      position === undefined ? 0 : (this.#scores[name][position] as number);
    const inThread = position === undefined ? 0 : (this.#inThread[position] as number);
    const keyword = scoreOf("keyword");
    const relevance = scoreOf("relevance");
    const isRelated = this.#admission.isRelated(row, keyword, relevance, inThread);
    return scoring.map((name) => {
      const score = scoreOf(name);
      const isDropped = name === "relevance" && !isMatch;
      return isDropped
        ? { name, score, droppedReason: mismatchReason(isRelated, this.input) }
        : { name, score, rank: this.#ranks[name].of(score), droppedReason: "" };
    });
  }

  /** Returns the best candidates that pass the filter and do not match, the best first. */
  bestWithoutMatch(count: number, matches: ReadonlySet<Row>): readonly Row[] {
    if (count === 0) return [];
    return [...this.#eligible]
      .filter((position) => !matches.has(this.#rows[position] as Row))
      .sort((a, b) => (this.#partial[b] as number) - (this.#partial[a] as number))
      .slice(0, count)
      .map((position) => this.#rows[position] as Row);
  }

  /** How many memories have a score above 0 by keywords and by vector. */
  summaries(): StageSummary[] {
    return (["keyword", "vector"] as const).map((name) => {
      const left = this.#eligibleScores(name).filter((score) => score > 0).length;
      // Both are scored in one step.
      return { name, left, dropped: 0, ...(name === "keyword" && { durationMs: this.scoringMs }) };
    });
  }

  #eligibleScores(name: Scoring): Float64Array {
    return Float64Array.from(this.#eligible, (position) => this.#scores[name][position] as number);
  }
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
