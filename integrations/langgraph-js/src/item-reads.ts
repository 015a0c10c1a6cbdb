import type {
  ListNamespacesOperation,
  MatchCondition,
  SearchItem,
  SearchOperation,
} from "@langchain/langgraph-checkpoint";
import { type Client, Code, VademecumError } from "vademecum-client";
import type { Memory } from "vademecum-client/v1/memory_pb.js";
import { OmissionReason } from "vademecum-client/v1/search_pb.js";
import { filterExpression } from "./filter-expression.js";
import {
  type ItemPath,
  indexedKind,
  itemOf,
  itemTag,
  namespaceOf,
  prefixTag,
  unindexedKind,
} from "./item-memory.js";

/** The memories of one namespace of Vademecum. */
export type Memories = ReturnType<Client["memories"]>;

type Filter = NonNullable<NonNullable<Parameters<Memories["search"]>[0]>["filter"]>;

/** A found memory. */
interface Hit {
  readonly memory: Memory;
  readonly score: number | undefined;
}

/** Limits of the server: tags that a filter may name, and hits of a search or memories of a page. */
const tagsMax = 32;
const hitsMax = 1000;

/** Finds items. */
export class ItemReads {
  readonly #memories: Memories;

  constructor(memories: Memories) {
    this.#memories = memories;
  }

  /** The memories of items by their item tags, newest first. More than one only while two puts of a new item race, or if one was cut off. */
  async find(paths: readonly ItemPath[]): Promise<ReadonlyMap<string, readonly Memory[]>> {
    const tags = [...new Set(paths.map(itemTag))];
    const found = new Map<string, Memory[]>();
    for (let start = 0; start < tags.length; start += tagsMax) {
      // A search goes by the index in memory; a listing would read every memory from disk.
      for (const { memory } of await this.#ranked(
        "",
        { tagsAny: tags.slice(start, start + tagsMax) },
        hitsMax,
      )) {
        const tag = memory.tags[0] ?? "";
        found.set(tag, [...(found.get(tag) ?? []), memory]);
      }
    }
    for (const same of found.values()) same.sort((a, b) => (a.id < b.id ? 1 : -1));
    return found;
  }

  /** The items under a prefix: for a query best first, then with score 0 those that do not match it, then without a score those that are not indexed; else newest first. */
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
        `offset and limit: come to ${end} items, and a search by words gives at most ${hitsMax}`,
      );
    }
    const hits = query
      ? await this.#matchingFirst(query, conditions, end)
      : this.#unranked(conditions, end);
    const items: SearchItem[] = [];
    const seen = new Set<string | undefined>();
    for await (const { memory, score } of hits) {
      // See `find`: each item once.
      if (seen.size >= end) break;
      const tag = memory.tags[0];
      if (seen.has(tag)) continue;
      seen.add(tag);
      if (seen.size > offset)
        items.push({ ...itemOf(memory), ...(score !== undefined && { score }) });
    }
    return items;
  }

  /** The namespaces of all items, in order. Reads every item under the prefix that is asked for. */
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
    // Labels have no NUL, so the order of the joined texts is that of the lists.
    const inOrder = [...namespaces].sort(([a], [b]) => (a < b ? -1 : 1));
    return inOrder.slice(offset, offset + limit).map(([, namespace]) => namespace);
  }

  /** What matches, best first, then the others, newest first: of a store a query orders items, and only filters leave them out. */
  async #matchingFirst(query: string, filter: Filter, limit: number): Promise<Hit[]> {
    const indexed = { ...filter, kinds: [indexedKind] };
    const hits = await this.#ranked(query, indexed, limit);
    if (hits.length >= limit) return hits;
    const seen = new Set(hits.map(({ memory }) => memory.id));
    const others = await this.#ranked("", indexed, Math.min(limit + hits.length, hitsMax));
    const scored = [...hits, ...others.filter(({ memory }) => !seen.has(memory.id))];
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
    const { hits, summary } = await this.#memories
      .search({ query, limit, filter, weights })
      .collect();
    const found = hits.flatMap(({ memory, scores }) =>
      memory === undefined ? [] : [{ id: memory.id, score: scores?.final ?? 0, memory }],
    );
    // The server leaves out a memory with the same words as a better one; of items each counts, whatever it says.
    const copies = summary.omitted.filter(({ reason }) => reason === OmissionReason.NEAR_COPY);
    const ranked = [...found, ...copies.map(({ id, score }) => ({ id, score, memory: undefined }))];
    if (copies.length > 0) ranked.sort((a, b) => b.score - a.score || (a.id < b.id ? 1 : -1));
    const chosen = ranked
      .slice(0, limit)
      .map(async ({ id, score, memory }) => ({ memory: memory ?? (await this.#get(id)), score }));
    return (await Promise.all(chosen)).flatMap(({ memory, score }) =>
      memory === undefined ? [] : [{ memory, score }],
    );
  }

  /** A memory; `undefined` if it was deleted since. */
  async #get(id: string): Promise<Memory | undefined> {
    try {
      return (await this.#memories.get({ id })).memory;
    } catch (error) {
      if (error instanceof VademecumError && error.code === Code.NotFound) return undefined;
      throw error;
    }
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
