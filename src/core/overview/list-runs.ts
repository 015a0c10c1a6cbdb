import type { Scope } from "../model/namespace.js";
import { allowsId } from "../model/principal.js";
import type { Call } from "../ports/call.js";
import type { Page } from "../requests/list-page.js";
import type { ListRunsQuery, OverviewParts, RunSummary } from "./service.js";
import { sortedPage } from "./sorted-page.js";

/** Lists a page of runs that have keys and that the caller may name, ordered by their ids. */
export function listRuns(
  { store }: OverviewParts,
  query: ListRunsQuery,
  call: Call,
): Promise<Page<RunSummary>> {
  const { runs, prefix } = query;
  const keys = async function* () {
    for await (const scope of store.scopes())
      if (scope.kind === "run" && scope.runId.startsWith(prefix) && allowsId(runs, scope.runId))
        yield scope.runId;
  };
  return sortedPage(store, {
    query,
    listing: ["ListRuns", prefix, runs],
    keys: keys(),
    async toItem(runId) {
      const scope: Scope = { kind: "run", runId };
      await using snapshot = await store.snapshot(scope);
      const count = await snapshot.count("keyValues", scope);
      return count === 0 ? undefined : { runId, keys: count };
    },
    call,
  });
}
