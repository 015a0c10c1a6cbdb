import { scopeOf } from "../model/namespace.js";
import { allowsId } from "../model/principal.js";
import type { Call } from "../ports/call.js";
import type { Page } from "../requests/list-page.js";
import { memoryCollection } from "../vectors/collection.js";
import type { ListNamespacesQuery, NamespaceSummary, OverviewParts } from "./service.js";
import { sortedPage } from "./sorted-page.js";

/** Lists a page of namespaces that the caller may name, ordered by user, then by agent. */
export function listNamespaces(
  { store }: OverviewParts,
  query: ListNamespacesQuery,
  call: Call,
): Promise<Page<NamespaceSummary>> {
  const { users, agents, prefix, userId: only } = query;
  const keys = async function* () {
    for await (const { userId, agentId } of store.namespaces()) {
      if (only !== undefined && userId !== only) continue;
      if (userId.startsWith(prefix) && allowsId(users, userId) && allowsId(agents, agentId))
        yield keyOf(userId, agentId);
    }
  };
  return sortedPage(store, {
    query,
    listing: ["ListNamespaces", prefix, only ?? null, users, agents],
    keys: keys(),
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

/**
 * Returns a text whose order is that of users, then of agents. U+0001 follows each NUL of a user.
 */
function keyOf(userId: string, agentId: string): string {
  return `${userId.replaceAll("\0", "\0\u0001")}\0\0${agentId}`;
}

function namespaceOf(key: string) {
  const end = key.search(/\0\0/);
  const userId = key.slice(0, end).replaceAll("\0\u0001", "\0");
  return { userId, agentId: key.slice(end + 2) };
}
