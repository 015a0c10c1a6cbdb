import { type Namespace, userScope } from "../model/namespace.js";
import type { Call } from "../ports/call.js";
import type { Store } from "../ports/store.js";
import { allowedIds } from "../requests/allowed-ids.js";
import { createPause } from "../requests/pause.js";
import type { AgentsOfUser, MemoryName } from "./service.js";

/** Whether the agent is to be found. */
export function isUnknownAgent(owner: Namespace | AgentsOfUser): owner is AgentsOfUser {
  return !("agentId" in owner);
}

/**
 * Returns the namespace of a memory: the given one, or the one among the agents of the user that
 * has the id. `undefined`: none of them has it. A memory never changes its namespace and no id is
 * used twice, so the answer stays true for as long as the memory exists.
 */
export async function findNamespace(
  store: Store,
  owner: Namespace | AgentsOfUser,
  { id = "" }: MemoryName,
  call: Call,
): Promise<Namespace | undefined> {
  if (!isUnknownAgent(owner)) return owner;
  const { userId, allowed } = owner;
  const pause = createPause(() => call.throwIfEnded());
  await using snapshot = await store.snapshot(userScope(userId));
  for await (const agentId of allowedIds(store, { of: "agents", userId }, allowed)) {
    await pause();
    const namespace = { userId, agentId };
    if ((await snapshot.get("memories", namespace, id)) !== undefined) return namespace;
  }
  return undefined;
}
