import type { Filter } from "../filter/matcher.js";
import type { MemoryAccess, ToolManifest, ToolMemoryType } from "../model/tool-manifest.js";
import { countPhrase } from "../text/count-phrase.js";
import type { InvalidQuery, ToolQuery } from "./service.js";

/** Maximum number of queries of a request. Further queries do not run. */
export const queriesMax = 10;

/** Maximum number of kinds, or of tags, that the reason of a refusal names. */
const namedMax = 10;

/** A query that may run. `permitted` selects the memories that its tool may read. */
export interface RunnableQuery {
  readonly kind: "run";
  readonly query: ToolQuery;
  readonly permitted: Filter;
  /**
   * The part of the query's filter that the manifest does not allow, in words. Empty: the manifest
   * allows the whole filter.
   */
  readonly refused: string;
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
 * Decides for each query of a request, in order, whether it may run. `manifest` is `undefined` if
 * the tool is not registered.
 */
export function ruleOn(
  queries: readonly (ToolQuery | InvalidQuery)[],
  manifest: ToolManifest | undefined,
): readonly Ruling[] {
  const seen = new Set<string>();
  const countOf = new Map<ToolMemoryType, number>();
  return queries.map((query, at): Ruling => {
    if (at >= queriesMax) return invalidQuery(excessFault(at));
    if ("fault" in query) return invalidQuery(query.fault);
    if (seen.has(query.queryId))
      return invalidQuery(
        "query_id: another query of the request has the same id; each query needs its own",
      );
    seen.add(query.queryId);
    const typeFault = otherTypes(query);
    if (typeFault !== undefined) return invalidQuery(typeFault);
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
        `the tool's manifest allows ${countPhrase(maxQueries, "query", "queries")} of ` +
          `${query.memoryType} in a request`,
      );
    const kinds = query.filter.kinds ?? [];
    const refusedKinds = notAllowed(kinds, access.kinds);
    const refused = refusalOf(refusedKinds, refusedTags(query.filter, access.tags));
    if (kinds.length > 0 && refusedKinds.length === kinds.length) return deniedQuery(refused);
    return { kind: "run", query, permitted: permittedBy(access), refused };
  });
}

/** Describes the fault of a query whose filter asks for other types than the query. */
function otherTypes({ memoryType, filter: { memoryTypes = [] } }: ToolQuery): string | undefined {
  const others = memoryTypes.filter((type) => type !== memoryType);
  if (others.length === 0) return undefined;
  return (
    `filter.memory_types: must have only ${memoryType}, the memory_type of the query, but has ` +
    `${others.join(", ")}; ask for each type in a query of its own`
  );
}

/** Describes the fault of a query after the first `queriesMax` queries. `at`: its position. */
export function excessFault(at: number): string {
  return `a request may have at most ${queriesMax} queries; this is number ${at + 1}`;
}

/** Returns the filter for the memories of a type that a tool may read. */
function permittedBy({ memoryType, kinds, tags }: MemoryAccess): Filter {
  return {
    memoryTypes: [memoryType],
    ...(kinds.length > 0 && { kinds }),
    ...(tags.length > 0 && { tagsAny: tags }),
  };
}

/** Returns the names that a manifest does not allow. A manifest without a list allows all names. */
export function notAllowed(
  names: readonly string[],
  allowed: readonly string[],
): readonly string[] {
  return allowed.length === 0 ? [] : names.filter((name) => !allowed.includes(name));
}

/**
 * Returns the tags of a filter that the manifest does not allow. Returns none if every memory that
 * passes the filter has an allowed tag.
 */
function refusedTags(
  { tagsAny = [], tagsAll = [] }: Filter,
  allowed: readonly string[],
): readonly string[] {
  // Every memory that passes has all tags of `tagsAll`, so one allowed tag among them is enough.
  if (tagsAll.some((tag) => allowed.includes(tag))) return [];
  return [...new Set(notAllowed([...tagsAny, ...tagsAll], allowed))];
}

/** Describes what a manifest does not allow. Empty if it allows everything. */
function refusalOf(kinds: readonly string[], tags: readonly string[]): string {
  const manifest = "the tool's manifest does not allow";
  const parts: string[] = [];
  if (kinds.length > 0) parts.push(`${manifest} ${namesOf("kind", kinds)}`);
  if (tags.length > 0)
    parts.push(
      `${manifest} ${namesOf("tag", tags)}, unless a memory also has one of the tags that it allows`,
    );
  return parts.join("; ");
}

/** Names some kinds or tags in a sentence. */
export function namesOf(noun: string, names: readonly string[]): string {
  const named = names.slice(0, namedMax).map((name) => `'${name}'`);
  const more = names.length > namedMax ? ` and ${names.length - namedMax} more` : "";
  return `${noun}${names.length === 1 ? "" : "s"} ${named.join(", ")}${more}`;
}

function invalidQuery(reason: string): Refusal {
  return { kind: "refused", event: "INVALID", reason };
}

function deniedQuery(reason: string): Refusal {
  return { kind: "refused", event: "DENIED", reason };
}
