import type {
  Item,
  ListNamespacesOperation,
  MatchCondition,
  SearchItem,
  SearchOperation,
} from "@langchain/langgraph-checkpoint";
import { type Client, Code, VademecumError } from "vademecum-client";
import type { Memory } from "vademecum-client/v1/memory_pb.js";
import { NearCopies } from "vademecum-client/v1/search_pb.js";
import { filterExpression } from "./filter-expression.js";
import {
  externalIdOf,
  type ItemPath,
  indexedKind,
  itemOf,
  namespaceOf,
  prefixTag,
  unindexedKind,
} from "./item-memory.js";

/** The memories of one Vademecum namespace. */
export type Memories = ReturnType<Client["memories"]>;

type Filter = NonNullable<NonNullable<Parameters<Memories["search"]>[0]>["filter"]>;

/** A search hit. */
interface Hit {
  readonly memory: Memory;
  readonly score: number | undefined;
}

/** The server's limit on tags in a filter. */
const tagsMax = 32;
/** The server's limit on hits of a search, and on memories of a page. */
const hitsMax = 1000;

/** Finds items. */
export class ItemReads {
  readonly #memories: Memories;

  constructor(memories: Memories) {
    this.#memories = memories;
  }

  /** Returns an item, or `null` if there is none. */
  async get(path: ItemPath): Promise<Item | null> {
    try {
      const { memory } = await this.#memories.get({ externalId: externalIdOf(path) });
      return memory === undefined ? null : itemOf(memory);
    } catch (error) {
      if (error instanceof VademecumError && error.code === Code.NotFound) return null;
      throw error;
    }
  }

  /**
   * Returns the items under a prefix. Without a query, the newest item is first. With a query, the
   * order is:
   *
   * 1. items that match the query, best first
   * 2. other indexed items, newest first, with score 0
   * 3. items that are not indexed, newest first, without a score
   */
  async search({
    namespacePrefix,
    query,
    filter,
    limit = 10,
    offset = 0,
  }: SearchOperation): Promise<SearchItem[]> {
    const end = offset + limit;
    if (limit <= 0) return [];
    const expression = filterExpression(filter);
    const conditions: Filter = {
      kinds: [indexedKind, unindexedKind],
      ...(namespacePrefix.length > 0 && { tagsAll: [prefixTag(namespacePrefix)] }),
      ...(expression !== undefined && { expression }),
    };
    if (query && end > hitsMax) {
      throw new RangeError(
        `offset and limit: ask for ${end} items; a query returns at most ${hitsMax}`,
      );
    }
    const hits = query
      ? await this.#matchingFirst(query, conditions, end)
      : this.#unranked(conditions, end);
    const items: SearchItem[] = [];
    let passed = 0;
    for await (const { memory, score } of hits) {
      if (passed === end) break;
      passed += 1;
      if (passed > offset) items.push({ ...itemOf(memory), ...(score !== undefined && { score }) });
    }
    return items;
  }

  /** Returns the sorted namespaces of all items. Reads every item under the given prefixes. */
  async listNamespaces({
    matchConditions = [],
    maxDepth,
    limit,
    offset,
  }: ListNamespacesOperation): Promise<string[][]> {
    const prefixes = matchConditions.filter(
      ({ matchType, path }) => matchType === "prefix" && path.length > 0 && !path.includes("*"),
    );
    const filter: Filter = {
      kinds: [indexedKind, unindexedKind],
      ...(prefixes.length > 0 && {
        tagsAll: prefixes.slice(0, tagsMax).map(({ path }) => prefixTag(path)),
      }),
    };
    const namespaces = new Map<string, string[]>();
    for await (const memory of this.#listed(filter, hitsMax)) {
      const namespace = namespaceOf(memory);
      if (!matchConditions.every((condition) => matches(condition, namespace))) continue;
      const cut = namespace.slice(0, maxDepth);
      namespaces.set(cut.join("\0"), cut);
    }
    // Labels contain no NUL, so the joined texts have the order of the lists.
    const inOrder = [...namespaces].sort(([a], [b]) => (a < b ? -1 : 1));
    return inOrder.slice(offset, offset + limit).map(([, namespace]) => namespace);
  }

  /**
   * Returns the memories for a search with a query, in the order of `search`. In a LangGraph store,
   * a query only orders the items. Only a filter leaves items out.
   */
  async #matchingFirst(query: string, filter: Filter, limit: number): Promise<Hit[]> {
    const indexed = { ...filter, kinds: [indexedKind] };
    const hits = await this.#ranked(query, indexed, limit);
    if (hits.length >= limit) return hits;
    const hitIds = new Set(hits.map(({ memory }) => memory.id));
    const others = await this.#ranked("", indexed, Math.min(limit + hits.length, hitsMax));
    const scored = [...hits, ...others.filter(({ memory }) => !hitIds.has(memory.id))];
    if (scored.length >= limit) return scored.slice(0, limit);
    const unindexed = await this.#ranked(
      "",
      { ...filter, kinds: [unindexedKind] },
      limit - scored.length,
    );
    return [...scored, ...unindexed.map(({ memory }) => ({ memory, score: undefined }))];
  }

  async #ranked(query: string, filter: Filter, limit: number): Promise<Hit[]> {
    const weights = { recency: 0, importance: 0 };
    const { hits } = await this.#memories
      .search({ query, limit, filter, minRelevance: 0, weights, nearCopies: NearCopies.KEEP })
      .collect();
    return hits.flatMap(({ memory, scores }) =>
      memory === undefined ? [] : [{ memory, score: scores?.final ?? 0 }],
    );
  }

  async *#unranked(filter: Filter, pageSize: number): AsyncGenerator<Hit> {
    for await (const memory of this.#listed(filter, pageSize)) yield { memory, score: undefined };
  }

  async *#listed(filter: Filter, pageSize: number): AsyncGenerator<Memory> {
    let pageToken = "";
    do {
      const page = await this.#memories.getAll({
        filter,
        limit: Math.min(pageSize, hitsMax),
        pageToken,
      });
      yield* page.memories;
      pageToken = page.nextPageToken;
    } while (pageToken !== "");
  }
}

function matches({ matchType, path }: MatchCondition, namespace: readonly string[]): boolean {
  if (path.length > namespace.length) return false;
  const start = matchType === "prefix" ? 0 : namespace.length - path.length;
  return path.every((label, index) => label === "*" || label === namespace[start + index]);
}
