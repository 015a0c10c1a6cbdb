import type { AddParts, NewMemory } from "../memories/service.js";
import type { Memory } from "../model/memory.js";
import type { Namespace } from "../model/namespace.js";
import type { Thread } from "../model/thread.js";
import type { Call } from "../ports/call.js";
import type { ChangeParts } from "../proposal-records/change-proposals.js";
import type { Idempotent } from "../requests/idempotency.js";
import type { PageQuery } from "../requests/list-page.js";

/** The dependencies of the use cases of threads. */
export interface ThreadServiceParts extends AddParts, ChangeParts {}

/** Names one thread. */
export interface ThreadName {
  readonly namespace: Namespace;
  readonly threadId: string;
}

/**
 * A turn to store. The thread gives its type and its `threadId`. If the thread has a turn with its
 * `externalId`, that turn is kept as it is.
 */
export type NewTurn = Omit<
  NewMemory,
  "memoryType" | "threadId" | "status" | "supersedes" | "onConflict"
>;

export interface AppendTurnsInput extends Idempotent, ThreadName {
  /** Oldest first, at least one. */
  readonly turns: readonly NewTurn[];
}

export interface ReplaceThreadInput extends AppendTurnsInput {
  /** The version that the thread must have. 0: it must have no turns. Absent: any version. */
  readonly expectedVersion?: number;
}

/** Turns that a call has stored. */
export interface StoredTurns {
  readonly ids: readonly string[];
  /** `Thread.version` after the call. */
  readonly version: number;
  readonly commitSeq: bigint;
}

export interface GetTurnsQuery extends ThreadName {
  /** Maximum number of turns, 1 to 1,000. */
  readonly limit: number;
  /** Returns the turns before this one. Absent: the last turns of the thread. */
  readonly beforeId?: string;
}

/** The last turns of a thread, or the last ones before one of its turns. */
export interface LastTurns {
  /** Oldest first. */
  readonly turns: readonly Memory[];
  /** Whether the thread has turns before the first one. */
  readonly hasMore: boolean;
  /** `Thread.version`; 0 for a thread without turns. */
  readonly version: number;
}

export type PopTurnInput = Idempotent & ThreadName;
export type ClearThreadInput = Idempotent & ThreadName;

/** A turn that a call has deleted. */
export interface PoppedTurn {
  /** Absent: the thread had no turn. */
  readonly id?: string;
  /** Absent: the thread had no turn, or the call is a repetition. */
  readonly turn?: Memory;
}

export interface ForkThreadInput extends Idempotent, ThreadName {
  /** The thread to create. */
  readonly newThreadId: string;
  /** The last turn to copy. Absent: copies all turns. */
  readonly lastId?: string;
}

/** A thread that is a copy of another one. */
export interface ForkedThread {
  readonly turnCount: number;
  readonly version: number;
  readonly commitSeq: bigint;
}

export interface ListThreadsQuery extends PageQuery {
  readonly namespace: Namespace;
}

/** A thread as a listing has it. */
export interface ListedThread extends Thread {
  readonly threadId: string;
}

export interface ThreadPage {
  readonly threads: readonly ListedThread[];
  /** Empty on the last page. */
  readonly nextPageToken: string;
}

/**
 * The use cases of threads. Requires: inputs obey the rules of the proto files. A thread of another
 * namespace gives the same result as a thread without turns.
 */
export interface ThreadService {
  /**
   * Stores turns at the end of a thread, all or none.
   *
   * @throws ALREADY_EXISTS (EXTERNAL_ID_IN_USE) when a memory that is no turn of the thread has the
   *   `externalId` of a turn.
   */
  append(input: AppendTurnsInput, call: Call): Promise<StoredTurns>;
  /**
   * Returns the last turns of a thread.
   *
   * @throws NOT_FOUND (MEMORY_NOT_FOUND) when `beforeId` is no turn of the thread.
   */
  getTurns(query: GetTurnsQuery, call: Call): Promise<LastTurns>;
  /**
   * Deletes the last turn of a thread.
   *
   * @throws PERMISSION_DENIED (ROLE_REQUIRED) when another principal wrote the turn, and the caller
   *   is no curator.
   */
  pop(input: PopTurnInput, call: Call): Promise<PoppedTurn>;
  /**
   * Stores turns in place of all turns of a thread.
   *
   * @throws ALREADY_EXISTS (EXTERNAL_ID_IN_USE) as `append` does.
   * @throws ABORTED (VERSION_MISMATCH) when the thread is not at `expectedVersion`.
   * @throws FAILED_PRECONDITION (THREAD_TOO_LONG) when the thread has more than 10,000 turns.
   */
  replace(input: ReplaceThreadInput, call: Call): Promise<StoredTurns>;
  /**
   * Deletes all turns of a thread.
   *
   * @throws PERMISSION_DENIED (ROLE_REQUIRED) when another principal wrote one of the turns, and
   *   the caller is no curator.
   * @throws FAILED_PRECONDITION (THREAD_TOO_LONG) when the thread has more than 10,000 turns.
   */
  clear(input: ClearThreadInput, call: Call): Promise<{ readonly deleted: number }>;
  /**
   * Copies the first turns of a thread into a new one.
   *
   * @throws NOT_FOUND (THREAD_NOT_FOUND) when there is no turn to copy.
   * @throws NOT_FOUND (MEMORY_NOT_FOUND) when `lastId` is no turn of the thread.
   * @throws FAILED_PRECONDITION (THREAD_EXISTS) when the new thread has turns.
   * @throws FAILED_PRECONDITION (THREAD_TOO_LONG) when the copies would be too many or too large.
   */
  fork(input: ForkThreadInput, call: Call): Promise<ForkedThread>;
  /** Lists threads in the order of the UTF-8 bytes of their ids. */
  list(query: ListThreadsQuery, call: Call): Promise<ThreadPage>;
}
