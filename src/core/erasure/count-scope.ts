import { type ErasureCounts, noErasureCounts } from "../model/erasure.js";
import { type Namespace, namespaceIn, type Scope } from "../model/namespace.js";
import type { Call } from "../ports/call.js";
import type { Store } from "../ports/store.js";
import type { NamespaceTable, ScopeTable } from "../ports/tables.js";
import type { ErasureParts } from "./service.js";

type Kind = keyof ErasureCounts;

const namespaceKinds = {
  memories: "memories",
  memoryVersions: "memoryVersions",
  vectors: "vectors",
  alternateVectors: "vectors",
  skills: "skills",
  skillVectors: "vectors",
  alternateSkillVectors: "vectors",
  turnEntries: "traces",
} as const satisfies Partial<Record<NamespaceTable, Kind>>;

const scopeKinds = {
  blocks: "blocks",
  blockVersions: "blockVersions",
  proposals: "proposals",
  keyValues: "keys",
  replies: "replies",
} as const satisfies Partial<Record<ScopeTable, Kind>>;

/** Counts what a user or a run has, without reading the records. */
export async function countScope(
  { store, index }: Pick<ErasureParts, "store" | "index">,
  scope: Scope,
  call: Call,
): Promise<ErasureCounts> {
  const counts: Record<Kind, number> = { ...noErasureCounts };
  const namespaces = await namespacesIn(store, scope);
  await using snapshot = await store.snapshot(scope);
  for (const [table, kind] of entriesOf(scopeKinds))
    counts[kind] += await snapshot.count(table, scope);
  for (const namespace of namespaces) {
    call.throwIfEnded();
    for (const [table, kind] of entriesOf(namespaceKinds))
      counts[kind] += await snapshot.count(table, namespace);
    const files = await index.derivedFiles?.(namespace);
    counts.images += files?.images ?? 0;
    counts.graphs += files?.graphs ?? 0;
  }
  return counts;
}

/** Combines the counts of each kind. */
export function combineCounts(
  a: ErasureCounts,
  b: ErasureCounts,
  combine: (a: number, b: number) => number,
): ErasureCounts {
  const combined: Record<Kind, number> = { ...a };
  for (const [kind, count] of entriesOf(b)) combined[kind] = combine(a[kind], count);
  return combined;
}

function entriesOf<K extends string, V>(record: Readonly<Record<K, V>>): [K, V][] {
  return Object.entries(record) as [K, V][];
}

/** Returns the namespaces of a scope that hold a record. */
export async function namespacesIn(
  store: Pick<Store, "ids">,
  scope: Scope,
): Promise<readonly Namespace[]> {
  const namespaces: Namespace[] = [];
  if (scope.kind === "user")
    for await (const agentId of store.ids({ of: "agents", userId: scope.userId }))
      namespaces.push(namespaceIn(scope, agentId));
  return namespaces;
}
