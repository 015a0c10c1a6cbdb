import type { Filter } from "../filter/filter.js";
import type { MemoryAccess, ToolManifest, ToolMemoryType } from "../model/tool-manifest.js";
import type { InvalidQuery, ToolQuery } from "./service.js";

/** Maximum number of queries of a request that run. */
export const queriesMax = 10;

/** A query that may run. `permitted` selects the memories that its tool may read. */
export interface RunnableQuery {
  readonly kind: "run";
  readonly query: ToolQuery;
  readonly permitted: Filter;
}

/** A query that may not run. */
export interface Refusal {
  readonly kind: "refused";
  readonly event: "DENIED" | "INVALID" | "FAILED";
  readonly reason: string;
}

/** Whether a query may run. */
export type Ruling = RunnableQuery | Refusal;

/**
 * Rules on each query of a request, in their order. `manifest` is `undefined` if the tool is not
 * registered.
 */
export function ruleOn(
  queries: readonly (ToolQuery | InvalidQuery)[],
  manifest: ToolManifest | undefined,
): readonly Ruling[] {
  const seen = new Set<string>();
  const countOf = new Map<ToolMemoryType, number>();
  return queries.map((query, at): Ruling => {
    if (at >= queriesMax)
      return invalidQuery(
        `a request may have at most ${queriesMax} queries; this is number ${at + 1}`,
      );
    if ("fault" in query) return invalidQuery(query.fault);
    if (seen.has(query.queryId))
      return invalidQuery(
        "query_id: another query of the request has the same; each needs its own",
      );
    seen.add(query.queryId);
    if (manifest === undefined)
      return deniedQuery("this version of the tool is not registered (RegisterTool)");
    const access = manifest.memoryAccess.find(({ memoryType }) => memoryType === query.memoryType);
    if (access === undefined)
      return deniedQuery(`the tool's manifest does not declare ${query.memoryType}`);
    if (!access.enabled)
      return deniedQuery(`${query.memoryType} is not enabled in the tool's manifest`);
    const count = (countOf.get(query.memoryType) ?? 0) + 1;
    countOf.set(query.memoryType, count);
    const { maxQueries = queriesMax } = access;
    if (count > maxQueries)
      return deniedQuery(
        `the tool's manifest allows ${maxQueries} queries of ${query.memoryType} in a request`,
      );
    return { kind: "run", query, permitted: permittedBy(access) };
  });
}

/** Returns the filter for the memories of a type that a tool may read. */
function permittedBy({ memoryType, kinds, tags }: MemoryAccess): Filter {
  return {
    memoryTypes: [memoryType],
    ...(kinds.length > 0 && { kinds }),
    ...(tags.length > 0 && { tagsAny: tags }),
  };
}

function invalidQuery(reason: string): Refusal {
  return { kind: "refused", event: "INVALID", reason };
}

function deniedQuery(reason: string): Refusal {
  return { kind: "refused", event: "DENIED", reason };
}
