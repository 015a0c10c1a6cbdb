import type { Filter } from "../filter/filter.js";
import type { MemoryAccess, ToolManifest, ToolMemoryType } from "../model/tool-manifest.js";
import type { InvalidQuery, ToolQuery } from "./tool-service.js";

/** Most queries of a request that are run. */
export const queriesMax = 10;

/** What may become of a query: it is run within what its tool may read, or refused. */
export type Ruling =
  | { readonly kind: "run"; readonly query: ToolQuery; readonly permitted: Filter }
  | {
      readonly kind: "refused";
      readonly event: "DENIED" | "INVALID" | "FAILED";
      readonly reason: string;
    };

/** Decides on each query of a request, in their order. `manifest`: `undefined` if the tool has none. */
export function ruleOn(
  queries: readonly (ToolQuery | InvalidQuery)[],
  manifest: ToolManifest | undefined,
): readonly Ruling[] {
  const seen = new Set<string>();
  const asked = new Map<ToolMemoryType, number>();
  return queries.map((query, place): Ruling => {
    if (place >= queriesMax)
      return invalid(
        `a request may have at most ${queriesMax} queries; this is number ${place + 1}`,
      );
    if ("fault" in query) return invalid(query.fault);
    if (seen.has(query.queryId))
      return invalid("query_id: another query of the request has the same; each needs its own");
    seen.add(query.queryId);
    if (manifest === undefined)
      return denied("this version of the tool is not registered (RegisterTool)");
    const access = manifest.memoryAccess.find(({ memoryType }) => memoryType === query.memoryType);
    if (access === undefined)
      return denied(`the tool's manifest does not declare ${query.memoryType}`);
    if (!access.enabled) return denied(`${query.memoryType} is not enabled in the tool's manifest`);
    const count = (asked.get(query.memoryType) ?? 0) + 1;
    asked.set(query.memoryType, count);
    const { maxQueries = queriesMax } = access;
    if (count > maxQueries)
      return denied(
        `the tool's manifest allows ${maxQueries} queries of ${query.memoryType} in a request`,
      );
    return { kind: "run", query, permitted: permittedBy(access) };
  });
}

/** What a tool may see of a type. */
function permittedBy({ memoryType, kinds, tags }: MemoryAccess): Filter {
  return {
    memoryTypes: [memoryType],
    ...(kinds.length > 0 && { kinds }),
    ...(tags.length > 0 && { tagsAny: tags }),
  };
}

function invalid(reason: string): Ruling {
  return { kind: "refused", event: "INVALID", reason };
}

function denied(reason: string): Ruling {
  return { kind: "refused", event: "DENIED", reason };
}
