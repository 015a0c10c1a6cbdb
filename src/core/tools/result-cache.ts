import { LRUCache } from "lru-cache";
import { stringify } from "safe-stable-stringify";
import type { ToolManifest } from "../model/tool-manifest.js";
import type { CacheableResult, ContentState, SearchQuery, SearchResult } from "../search/search.js";

/** How long a result is used again. */
const lifetimeMs = 5 * 60 * 1000;

/** About how much memory all results may take. */
const maxBytes = 64 * 1024 * 1024;

/** About what a result takes beside its hits, and a hit beside its texts. */
const resultBytes = 1024;
const hitBytes = 1024;

interface Kept extends CacheableResult {
  readonly keptMs: number;
}

/** Results of queries, good as long as the namespace is as it was, nothing in it has expired, and they are not five minutes old. */
export class ResultCache {
  readonly #kept = new LRUCache<string, Kept>({
    maxSize: maxBytes,
    sizeCalculation: ({ result }, key) =>
      resultBytes +
      2 * key.length +
      result.hits.reduce((sum, { memory }) => sum + bytesOf(memory), 0),
  });

  /** Whether `get` may have something for one of the keys. */
  hasAny(keys: readonly string[]): boolean {
    return keys.some((key) => this.#kept.has(key));
  }

  /** The result of the same query, if a search would come to it now. `state`: that of the namespace now. */
  get(key: string, state: ContentState, nowMs: number): SearchResult | undefined {
    const kept = this.#kept.get(key);
    if (kept === undefined) return undefined;
    const isYoung = nowMs >= kept.keptMs && nowMs < kept.keptMs + lifetimeMs;
    if (isYoung && nowMs < kept.nextExpiryMs && kept.state === state) return kept.result;
    this.#kept.delete(key);
    return undefined;
  }

  /** Keeps a result that was found at `nowMs` or later. */
  set(key: string, found: CacheableResult, nowMs: number): void {
    this.#kept.set(key, { ...found, keptMs: nowMs });
  }
}

/** Equal for queries that find the same in the same state, asked by the same manifest. */
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
