import { recordDueMs, skillDueMs } from "../model/due.js";
import { type Namespace, namespaceIn } from "../model/namespace.js";
import type { Call } from "../ports/call.js";
import type { Clock } from "../ports/clock.js";
import type { DueScope } from "../ports/due-scope.js";
import type { Snapshot, Store } from "../ports/store.js";
import { createPause } from "../requests/pause.js";

/**
 * Returns a view of a store that lists only the scopes and namespaces in which pruning may find
 * something to do. Requires: the store is the view of a tenant.
 */
export function dueStore(store: Store, clock: Clock): Store {
  const list = (): AsyncIterable<DueScope> => store.dueScopes(clock.nowMs());
  return {
    ...store,
    async *scopes() {
      for await (const { scope } of list()) yield scope;
    },
    async *namespaces() {
      for await (const due of list()) yield* namespacesOf(due);
    },
  };
}

function namespacesOf({ scope, agentIds }: DueScope): readonly Namespace[] {
  return scope.kind === "user" ? agentIds.map((agentId) => namespaceIn(scope, agentId)) : [];
}

/** Notes, for each scope that pruning has visited, when it has to be visited again. */
export async function settleDueScopes(store: Store, clock: Clock, call: Call): Promise<void> {
  for await (const due of store.dueScopes(clock.nowMs())) {
    call.throwIfEnded();
    await using snapshot = await store.snapshot(due.scope);
    await store.settleDue(due.scope, snapshot.head, await nextDueMs(snapshot, due, call));
  }
}

/** Returns when pruning next finds something to do in a scope; `undefined` for never. */
async function nextDueMs(
  snapshot: Snapshot,
  due: DueScope,
  call: Call,
): Promise<number | undefined> {
  const pause = createPause(() => call.throwIfEnded());
  const { scope } = due;
  let next = Infinity;
  for await (const [id] of snapshot.scan("pendingProposals", scope)) {
    const proposal = await snapshot.get("proposals", scope, id);
    if (proposal !== undefined) next = Math.min(next, recordDueMs("proposals", proposal));
    await pause();
  }
  for (const namespace of namespacesOf(due)) {
    for await (const [, memory] of snapshot.scan("memories", namespace)) {
      next = Math.min(next, recordDueMs("memories", memory));
      await pause();
    }
    // Ids sort by time, so the first entry is the oldest.
    for await (const [, entry] of snapshot.scan("turnEntries", namespace)) {
      next = Math.min(next, recordDueMs("turnEntries", entry));
      break;
    }
    for await (const [id, skill] of snapshot.scan("skills", namespace)) {
      next = Math.min(next, skillDueMs(skill, await snapshot.get("skillUses", namespace, id)));
      await pause();
    }
  }
  return next === Infinity ? undefined : next;
}
