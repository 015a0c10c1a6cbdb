import type { Scope } from "../model/namespace.js";
import type { Call } from "../ports/call.js";
import { allowedIds } from "../requests/allowed-ids.js";
import type { Page } from "../requests/list-page.js";
import { pageOfStore } from "./page-of-store.js";
import type { ListRunsQuery, OverviewParts, RunSummary } from "./service.js";

/** Lists a page of runs that have keys and that the caller may name, ordered by their ids. */
export function listRuns(
  { store }: OverviewParts,
  query: ListRunsQuery,
  call: Call,
): Promise<Page<RunSummary>> {
  const { runs, prefix } = query;
  return pageOfStore(store, {
    query,
    listing: ["ListRuns", prefix, runs],
    keysAfter: (after) => allowedIds(store, { of: "runs", prefix, after }, runs),
    async toItem(runId) {
      const scope: Scope = { kind: "run", runId };
      await using snapshot = await store.snapshot(scope);
      const count = await snapshot.count("keyValues", scope);
      return count === 0 ? undefined : { runId, keys: count };
    },
    call,
  });
}
