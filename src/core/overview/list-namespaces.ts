import { type Namespace, scopeOf } from "../model/namespace.js";
import { allowsId } from "../model/principal.js";
import type { Call } from "../ports/call.js";
import { allowedIds } from "../requests/allowed-ids.js";
import type { Page } from "../requests/list-page.js";
import { memoryCollection } from "../vectors/collection.js";
import { pageOfStore } from "./page-of-store.js";
import type { ListNamespacesQuery, NamespaceSummary, OverviewParts } from "./service.js";

/** Lists a page of namespaces that the caller may name, ordered by user, then by agent. */
export function listNamespaces(
  { store }: OverviewParts,
  query: ListNamespacesQuery,
  call: Call,
): Promise<Page<NamespaceSummary>> {
  const { users, agents, prefix, userId: only } = query;
  const isHidden = only !== undefined && !(allowsId(users, only) && only.startsWith(prefix));
  const agentsOf = async function* (userId: string, after?: string) {
    const found = allowedIds(store, { of: "agents", userId, after }, agents);
    for await (const agentId of found) yield keyOf(userId, agentId);
  };
  const keysAfter = async function* (last: string | undefined) {
    if (isHidden) return;
    const after = last === undefined ? undefined : namespaceOf(last);
    if (after !== undefined) yield* agentsOf(after.userId, after.agentId);
    else if (only !== undefined) yield* agentsOf(only);
    if (only !== undefined) return;
    const later = allowedIds(store, { of: "users", prefix, after: after?.userId }, users);
    for await (const userId of later) yield* agentsOf(userId);
  };
  return pageOfStore(store, {
    query,
    listing: ["ListNamespaces", prefix, only ?? null, users, agents],
    keysAfter,
    async toItem(key) {
      const namespace = namespaceOf(key);
      await using snapshot = await store.snapshot(scopeOf(namespace));
      const profile = await snapshot.get("profiles", namespace, memoryCollection.profileKey);
      return {
        namespace,
        memories: await snapshot.count("memories", namespace),
        skills: await snapshot.count("skills", namespace),
        ...(profile && { profile }),
      };
    },
    call,
  });
}

/** Returns the key of a namespace in this listing. */
function keyOf(userId: string, agentId: string): string {
  return JSON.stringify([userId, agentId]);
}

function namespaceOf(key: string): Namespace {
  const [userId = "", agentId = ""] = JSON.parse(key) as readonly string[];
  return { userId, agentId };
}
