import { VademecumError } from "../model/errors.js";
import { userScope } from "../model/namespace.js";
import type { Call } from "../ports/call.js";
import { haveSameHistory } from "../ports/commit-history.js";
import type { Change, Head, Store } from "../ports/store.js";
import { commitSeqOf, requireCommitSeq, seqOfCommitSeq } from "../requests/commit-seq.js";
import { nextChangesWithin, type Watcher } from "../requests/wake-ups.js";
import { type ReadEvents, readEvents } from "./read-events.js";
import type { MemoryEventParts, WatchedEvents, WatchedMemories } from "./service.js";
import { type Touch, touchesOf } from "./touches.js";

/** Maximum number of commits that are read at once, so that a large log does not fill RAM. */
export const commitsMax = 64;

/** The time after which a watch looks for commits of other servers, in milliseconds. */
const pollMs = 1000;

/** See `MemoryEventService.watch`. */
export async function* watchMemories(
  parts: MemoryEventParts,
  watched: WatchedMemories,
  call: Call,
): AsyncGenerator<WatchedEvents> {
  const { store, commits } = parts;
  const { userId, afterCommitSeq } = watched;
  const scope = userScope(userId);
  const watcher = commits.watch(userId);
  try {
    const begun = await store.head(scope);
    requireCommitSeq(begun, userId, afterCommitSeq, "after_commit_seq");
    let seq = afterCommitSeq === undefined ? begun.seq : seqOfCommitSeq(afterCommitSeq);
    const upTo = (of: number): bigint => commitSeqOf({ epoch: begun.epoch, seq: of }, userId);
    if (seq < begun.seq) await readChanges(store, watched, begun, seq);
    yield { events: [], commitSeq: upTo(seq) };
    for (;;) {
      await nextCommit(parts, watcher, begun, seq, watched, call);
      call.throwIfEnded();
      const read = await readChanges(store, watched, begun, seq);
      if (read.untilSeq === seq) {
        yield { events: [], commitSeq: upTo(seq) };
        continue;
      }
      const touches = touchesOf(read.changes, watched);
      for (let at = 0; at < touches.length; ) {
        const { events, count } = await readNow(store, touches.slice(at), watched, upTo);
        call.throwIfEnded();
        at += count;
        const next = touches[at];
        yield { events, commitSeq: upTo(next === undefined ? read.untilSeq : next.seq - 1) };
      }
      seq = read.untilSeq;
    }
  } finally {
    watcher.close();
  }
}

/**
 * Waits until the user has a commit after `seq`, or until the next heartbeat. Over a database that
 * other servers share, looks for their commits every second.
 */
async function nextCommit(
  { store, timer }: MemoryEventParts,
  watcher: Watcher,
  begun: Head,
  seq: number,
  { userId, heartbeatMs = Infinity }: WatchedMemories,
  { signal }: Call,
): Promise<void> {
  const scope = userScope(userId);
  for (let leftMs = heartbeatMs; leftMs > 0 && !signal.aborted; ) {
    const head = await store.head(scope);
    if (head.seq !== seq || !haveSameHistory(head, begun)) return;
    const waitMs = Math.min(leftMs, store.isRemote === true ? pollMs : Infinity);
    const wait = { timer, waitMs: waitMs === Infinity ? undefined : waitMs, signal };
    if ((await nextChangesWithin(watcher, wait)) === "none") leftMs -= waitMs;
  }
}

/**
 * Reads events as `readEvents` does. Holds no snapshot afterwards, because the watcher may take
 * long to read the message.
 */
async function readNow(
  store: Store,
  touches: readonly Touch[],
  watched: WatchedMemories,
  commitSeqOf: (seq: number) => bigint,
): Promise<ReadEvents> {
  const { userId, agents, idsOnly } = watched;
  const scope = { kind: "user", userId } as const;
  await using snapshot = await store.snapshot(scope);
  return await readEvents(snapshot, touches, { scope, agents, idsOnly }, commitSeqOf);
}

/** Some commits of the change log. */
interface ReadChanges {
  readonly changes: readonly Change[];
  /** The last of the commits. */
  readonly untilSeq: number;
}

/**
 * Reads the next commits after `seq`.
 *
 * @throws OUT_OF_RANGE (CHANGES_NOT_KEPT) when the change log no longer has the first of them
 */
async function readChanges(
  store: Store,
  { userId }: WatchedMemories,
  begun: Head,
  seq: number,
): Promise<ReadChanges> {
  await using snapshot = await store.snapshot(userScope(userId));
  const { head } = snapshot;
  if (!haveSameHistory(head, begun) || head.seq < seq) throw changesNotKept();
  const untilSeq = Math.min(head.seq, seq + commitsMax);
  const changes = await store.changes(snapshot, seq, untilSeq);
  if (changes === undefined) throw changesNotKept();
  return { changes, untilSeq };
}

function changesNotKept(): VademecumError {
  return new VademecumError(
    "OUT_OF_RANGE",
    "CHANGES_NOT_KEPT",
    "the server no longer has all changes after this commit_seq: it keeps those of the last 4,096 " +
      "commits of a user, and none from before a restore, a move or an erasure; watch without " +
      "after_commit_seq, then read all memories with GetAll, then apply the events",
    { field: "after_commit_seq" },
  );
}
