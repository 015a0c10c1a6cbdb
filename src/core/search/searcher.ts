import type { Expression } from "../filter/expression.js";
import { memoryNotFound } from "../model/errors.js";
import { instantOfMillis, millisOfInstant } from "../model/instant.js";
import type { Namespace } from "../model/namespace.js";
import { isExpired } from "../model/visibility.js";
import type { Call } from "../ports/call.js";
import type { Clock } from "../ports/clock.js";
import type { Embedders } from "../ports/embedder.js";
import type { NamespaceIndex, SearchIndex } from "../ports/search-index.js";
import type { TokenCounter } from "../ports/token-counter.js";
import { commitSeqOf, requireCommitSeq } from "../requests/commit-seq.js";
import { embedTexts, noTextVectors } from "../vectors/text-vectors.js";
import {
  type GivenOrMade,
  noQueryVector,
  queryEmbedder,
  queryVectorFor,
} from "../vectors/vectors.js";
import { contentStateOf, nextExpiryMs } from "./content-state.js";
import { excerptOf } from "./excerpt.js";
import { explain } from "./explain.js";
import type { Match, RankInput } from "./matches.js";
import { mayReturn, type Returnable, returnableOf } from "./may-return.js";
import { nearestWanted } from "./nearest.js";
import { byNovelty } from "./novelty.js";
import { type PackLimits, pack as packMatches } from "./pack.js";
import { type Ranking, rank } from "./rank.js";
import { RankingColumns } from "./ranking-columns.js";
import { recallLine, recallText } from "./recall-text.js";
import type { DatedResult, Explanation, SearchHit, SearchQuery, SearchResult } from "./search.js";
import { signalWeights } from "./signal-weights.js";

/** Hits when neither `limit` nor `budgetTokens` is given. */
const defaultLimit = 5;

/** What searching needs of the world. */
export interface SearcherParts {
  readonly index: SearchIndex;
  readonly embedders: Embedders;
  readonly tokens: TokenCounter;
  readonly clock: Clock;
  readonly compileExpression: (source: string) => Expression;
}

/** How a hit is written, which decides what it takes of the budget. */
interface Rendering {
  render(content: string): string;
  tokensOf(match: Match): number;
}

/** Finds, ranks and packs. */
export interface Searcher {
  search(query: SearchQuery, call: Call): Promise<SearchResult>;
  recall(query: SearchQuery, call: Call): Promise<SearchResult & { readonly text: string }>;
  /** Follows one memory through `search`. @throws NOT_FOUND if the namespace has no memory of the id */
  explain(query: SearchQuery, id: string, call: Call): Promise<Explanation>;
  /** `search` for several queries at once, with an outcome for each. Their texts are embedded in one batch. REQUIRES: they are about one namespace, and none has a `queryEmbedding` */
  searchAll(queries: readonly SearchQuery[], call: Call): readonly Promise<DatedResult>[];
}

export function createSearcher(parts: SearcherParts): Searcher {
  const { tokens } = parts;
  // A ranking is begun and used up without a wait, so one room does for all.
  const columns = new RankingColumns();
  const plain: Rendering = {
    render: (content) => content,
    tokensOf: ({ memory }) => memory.tokenCount,
  };
  // A line and its line break never share a token with the line after it, so the counts add up.
  const listed: Rendering = {
    render: recallLine,
    tokensOf: ({ memory }) => tokens.count(`${recallLine(memory.content)}\n`),
  };
  return {
    search: (query, call) => run(parts, query, call, "nearest", (search) => pack(search, plain)),
    async recall(query, call) {
      const result = await run(parts, query, call, "nearest", (search) => pack(search, listed));
      const text = recallText(result.hits.map((hit) => hit.memory.content));
      return { ...result, summary: { ...result.summary, tokensUsed: tokens.count(text) }, text };
    },
    explain: (query, id, call) =>
      run(parts, query, call, "all", (search) => {
        const { index, rankInput } = search;
        const row = index.rowOf(id);
        if (row === undefined || isExpired(index.at(row).memory, rankInput.now))
          throw memoryNotFound(id);
        return explain(index, {
          query,
          rankInput,
          result: pack(search, plain),
          limit: limitOf(query),
          row,
          columns,
        });
      }),
    searchAll: (queries, call) =>
      runAll(parts, queries, call, (search) => {
        const { index, rankInput } = search;
        const { returnable, now } = rankInput;
        return {
          result: pack(search, plain),
          state: contentStateOf(index),
          nextExpiryMs: nextExpiryMs(index, returnable.types, now),
        };
      }),
  };

  function pack(
    { index, query, rankInput, keywordsOnlyReason }: RunningSearch,
    rendering: Rendering,
  ): SearchResult {
    const result = packed(index, rank(index, rankInput, columns), query, rendering, tokens);
    return keywordsOnlyReason === undefined
      ? result
      : { ...result, summary: { ...result.summary, keywordsOnlyReason } };
  }
}

/** A search with all that it needs at hand. */
interface RunningSearch {
  readonly index: NamespaceIndex;
  readonly query: SearchQuery;
  readonly rankInput: RankInput;
  readonly keywordsOnlyReason: string | undefined;
}

/** Prepares a search and finishes it by `finish`, on one state of the index. `compared`: whether the nearest memories will do where the index has a graph. */
async function run<T>(
  parts: SearcherParts,
  query: SearchQuery,
  call: Call,
  compared: "nearest" | "all",
  finish: (search: RunningSearch) => T,
): Promise<T> {
  const prepared = { query, compared, returnable: returnableOf(query, parts.compileExpression) };
  const given = query.queryEmbedding;
  if (query.query === "" || given !== undefined)
    return runWith(parts, prepared, { given, made: noTextVectors }, call, finish);
  const expected = queryEmbedder(await parts.index.profileOf(query.namespace), parts.embedders);
  return embedTexts([query.query], expected, call).use(([made]) =>
    runWith(parts, prepared, { given, made }, call, finish),
  );
}

/** The same for queries of one namespace whose vectors the server makes, of all in one batch. */
function runAll<T>(
  parts: SearcherParts,
  queries: readonly SearchQuery[],
  call: Call,
  finish: (search: RunningSearch) => T,
): readonly Promise<T>[] {
  const [first] = queries;
  const texts = [...new Set(queries.map(({ query }) => query).filter((text) => text !== ""))];
  const embedAll = async (namespace: Namespace) =>
    embedTexts(texts, queryEmbedder(await parts.index.profileOf(namespace), parts.embedders), call);
  const embedded =
    first === undefined || texts.length === 0 ? undefined : embedAll(first.namespace);
  // Each query that needs it sees how it fails; there may be none.
  embedded?.catch(() => undefined);
  return queries.map(async (query) => {
    const prepared = {
      query,
      compared: "nearest",
      returnable: returnableOf(query, parts.compileExpression),
    } as const;
    const runOn = (made = noTextVectors) =>
      runWith(parts, prepared, { given: undefined, made }, call, finish);
    return query.query === ""
      ? runOn()
      : ((await embedded)?.use((vectors) => runOn(vectors[texts.indexOf(query.query)])) ?? runOn());
  });
}

interface PreparedSearch {
  readonly query: SearchQuery;
  readonly compared: "nearest" | "all";
  readonly returnable: Returnable;
}

async function runWith<T>(
  { index, embedders, clock }: SearcherParts,
  { query, compared, returnable }: PreparedSearch,
  vectors: GivenOrMade,
  call: Call,
  finish: (search: RunningSearch) => T,
): Promise<T> {
  const isBare = query.query === "" && vectors.given === undefined;
  const finishOn = (namespaceIndex: NamespaceIndex, nearest: Int32Array | undefined): T => {
    call.throwIfEnded();
    requireCommitSeq(namespaceIndex.head, query.minCommitSeq);
    const { vector, calibration, keywordsOnlyReason } = isBare
      ? noQueryVector
      : queryVectorFor(
          query.namespace,
          namespaceIndex,
          embedders,
          { ...vectors, text: query.query },
          "query_embedding",
        );
    const nowMs = clock.nowMs();
    const referenceMs =
      query.referenceTime === undefined ? nowMs : millisOfInstant(query.referenceTime);
    const now = instantOfMillis(nowMs);
    const rankInput = {
      query,
      vector,
      nearest,
      calibration,
      signals: signalWeights,
      returnable,
      now,
      referenceMs,
    };
    return finish({ index: namespaceIndex, query, rankInput, keywordsOnlyReason });
  };
  const askedAt = instantOfMillis(clock.nowMs());
  const accepts = (current: NamespaceIndex, row: number) =>
    mayReturn(current, row, returnable, askedAt);
  const wanted =
    compared === "all"
      ? undefined
      : nearestWanted(query, vectors.given ?? vectors.made.latest, accepts, defaultLimit);
  return index.read(query.namespace, call.signal, finishOn, wanted);
}

function packed(
  index: NamespaceIndex,
  ranking: Ranking,
  query: SearchQuery,
  rendering: Rendering,
  tokens: TokenCounter,
): SearchResult {
  const { budgetTokens, weights } = query;
  const limits: PackLimits = {
    limit: limitOf(query),
    budgetTokens: budgetTokens ?? Number.POSITIVE_INFINITY,
    dropNearCopies: query.query !== "",
  };
  const diversified = weights.novelty > 0 && query.query !== "" && query.order === "RELEVANCE";
  const inOrder: Ranking["inOrder"] = (tokensMax) =>
    diversified
      ? byNovelty(ranking.inOrder(tokensMax), weights.novelty, (a, b) => index.cosine(a, b))
      : ranking.inOrder(tokensMax);
  const { taken, tokensUsed, omitted } = packMatches(inOrder, limits, (match) =>
    rendering.tokensOf(match),
  );
  const hits = taken.map(({ match, tokens }) => hitOf(match, tokens));
  const summary = {
    totalMatches: ranking.totalMatches,
    tokensUsed,
    ...(budgetTokens === undefined ? {} : { budgetTokens }),
    omitted,
    omittedCount: ranking.totalMatches - hits.length - omitted.length,
    ...(ranking.withheld > 0 && { withheld: ranking.withheld }),
    index: ranking.tier,
    commitSeq: commitSeqOf(index.head),
    noHitsReason: "",
  };
  if (hits.length > 0 || ranking.totalMatches === 0 || budgetTokens === undefined)
    return { hits, summary };
  const best = firstOf(ranking.inOrder(() => Number.POSITIVE_INFINITY));
  const excerpt = best && excerptHit(best, budgetTokens, rendering, tokens);
  if (excerpt === undefined) {
    return {
      hits,
      summary: {
        ...summary,
        noHitsReason: `budget_tokens ${budgetTokens} has no room for the first character of the best match`,
      },
    };
  }
  const others = omitted.filter(({ id }) => id !== excerpt.memory.id);
  return {
    hits: [excerpt],
    summary: {
      ...summary,
      tokensUsed: excerpt.tokens,
      omitted: others,
      omittedCount: ranking.totalMatches - 1 - others.length,
    },
  };
}

function limitOf({ limit, budgetTokens }: SearchQuery): number {
  return limit ?? (budgetTokens === undefined ? defaultLimit : Number.POSITIVE_INFINITY);
}

function hitOf({ memory, scores }: Match, tokens: number): SearchHit {
  return { memory, scores, tokens, excerpt: false };
}

/** The longest excerpt that fits as it is rendered; `undefined` if nothing does. */
function excerptHit(
  match: Match,
  budgetTokens: number,
  rendering: Rendering,
  counter: TokenCounter,
): SearchHit | undefined {
  for (let maxTokens = budgetTokens; maxTokens > 0; ) {
    const content = excerptOf(match.memory.content, maxTokens, counter);
    if (content === "") return undefined;
    const tokens = counter.count(rendering.render(content));
    if (tokens <= budgetTokens)
      return { ...hitOf(match, tokens), memory: { ...match.memory, content }, excerpt: true };
    maxTokens -= tokens - budgetTokens;
  }
  return undefined;
}

function firstOf<T>(items: Iterable<T>): T | undefined {
  for (const item of items) return item;
  return undefined;
}
