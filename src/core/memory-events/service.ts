import type { Memory } from "../model/memory.js";
import type { IdPatterns } from "../model/principal.js";
import type { Call } from "../ports/call.js";
import type { Store } from "../ports/store.js";
import type { Timer } from "../ports/timer.js";
import type { WakeUps } from "../requests/wake-ups.js";

/** The dependencies of watches of memories. */
export interface MemoryEventParts {
  readonly store: Store;
  readonly timer: Timer;
  /** Wakes the watchers of a user after each commit that this server makes. */
  readonly commits: WakeUps;
}

/** The names of watches in errors. No call watches the memories of all users. */
export const callsAboutMemories = { ofUser: "WatchMemories", ofAll: "WatchMemories" };

/** The memories that a watcher follows. */
export interface WatchedMemories {
  readonly userId: string;
  /** Absent: all agents that `agents` allows. */
  readonly agentId?: string;
  /** The agents that the watcher may see. They may change during the watch. */
  readonly agents: IdPatterns;
  /** The `commit_seq` after which the watch begins. Absent: the user's last commit. */
  readonly afterCommitSeq?: bigint;
  /** Whether the events leave out the memories. */
  readonly idsOnly: boolean;
  /** Time between two heartbeats, in milliseconds. Absent: no heartbeats. */
  readonly heartbeatMs?: number;
}

/** What happened to a memory, or to all memories of a namespace. */
export type MemoryEventKind = "ADDED" | "CHANGED" | "DELETED" | "CLEARED";

/** A change of one memory, or of all memories of a namespace. */
export interface MemoryEvent {
  readonly kind: MemoryEventKind;
  readonly agentId: string;
  /** Absent: all memories of the namespace were deleted. */
  readonly id?: string;
  /** Absent: the memory was deleted, or the watcher wants ids alone. */
  readonly memory?: Memory;
  /** The `commit_seq` of the change. */
  readonly commitSeq: bigint;
}

/** Some events in their order. */
export interface WatchedEvents {
  /** None in a heartbeat. */
  readonly events: readonly MemoryEvent[];
  /** All events up to this `commit_seq` were yielded. A later watch can begin after it. */
  readonly commitSeq: bigint;
}

/** The watches of memories. */
export interface MemoryEventService {
  /**
   * Yields the changes of a user's memories in the order of their commits, until the call ends.
   * First yields its beginning, without events. A memory that changed several times before the
   * watch read it is yielded once or more, at last in its last state.
   *
   * @throws INVALID_ARGUMENT (FOREIGN_COMMIT_SEQ) when `afterCommitSeq` is of another user or epoch
   * @throws OUT_OF_RANGE (CHANGES_NOT_KEPT) when the change log no longer has all changes
   * @throws RESOURCE_EXHAUSTED (TOO_MANY_WATCHES) when 100 watches of the user are open
   * @throws UNAVAILABLE (SERVER_STOPPING) when the server stops
   */
  watch(watched: WatchedMemories, call: Call): AsyncIterable<WatchedEvents>;
  /** Ends all watches, present and future, so that none of them delays a shutdown. */
  stopWatches(): void;
}
