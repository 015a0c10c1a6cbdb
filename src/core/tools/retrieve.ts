import { VademecumError } from "../model/errors.js";
import type { Namespace } from "../model/namespace.js";
import type { ToolManifest } from "../model/tool-manifest.js";
import { type LimitedCall, TimeLimitExceeded } from "../requests/time-limit.js";
import { contentStateOf } from "../search/content-state.js";
import type { CacheableResult, SearchQuery, SearchResult } from "../search/search.js";
import type { Searcher } from "../search/searcher.js";
import type { ToolServiceParts } from "./parts.js";
import { cacheKeyOf, type ResultCache } from "./result-cache.js";

/** What looking for something came to. */
export type Found =
  | ({ readonly kind: "found"; readonly result: SearchResult; readonly cached: boolean } & Timed)
  | ({ readonly kind: "failed" } & Failure & Timed);

interface Timed {
  /** From when all were begun. */
  readonly durationMs: number;
}

/** How to tell of an error in the trace. */
export interface Failure {
  readonly event: "FAILED" | "INVALID";
  readonly reason: string;
}

/** What retrieval stands on. */
export interface RetrievalParts extends Pick<ToolServiceParts, "index" | "clock" | "log"> {
  readonly searcher: Searcher;
  readonly cache: ResultCache;
}

/** Begins all searches of a tool at once, except where the cache has what they would find. None of the outcomes rejects. */
export async function retrieve(
  { index, clock, log, searcher, cache }: RetrievalParts,
  namespace: Namespace,
  manifest: ToolManifest | undefined,
  queries: readonly SearchQuery[],
  call: LimitedCall,
): Promise<readonly Promise<Found>[]> {
  const startMs = performance.now();
  const timed = () => ({ durationMs: performance.now() - startMs });
  const nowMs = clock.nowMs();
  const keys = queries.map((query) => cacheKeyOf(manifest, query));
  // Without the state nothing is taken from the cache; what made reading it fail shows in the searches, if it lasts.
  const state = cache.hasAny(keys)
    ? await call.orEnd(index.read(namespace, call.signal, contentStateOf)).catch(() => undefined)
    : undefined;
  const known = keys.map((key) => (state === undefined ? undefined : cache.get(key, state, nowMs)));
  const searches = searcher.searchAll(
    queries.filter((_, at) => known[at] === undefined),
    call,
  );
  const searched = searches.values();
  const keep = (key: string, dated: CacheableResult): Found => {
    cache.set(key, dated, nowMs);
    return { kind: "found", result: dated.result, cached: false, ...timed() };
  };
  return keys.map((key, at) => {
    const result = known[at];
    if (result !== undefined)
      return Promise.resolve<Found>({ kind: "found", result, cached: true, ...timed() });
    const search = searched.next().value;
    if (search === undefined) throw new RangeError("a query without a search");
    return call.orEnd(search).then(
      (dated) => keep(key, dated),
      (error: unknown): Found => ({ kind: "failed", ...failureOf(error, log, call), ...timed() }),
    );
  });
}

/** Tells of an error, and logs what is no fault of the query, nor the end of the call that it is a part of. */
export function failureOf(
  error: unknown,
  log: ToolServiceParts["log"],
  { signal }: LimitedCall,
): Failure {
  if (error instanceof VademecumError && error.code === "INVALID_ARGUMENT")
    return { event: "INVALID", reason: error.message };
  const isCallOver = signal.aborted && !(signal.reason instanceof TimeLimitExceeded);
  if (!isCallOver) log.queryFailed(error);
  const isTold = error instanceof VademecumError || error instanceof TimeLimitExceeded;
  return {
    event: "FAILED",
    reason: isTold ? error.message : "internal error; the server's log tells more",
  };
}
