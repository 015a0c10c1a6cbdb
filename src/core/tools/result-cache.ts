import { LRUCache } from "lru-cache";
import { stringify } from "safe-stable-stringify";
import type { ToolManifest } from "../model/tool-manifest.js";
import type {
  CacheableResult,
  ContentState,
  SearchQuery,
  SearchResult,
} from "../search/query/search.js";

/** How long a cached result stays valid, at most. */
const lifetimeMs = 5 * 60 * 1000;

/** Approximate limit of the resident bytes of all results. */
const maxBytes = 64 * 1024 * 1024;

/** Approximate bytes of a result without its hits. */
const resultBytes = 1024;

/** Approximate bytes of a hit without its content and metadata. */
const hitBytes = 1024;

interface CachedResult extends CacheableResult {
  readonly cachedMs: number;
}

/**
 * Caches results of queries. A result is valid if
 * - it is younger than five minutes,
 * - the content state of its namespace has not changed,
 * - no memory of the query's types, and no successor of such a memory, has expired since the
 *   search.
 */
export class ResultCache {
  readonly #results = new LRUCache<string, CachedResult>({
    maxSize: maxBytes,
    sizeCalculation: ({ result }, key) =>
      resultBytes +
      2 * key.length +
      result.hits.reduce((sum, { memory }) => sum + bytesOf(memory), 0),
  });

  /** Whether the cache holds a result for one of the keys, valid or not. */
  hasAny(keys: readonly string[]): boolean {
    return keys.some((key) => this.#results.has(key));
  }

  /**
   * Returns the result of the same query if it is valid. `state` is the present state of the
   * namespace.
   */
  get(key: string, state: ContentState, nowMs: number): SearchResult | undefined {
    const cached = this.#results.get(key);
    if (cached === undefined) return undefined;
    const isYoung = nowMs >= cached.cachedMs && nowMs < cached.cachedMs + lifetimeMs;
    if (isYoung && nowMs < cached.nextExpiryMs && cached.state === state) return cached.result;
    this.#results.delete(key);
    return undefined;
  }

  /** Caches a result that was found at `nowMs` or later. */
  set(key: string, found: CacheableResult, nowMs: number): void {
    this.#results.set(key, { ...found, cachedMs: nowMs });
  }
}

/** Returns a key that is equal for the same query under the same manifest. */
export function cacheKeyOf(manifest: ToolManifest | undefined, query: SearchQuery): string {
  return stringify([manifest?.toolId, manifest?.version, manifest?.revision, query]) ?? "";
}

function bytesOf({ content, metadata }: SearchResult["hits"][number]["memory"]): number {
  return (
    hitBytes +
    2 * content.length +
    (metadata === undefined ? 0 : JSON.stringify(metadata).length * 2)
  );
}
