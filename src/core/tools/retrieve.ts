import { errorText, VademecumError } from "../model/errors.js";
import type { Namespace } from "../model/namespace.js";
import type { ToolManifest } from "../model/tool-manifest.js";
import { type LimitedCall, TimeLimitExceeded } from "../requests/time-limit.js";
import { contentStateOf } from "../search/query/content-state.js";
import type { CacheableResult, SearchQuery, SearchResult } from "../search/query/search.js";
import type { Searcher } from "../search/searcher.js";
import { cacheKeyOf, type ResultCache } from "./result-cache.js";
import type { ToolServiceParts } from "./service.js";

/** The outcome of a search. */
export type SearchOutcome =
  | ({ readonly kind: "found"; readonly result: SearchResult; readonly cached: boolean } & Timed)
  | ({ readonly kind: "failed" } & Failure & Timed);

interface Timed {
  /** `LimitedCall.elapsedMs` when the search ended. */
  readonly durationMs: number;
}

/** An error as the trace reports it. */
export interface Failure {
  readonly event: "FAILED" | "INVALID";
  readonly reason: string;
}

/** The dependencies of retrieval. */
export interface RetrievalParts extends Pick<ToolServiceParts, "index" | "clock" | "log"> {
  readonly searcher: Searcher;
  readonly cache: ResultCache;
}

/**
 * Starts the searches of a request in parallel. Queries with a cached result need no search.
 * Returns one promise for each query, in order. The promises never reject.
 */
export async function retrieve(
  { index, clock, log, searcher, cache }: RetrievalParts,
  namespace: Namespace,
  manifest: ToolManifest | undefined,
  queries: readonly SearchQuery[],
  call: LimitedCall,
): Promise<readonly Promise<SearchOutcome>[]> {
  const timed = () => ({ durationMs: call.elapsedMs() });
  const nowMs = clock.nowMs();
  const keyOf = new Map(queries.map((query) => [query, cacheKeyOf(manifest, query)]));
  // If the state cannot be read, the cache is not used. If the error lasts, the searches report it.
  const state = cache.hasAny([...keyOf.values()])
    ? await call.orEnd(index.read(namespace, call.signal, contentStateOf)).catch(() => undefined)
    : undefined;
  const cached = new Map<SearchQuery, SearchResult>();
  for (const [query, key] of keyOf) {
    const result = state === undefined ? undefined : cache.get(key, state, nowMs);
    if (result !== undefined) cached.set(query, result);
  }
  const missing = queries.filter((query) => !cached.has(query));
  const started = searcher.searchAll(missing, call);
  const searches = new Map(
    missing.map((query, at) => [query, started[at] as Promise<CacheableResult>]),
  );
  const search = async (query: SearchQuery): Promise<SearchOutcome> => {
    const known = cached.get(query);
    if (known !== undefined) return { kind: "found", result: known, cached: true, ...timed() };
    try {
      const found = await call.orEnd(searches.get(query) as Promise<CacheableResult>);
      const { result } = found;
      // A result without vectors is not cached: the model may be back for the next request.
      if (result.summary.keywordsOnlyReason === undefined)
        cache.set(keyOf.get(query) as string, found, nowMs);
      return { kind: "found", result, cached: false, ...timed() };
    } catch (error) {
      return { kind: "failed", ...failureOf(error, log, call), ...timed() };
    }
  };
  return queries.map(search);
}

/**
 * Describes an error for the trace. Logs the error unless the caller caused it or the call has
 * ended.
 */
export function failureOf(
  error: unknown,
  log: ToolServiceParts["log"],
  { signal }: LimitedCall,
): Failure {
  if (error instanceof VademecumError && error.code === "INVALID_ARGUMENT")
    return { event: "INVALID", reason: errorText(error) };
  const isCallOver = signal.aborted && !(signal.reason instanceof TimeLimitExceeded);
  if (!isCallOver) log.queryFailed(error);
  const isPublic = error instanceof VademecumError || error instanceof TimeLimitExceeded;
  const reason = isPublic ? errorText(error) : "internal error; see the server log";
  return { event: "FAILED", reason };
}
