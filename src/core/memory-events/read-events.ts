import { compareInstants } from "../model/instant.js";
import { namespaceIn, type UserScope } from "../model/namespace.js";
import { allowsId } from "../model/principal.js";
import type { Snapshot } from "../ports/store.js";
import { messageItemsMax, messageTextMaxBytes, textBytesOf } from "../requests/message-size.js";
import { createPause } from "../requests/pause.js";
import type { MemoryEvent, WatchedMemories } from "./service.js";
import type { Touch } from "./touches.js";

/** The events of one message. */
export interface ReadEvents {
  readonly events: readonly MemoryEvent[];
  /** Number of the touches that the events are about. */
  readonly count: number;
}

interface ReadOptions extends Pick<WatchedMemories, "agents" | "idsOnly"> {
  /** The user of the snapshot. */
  readonly scope: UserScope;
}

/**
 * Reads the memories of the first touches as they are in a snapshot.
 *
 * @param commitSeqOf returns the `commit_seq` of a commit
 */
export async function readEvents(
  snapshot: Snapshot,
  touches: readonly Touch[],
  { scope, agents, idsOnly }: ReadOptions,
  commitSeqOf: (seq: number) => bigint,
): Promise<ReadEvents> {
  const events: MemoryEvent[] = [];
  const pause = createPause();
  let count = 0;
  let bytes = 0;
  for (const touch of touches) {
    if (events.length === messageItemsMax || bytes > messageTextMaxBytes) break;
    count++;
    // The rights of the watcher may have changed since it read the change log.
    if (!allowsId(agents, touch.agentId)) continue;
    const event = await readEvent(snapshot, scope, touch);
    const { memory, ...withoutMemory } = event;
    bytes += memory === undefined || idsOnly ? 0 : textBytesOf(memory);
    events.push({
      ...(idsOnly ? withoutMemory : event),
      commitSeq: commitSeqOf(touch.seq),
    });
    await pause();
  }
  return { events, count };
}

async function readEvent(
  snapshot: Snapshot,
  scope: UserScope,
  { agentId, id }: Touch,
): Promise<Omit<MemoryEvent, "commitSeq">> {
  if (id === undefined) return { kind: "CLEARED", agentId };
  const memory = await snapshot.get("memories", namespaceIn(scope, agentId), id);
  if (memory === undefined) return { kind: "DELETED", agentId, id };
  const isNew = memory.version === 1 && compareInstants(memory.updateTime, memory.createTime) === 0;
  return { kind: isNew ? "ADDED" : "CHANGED", agentId, id, memory };
}
