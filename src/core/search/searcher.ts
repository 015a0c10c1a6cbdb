import type { Expression } from "../filter/expression.js";
import { memoryNotFound } from "../model/errors.js";
import { instantOfMillis } from "../model/instant.js";
import { requireOneReply } from "../model/recall-size.js";
import { requireTimeZone, type TimeZone, utc } from "../model/time-zone.js";
import type { Call } from "../ports/call.js";
import type { Clock } from "../ports/clock.js";
import type { Embedders } from "../ports/embedder.js";
import type { NamespaceIndex, SearchIndex } from "../ports/search-index.js";
import type { Store } from "../ports/store.js";
import type { Timer } from "../ports/timer.js";
import type { TokenCounter } from "../ports/token-counter.js";
import { requireCommitSeq } from "../requests/commit-seq.js";
import { readSignalOf } from "../requests/read-signal.js";
import {
  type AgentRanking,
  chosenNamespaces,
  MergedRanking,
  takeMatches,
} from "./across-agents.js";
import { explain } from "./explain/explain.js";
import type { Followed } from "./explain/followed-match.js";
import { type PackedRanking, pack } from "./pack/pack.js";
import { completeResult } from "./pack/pack-excerpt.js";
import {
  type Annotation,
  type ListRendering,
  listRendering,
  plainRendering,
  type Rendering,
} from "./pack/rendering.js";
import { contentStateOf, nextExpiryMs } from "./query/content-state.js";
import { withFinalQuestion } from "./query/final-question.js";
import { createLaps } from "./query/laps.js";
import { nearestQueryOf } from "./query/nearest.js";
import { withQueryVectors } from "./query/query-vectors.js";
import { buildRankInput, type RankInput } from "./query/rank-input.js";
import { readInTurns, workInTurns } from "./query/read-turns.js";
import { compileResultFilter, mayReturn, type ResultFilter } from "./query/result-filter.js";
import type {
  AgentChoice,
  CacheableResult,
  Explanation,
  SearchExplanation,
  SearchQuery,
  SearchResult,
  SearchSummary,
} from "./query/search.js";
import { rank } from "./rank/rank.js";
import { RankingColumns } from "./score/ranking-columns.js";

/**
 * For a list of Recall with more UTF-16 units, other calls may run while its tokens are counted.
 */
const longListLength = 4_096;

/** The ports that a searcher uses. */
export interface SearcherParts {
  readonly index: SearchIndex;
  readonly embedders: Embedders;
  readonly tokens: TokenCounter;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly store: Pick<Store, "ids" | "head">;
  readonly compileExpression: (source: string) => Expression;
  /** The time zone of queries that name none. Default UTC. */
  readonly timeZone?: TimeZone;
}

/** Searches namespaces: finds memories, ranks them and packs them into the budget. */
export interface Searcher {
  search(query: SearchQuery, call: Call): Promise<SearchResult>;
  /**
   * Searches, and also returns the contents of the hits as one text.
   *
   * @param rendering writes the text. Default: a list, as `SearchQuery.annotates` says
   */
  recall(
    query: SearchQuery,
    call: Call,
    rendering?: ListRendering,
  ): Promise<SearchResult & { readonly text: string }>;
  /**
   * Follows one memory through a search.
   *
   * @throws NOT_FOUND (MEMORY_NOT_FOUND) when the namespace has no memory of this id, or the memory
   *   has expired.
   */
  explain(query: SearchQuery, id: string, call: Call): Promise<Explanation>;
  /**
   * Searches, and follows the hits, what was omitted, the next best memories, and those of some ids
   * through the search.
   */
  explainSearch(query: SearchQuery, followed: Followed, call: Call): Promise<SearchExplanation>;
  /**
   * Starts a search for each query. Each search embeds its own text, so that no search waits for
   * another.
   */
  searchAll(queries: readonly SearchQuery[], call: Call): readonly Promise<CacheableResult>[];
}

/**
 * Every method prepares its query, reads one state of the index, and responds from that state. Only
 * long work is done after the read: making an excerpt, and counting the tokens of Recall's text.
 */
export function createSearcher(parts: SearcherParts): Searcher {
  const { tokens } = parts;
  // A search ranks and packs within one synchronous read, so all searches share these columns.
  const columns = new RankingColumns();
  const plain = plainRendering(tokens);

  const respond = (
    index: NamespaceIndex,
    input: RankInput,
    query: SearchQuery,
    rendering: Rendering,
  ): PackedRanking =>
    withReason(
      pack(index, rank(index, input, columns), { query, rendering, timeZone: input.timeZone }),
      input,
    );

  const answer = async (search: PreparedSearch, renderings: Renderings): Promise<SearchResult> => {
    const { query, call } = search;
    if (query.agents !== undefined)
      return answerAcross(parts, columns, { ...search, agents: query.agents }, renderings);
    const packed = await readIndex(parts, search, (index, input) =>
      respond(index, input, query, renderings.hits),
    );
    return completeResult(packed, renderings.excerpt, call);
  };

  const explainSearch: Searcher["explainSearch"] = (query, followed, call) =>
    explainWith(parts, { columns, plain }, { query, followed, call });

  return {
    async search(given, call) {
      const query = withoutBlankText(given);
      const search = prepare(parts, query, call);
      return answer(search, { hits: plain, excerpt: plain });
    },
    async recall(given, call, written) {
      const query = withoutBlankText(given);
      const search = prepare(parts, query, call);
      const list = written ?? listRendering(tokens, annotationFor(query, search.timeZone));
      const inTurns = { ...list, tokensOf: workInTurns((memory) => list.tokensOf(memory)) };
      const { hits, summary } = await answer(search, { hits: inTurns, excerpt: list });
      requireOneReply(hits);
      return { hits, ...(await textForModel(tokens, query, list, { hits, summary })) };
    },
    async explain(given, id, call) {
      return explanationFor(id, await explainSearch(given, { ids: [id] }, call));
    },
    explainSearch,
    searchAll(queries, call) {
      const cleaned = queries.map(withoutBlankText);
      return cleaned.map(async (query) => {
        const search = prepare(parts, query, call);
        const { packed, ...validity } = await readIndex(parts, search, (index, input) => ({
          packed: respond(index, input, query, plain),
          state: contentStateOf(index),
          nextExpiryMs: nextExpiryMs(index, input.resultFilter.types, input.now),
        }));
        return { result: await completeResult(packed, plain, call), ...validity };
      });
    },
  };
}

/** @throws NOT_FOUND (MEMORY_NOT_FOUND) when the explanation does not follow the memory */
function explanationFor(id: string, { memories, reading }: SearchExplanation): Explanation {
  const found = memories.find(({ memory }) => memory.id === id);
  if (found === undefined) throw memoryNotFound(id);
  const { stages, returned } = found;
  return { stages, returned, respellings: reading.respellings };
}

/** Searches, and follows memories through the search. */
async function explainWith(
  parts: SearcherParts,
  { columns, plain }: { readonly columns: RankingColumns; readonly plain: Rendering },
  given: { readonly query: SearchQuery; readonly followed: Followed; readonly call: Call },
): Promise<SearchExplanation> {
  const { followed, call } = given;
  const query = withoutBlankText(given.query);
  const search = { ...prepare(parts, query, call), comparesAll: true };
  const { packed, explanationOf } = await readIndex(parts, search, (index, rankInput) => {
    const lap = createLaps(parts.clock);
    const ranking = rank(index, rankInput, columns);
    const rankMs = lap();
    const { timeZone } = rankInput;
    const made = withReason(pack(index, ranking, { query, rendering: plain, timeZone }), rankInput);
    const times = { rankMs, packMs: lap(), clock: parts.clock };
    const input = { query, rankInput, packed: made, columns, times };
    return { packed: made, explanationOf: explain(index, { ...input, ...followed }) };
  });
  return explanationOf(await completeResult(packed, plain, call));
}

/** How a result renders its hits, and its excerpt if no hit fits into the budget. */
interface Renderings {
  readonly hits: Rendering;
  readonly excerpt: Rendering;
}

/** Packs the matches of several agents under one limit and one budget. */
async function answerAcross(
  parts: SearcherParts,
  columns: RankingColumns,
  search: PreparedSearch & { readonly agents: AgentChoice },
  renderings: Renderings,
): Promise<SearchResult> {
  const { query, agents, timeZone, call } = search;
  const merged = new MergedRanking(query);
  let keywordsOnlyReason: string | undefined;
  for (const namespace of await chosenNamespaces(parts.store, query.namespace.userId, agents)) {
    const own = { ...search, query: { ...query, namespace } };
    const found = await readIndex(parts, own, (index, input): AgentRanking => {
      keywordsOnlyReason ??= input.keywordsOnlyReason;
      return takeMatches(index, rank(index, input, columns), query, namespace.agentId);
    });
    merged.add(found);
  }
  const index = await merged.indexOver(parts.store);
  const input = { query, rendering: renderings.hits, timeZone };
  const packed = await readInTurns(async () => pack(index, merged.ranking, input));
  const complete = withReason(packed, { keywordsOnlyReason });
  const result = await completeResult(complete, renderings.excerpt, call);
  const hits = result.hits.map((hit) => ({ ...hit, agentId: merged.agentOf(hit.memory) }));
  return { ...result, hits };
}

function annotationFor(query: SearchQuery, zone: TimeZone): Annotation | undefined {
  const { annotates = false, showsIds = false } = query;
  return annotates ? { zone, showsIds } : undefined;
}

/**
 * Returns the text of a recall, and the receipt with its tokens. Without hits, an annotated text
 * says why in parentheses, if there is a reason that fits into the budget.
 */
async function textForModel(
  tokens: TokenCounter,
  { annotates = false, budgetTokens = Number.POSITIVE_INFINITY }: SearchQuery,
  list: ListRendering,
  { hits, summary }: SearchResult,
): Promise<{ readonly text: string; readonly summary: SearchSummary }> {
  if (hits.length === 0) {
    const text = annotates && summary.noHitsReason !== "" ? `(${summary.noHitsReason})` : "";
    const tokensUsed = tokens.count(text);
    return tokensUsed > budgetTokens
      ? { text: "", summary }
      : { text, summary: { ...summary, tokensUsed } };
  }
  const text = list.textOf(hits);
  // For a long text, `countInTurns` lets other calls run before the text becomes a message.
  const isLong = text.length > longListLength;
  const tokensUsed = isLong ? await tokens.countInTurns(text) : list.tokensOfList(hits);
  return { text, summary: { ...summary, tokensUsed } };
}

/** Adds to the receipt why the search ignored the vectors of the namespace, if it did. */
function withReason(
  packed: PackedRanking,
  { keywordsOnlyReason }: Pick<RankInput, "keywordsOnlyReason">,
): PackedRanking {
  if (keywordsOnlyReason === undefined) return packed;
  const { hits, summary } = packed.result;
  return { ...packed, result: { hits, summary: { ...summary, keywordsOnlyReason } } };
}

/** Returns the query, with an empty text if its text is white space alone. */
function withoutBlankText(query: SearchQuery): SearchQuery {
  return query.query.trim() === "" ? { ...query, query: "" } : query;
}

/** A query that is ready to read the index. */
interface PreparedSearch {
  readonly query: SearchQuery;
  readonly resultFilter: ResultFilter;
  readonly timeZone: TimeZone;
  readonly call: Call;
  /** Whether to compare the vectors of all rows, even if the namespace has a graph. */
  readonly comparesAll: boolean;
}

function prepare(parts: SearcherParts, query: SearchQuery, call: Call): PreparedSearch {
  const resultFilter = compileResultFilter(query, parts.compileExpression);
  const timeZone =
    query.timeZone === undefined
      ? (parts.timeZone ?? utc)
      : requireTimeZone(query.timeZone, "time_zone");
  return { query, resultFilter, timeZone, call, comparesAll: false };
}

/**
 * Embeds the query, then calls `respond` synchronously with one state of the index. Calls `respond`
 * again when a filter needs more than one turn (`workInTurns`).
 */
async function readIndex<T>(
  parts: SearcherParts,
  search: PreparedSearch,
  respond: (index: NamespaceIndex, input: RankInput) => T,
): Promise<T> {
  const { query, resultFilter, timeZone, call, comparesAll } = search;
  const { namespace, queryEmbedding: given } = query;
  const text = withFinalQuestion(query.query);
  return withQueryVectors(parts, { namespace, text, given }, call, (vectors) => {
    const askedAt = instantOfMillis(parts.clock.nowMs());
    const nearestQuery = comparesAll
      ? undefined
      : nearestQueryOf(query, query.queryEmbedding ?? vectors.latest, (index, row) =>
          mayReturn(index, row, resultFilter, askedAt),
        );
    const respondTo = (index: NamespaceIndex, nearest: Int32Array | undefined) => {
      call.throwIfEnded();
      requireCommitSeq(index.head, query.namespace.userId, query.minCommitSeq);
      call.noteRows?.(index.rowLimit);
      return respond(
        index,
        buildRankInput(parts, { query, resultFilter, vectors, index, nearest, timeZone }),
      );
    };
    return readInTurns(() =>
      parts.index.read(query.namespace, readSignalOf(call), respondTo, nearestQuery),
    );
  });
}
