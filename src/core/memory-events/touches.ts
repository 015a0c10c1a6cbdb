import { allowsId } from "../model/principal.js";
import type { Change } from "../ports/store.js";
import type { WatchedMemories } from "./service.js";

/** A commit that changed a memory, or that cleared a namespace. */
export interface Touch {
  readonly seq: number;
  readonly agentId: string;
  /** The id of the memory. Absent: the namespace was cleared. */
  readonly id?: string;
}

/**
 * Returns the touches of the watched memories in the order of their commits. A memory that several
 * of the commits touched is in the list only with the last of them, because its earlier states are
 * not in the change log. Touches before a clearing of their namespace are left out.
 */
export function touchesOf(
  changes: readonly Change[],
  { agentId: watched, agents }: Pick<WatchedMemories, "agentId" | "agents">,
): readonly Touch[] {
  const isWatched = (agentId: string): boolean =>
    watched === undefined ? allowsId(agents, agentId) : agentId === watched;
  /** The last touches, by agent and id. */
  const last = new Map<string, Map<string | undefined, Touch>>();
  for (const { seq, touched, cleared } of changes) {
    for (const agentId of cleared)
      if (isWatched(agentId)) last.set(agentId, new Map([[undefined, { seq, agentId }]]));
    for (const { table, agentId, key: id } of touched) {
      if (table !== "memories" || !isWatched(agentId)) continue;
      const ofAgent = last.get(agentId) ?? new Map<string | undefined, Touch>();
      last.set(agentId, ofAgent);
      ofAgent.delete(id);
      ofAgent.set(id, { seq, agentId, id });
    }
  }
  return [...last.values()]
    .flatMap((ofAgent) => [...ofAgent.values()])
    .sort((a, b) => a.seq - b.seq);
}
