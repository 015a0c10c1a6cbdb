import type { Calibration } from "../embedder.js";
import { type Instant, instantOfMillis, millisOfInstant } from "../instant.js";
import { happenedAt, type Memory } from "../memory.js";
import type { Candidates, NamespaceIndex } from "../search-index.js";
import { compareNewestFirst } from "../timeline.js";
import { isVisible } from "../visibility.js";
import { fusedScore, recencyOf, relevanceOf, smoothedScore, threadWeight } from "./scores.js";
import type { Scores, SearchQuery } from "./search.js";
import { authorNamed, authorWeight } from "./signals/author.js";
import { dateFit, datesNamed, dateWeight, type NamedDate } from "./signals/date.js";

/** A memory that matches, with its scores. */
export interface Match {
  readonly row: number;
  readonly memory: Memory;
  readonly wordSignature: number | undefined;
  readonly scores: Scores;
}

/** All matches of a query. */
export interface Ranking {
  readonly totalMatches: number;
  /**
   * The matches in order, those that `wanted` refuses left out. Found in batches, so that the first few cost much less than all; `wanted` is asked when a batch is made.
   * REQUIRES: what `wanted` refuses once it refuses ever after.
   */
  inOrder(wanted: (memory: Memory) => boolean): Iterable<Match>;
}

/** What `rank` needs to know beside the index. */
export interface RankInput {
  readonly query: Pick<SearchQuery, "query" | "order" | "minRelevance" | "includeSuperseded" | "weights">;
  readonly vector: Float32Array | undefined;
  readonly calibration: Calibration;
  readonly passesFilter: (memory: Memory) => boolean;
  /** Now, for expiry. */
  readonly now: Instant;
  /** What counts as now for recency. */
  readonly referenceMs: number;
}

/** Sizes of the batches in which matches are put in order: what a few hits need, what a full receipt needs, the rest. */
const batchSizes = [16, 256, Number.POSITIVE_INFINITY];

/**
 * Admits matches by keyword hit and relevance, then orders them by final score or by time.
 * Reads the index and nothing else; the result is good as long as the candidates are.
 */
export function rank(index: NamespaceIndex, input: RankInput): Ranking {
  const { query, vector } = input;
  const candidates = index.candidates(vector === undefined ? { text: query.query } : { text: query.query, vector });
  const matches = admit(index, candidates, input);
  const order = query.order === "NEWEST_FIRST" || query.query === "" ? orderByTime(matches) : orderByScore(matches);
  return {
    totalMatches: matches.count,
    *inOrder(wanted) {
      let last: number | undefined;
      for (const size of batchSizes) {
        const batch = nextBatch(matches, order, size, last, wanted);
        for (const match of batch) yield matches.scored(match);
        if (batch.length < size) return;
        last = batch.at(-1);
      }
    },
  };
}

/** What the query says of authors and dates. */
interface Hints {
  readonly author: string | undefined;
  readonly dates: readonly NamedDate[];
}

function hintsOf(index: NamespaceIndex, { query: { query }, referenceMs }: RankInput): Hints {
  return { author: authorNamed(query, index.authors), dates: datesNamed(query, instantOfMillis(referenceMs)) };
}

/** The memories that match. A match is a number, its place in these lists, which have room for all candidates. */
class Matches {
  readonly #positions: Int32Array;
  readonly #scores: Float64Array;
  /** Final scores, made when they are asked for; NaN until then. */
  readonly #finals: Float64Array;
  count = 0;

  constructor(
    readonly index: NamespaceIndex,
    readonly candidates: Candidates,
    readonly input: RankInput,
    readonly hints: Hints,
  ) {
    this.#positions = new Int32Array(candidates.count);
    this.#scores = new Float64Array(candidates.count);
    this.#finals = new Float64Array(candidates.count);
  }

  add(position: number, score: number): void {
    this.#positions[this.count] = position;
    this.#scores[this.count] = score;
    this.#finals[this.count] = Number.NaN;
    this.count += 1;
  }

  row(match: number): number {
    return this.candidates.rows[this.#positions[match] as number] as number;
  }

  memory(match: number): Memory {
    return this.index.at(this.row(match)).memory;
  }

  /** The score that decided that it matches. */
  score(match: number): number {
    return this.#scores[match] as number;
  }

  final(match: number): number {
    const known = this.#finals[match] as number;
    if (!Number.isNaN(known)) return known;
    const memory = this.memory(match);
    const { weights } = this.input.query;
    const { author, dates } = this.hints;
    const final =
      this.score(match) +
      threadWeight * (this.candidates.thread[this.#positions[match] as number] as number) +
      (author !== undefined && memory.author === author ? authorWeight : 0) +
      dateWeight * dateFit(dates, memory.eventTime) +
      weights.recency * this.recency(memory) +
      weights.importance * memory.importance;
    this.#finals[match] = final;
    return final;
  }

  /** What `final` can add to `score` at most. */
  get mostAdded(): number {
    const { recency, importance } = this.input.query.weights;
    const { author, dates } = this.hints;
    return recency + importance + threadWeight + (author === undefined ? 0 : authorWeight) + (dates.length === 0 ? 0 : 2 * dateWeight);
  }

  scored(match: number): Match {
    const { query, calibration } = this.input;
    const position = this.#positions[match] as number;
    const row = this.row(match);
    const { memory, wordSignature } = this.index.at(row);
    const scores: Scores = {
      relevance: query.query === "" ? 0 : relevanceOf(this.score(match), calibration),
      vector: Math.min(1, Math.max(0, this.candidates.vector[position] as number)),
      keyword: this.candidates.keyword[position] as number,
      recency: this.recency(memory),
      importance: memory.importance,
      final: this.final(match),
    };
    return { row, memory, wordSignature, scores };
  }

  private recency(memory: Memory): number {
    return recencyOf(millisOfInstant(happenedAt(memory)), this.input.referenceMs);
  }
}

function admit(index: NamespaceIndex, candidates: Candidates, input: RankInput): Matches {
  const { query, calibration, passesFilter, now } = input;
  const { count, rows, keyword } = candidates;
  const { minRelevance = 0, includeSuperseded } = query;
  const everything = query.query === "";
  const matches = new Matches(index, candidates, input, hintsOf(index, input));
  const scores = everything ? new Float64Array(count) : smoothedScores(index, candidates, input);
  for (let position = 0; position < count; position++) {
    const score = scores[position] as number;
    if (!everything) {
      const relevance = relevanceOf(score, calibration);
      if ((keyword[position] === 0 && relevance === 0) || relevance < minRelevance) continue;
    }
    const { memory } = index.at(rows[position] as number);
    if (isVisible(memory, now, includeSuperseded) && passesFilter(memory)) matches.add(position, score);
  }
  return matches;
}

/** The score of each candidate: keywords and vector fused, and in a thread raised by the row that follows. */
function smoothedScores(index: NamespaceIndex, { count, rows, keyword, vector }: Candidates, { calibration }: RankInput): Float64Array {
  const fused = new Float64Array(count);
  for (let position = 0; position < count; position++) {
    fused[position] = fusedScore(keyword[position] as number, vector[position] as number, calibration);
  }
  if (!index.hasThreads) return fused;
  const fusedByRow = new Float64Array(index.rowLimit);
  for (let position = 0; position < count; position++) fusedByRow[rows[position] as number] = fused[position] as number;
  for (let position = 0; position < count; position++) {
    const next = index.next(rows[position] as number);
    fused[position] = smoothedScore(fused[position] as number, next < 0 ? undefined : fusedByRow[next]);
  }
  return fused;
}

/** An order of matches; total, so that no two are equal. */
interface Order {
  compare(a: number, b: number): number;
  /** True if `match` surely comes after `other`; cheaper than `compare`. */
  surelyAfter(match: number, other: number): boolean;
}

function orderByTime(matches: Matches): Order {
  return { compare: (a, b) => compareNewestFirst(matches.memory(a), matches.memory(b)), surelyAfter: () => false };
}

/** Best final score first; ties go to the newer one, so that the order is always the same. */
function orderByScore(matches: Matches): Order {
  const { mostAdded } = matches;
  return {
    compare: (a, b) => matches.final(b) - matches.final(a) || compareNewestFirst(matches.memory(a), matches.memory(b)),
    surelyAfter: (match, other) => matches.score(match) + mostAdded < matches.final(other),
  };
}

/** The first `size` wanted matches behind `last`, in order. */
function nextBatch(matches: Matches, order: Order, size: number, last: number | undefined, wanted: (memory: Memory) => boolean): number[] {
  const batch: number[] = [];
  for (let match = 0; match < matches.count; match++) {
    const worst = batch.length === size ? batch[size - 1] : undefined;
    if (worst !== undefined && order.surelyAfter(match, worst)) continue;
    if (!wanted(matches.memory(match))) continue;
    if (last !== undefined && order.compare(match, last) <= 0) continue;
    if (size === Number.POSITIVE_INFINITY) {
      batch.push(match);
      continue;
    }
    if (worst !== undefined && order.compare(match, worst) > 0) continue;
    if (worst !== undefined) batch.pop();
    insert(batch, match, order);
  }
  return size === Number.POSITIVE_INFINITY ? batch.sort(order.compare) : batch;
}

/** Puts a match into its place in a sorted list. */
function insert(sorted: number[], match: number, { compare }: Order): void {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compare(sorted[middle] as number, match) <= 0) low = middle + 1;
    else high = middle;
  }
  sorted.splice(low, 0, match);
}
