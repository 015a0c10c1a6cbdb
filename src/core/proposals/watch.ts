import { userScope } from "../model/namespace.js";
import { allowsId } from "../model/principal.js";
import type { Proposal } from "../model/proposal.js";
import type { Call } from "../ports/call.js";
import { createPause } from "../requests/pause.js";
import { nextChangesWithin } from "../requests/wake-ups.js";
import { findProposal, isVisible, viewOf } from "./records.js";
import type {
  ProposalServiceParts,
  ProposalView,
  WatchEvent,
  WatchedProposals,
} from "./service.js";

/**
 * Yields proposals of a user, or of all visible users, until the call ends:
 * - first all pending proposals, oldest first
 * - then each new proposal, unless it is decided before the watch reads it
 * - each pending proposal that becomes visible to the caller
 * - each yielded proposal once more when it is decided or expires, unless it was wiped or the
 *   caller can no longer see it
 *
 * With heartbeats, also yields when all proposals that waited were yielded, and when nothing has
 * changed for the time between two heartbeats.
 *
 * Reads a proposal only when the consumer asks for the next one. Keeps only ids in RAM: of all
 * yielded pending proposals, and of a limited number of changed proposals.
 */
export async function* watchProposals(
  parts: ProposalServiceParts,
  visible: WatchedProposals,
  call: Call,
): AsyncGenerator<WatchEvent> {
  const watcher = parts.wakeUps.watch(visible.userId);
  /** The users of the proposals that were yielded as pending, by id. */
  const pending = new Map<string, string>();
  let hasNewRights = false;
  const { heartbeatMs } = visible;
  let waitingSent = heartbeatMs === undefined;
  const pause = createPause();
  visible.onChange?.(() => {
    hasNewRights = true;
    watcher.addAll();
  });
  try {
    for (;;) {
      const wait = { timer: parts.timer, waitMs: heartbeatMs, signal: call.signal };
      const changed = await nextChangesWithin(watcher, wait);
      call.throwIfEnded();
      if (changed === "none") {
        yield "heartbeat";
        continue;
      }
      const isDifference = !hasNewRights;
      hasNewRights = false;
      const ids = changed === "all" ? await toRead(parts, visible, pending, isDifference) : changed;
      for (const [id, userId] of ids) {
        await pause();
        const proposal = await readView(parts, visible, userId, id);
        call.throwIfEnded();
        const isPending = proposal?.status === "PENDING";
        if (isPending === pending.has(id)) continue;
        if (isPending) pending.set(id, userId);
        else pending.delete(id);
        if (proposal !== undefined) yield { userId, proposal };
      }
      if (!waitingSent) yield "waiting sent";
      waitingSent = true;
    }
  } finally {
    watcher.close();
  }
}

/**
 * Returns the proposals to read when any may have changed, oldest first. With `isDifference`, these
 * are the pending ones that were not yielded, and the yielded ones that are no longer pending.
 * Otherwise all pending and all yielded ones.
 */
async function toRead(
  parts: ProposalServiceParts,
  visible: WatchedProposals,
  yielded: ReadonlyMap<string, string>,
  isDifference: boolean,
): Promise<readonly (readonly [id: string, userId: string])[]> {
  const found = new Map(yielded);
  const pause = createPause();
  for await (const [id, userId] of pendingIds(parts, visible)) {
    if (isDifference && yielded.has(id)) found.delete(id);
    else found.set(id, userId);
    await pause();
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Yields the ids of the pending proposals of a user, or of all visible users, oldest first. */
export async function* pendingIds(
  { store }: Pick<ProposalServiceParts, "store">,
  { userId, users = ["*"] }: Pick<WatchedProposals, "userId" | "users">,
): AsyncGenerator<readonly [id: string, userId: string]> {
  if (userId === undefined) {
    for await (const entry of store.acrossUsers("pendingProposals", {}))
      if (allowsId(users, entry[1])) yield entry;
    return;
  }
  const scope = userScope(userId);
  await using snapshot = await store.snapshot(scope);
  for await (const [id] of snapshot.scan("pendingProposals", scope)) yield [id, userId];
}

/**
 * Reads a proposal. `undefined`: the caller cannot see it, it was wiped, or it was never recorded
 * because its transaction failed.
 */
async function readView(
  parts: ProposalServiceParts,
  visible: WatchedProposals,
  userId: string,
  id: string,
): Promise<ProposalView | undefined> {
  if (!allowsId(visible.users ?? ["*"], userId)) return undefined;
  const proposal =
    visible.userId === undefined
      ? await findProposal(parts, userId, id)
      : await readOf(parts, userId, id);
  if (proposal === undefined || !isVisible(visible, proposal)) return undefined;
  return viewOf(proposal, parts.clock.nowMs());
}

/** Reads a proposal of the watched user. @throws FAILED_PRECONDITION (MOVED) when the user moved */
async function readOf(
  { store }: ProposalServiceParts,
  userId: string,
  id: string,
): Promise<Proposal | undefined> {
  const scope = userScope(userId);
  await using snapshot = await store.snapshot(scope);
  return await snapshot.get("proposals", scope, id);
}
