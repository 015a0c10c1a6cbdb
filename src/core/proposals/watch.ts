import { userScope } from "../model/namespace.js";
import type { Call } from "../ports/call.js";
import { createPause } from "../requests/pause.js";
import { isVisible, viewOf } from "./records.js";
import type {
  ProposalServiceParts,
  ProposalView,
  VisibleProposals,
  WatchedProposals,
} from "./service.js";

/**
 * Yields proposals of a user until the call ends:
 * - first all pending proposals, oldest first
 * - then each new proposal, unless it is decided before the watch reads it
 * - each pending proposal that becomes visible to the caller
 * - each yielded proposal once more when it is decided or expires, unless it was wiped or the
 *   caller can no longer see it
 *
 * Reads a proposal only when the consumer asks for the next one. Keeps only ids in RAM: of all
 * yielded pending proposals, and of a limited number of changed proposals.
 */
export async function* watchProposals(
  parts: ProposalServiceParts,
  visible: WatchedProposals,
  call: Call,
): AsyncGenerator<ProposalView> {
  const { userId } = visible;
  const watcher = parts.wakeUps.watch(userId);
  /** Proposals that were yielded as pending. */
  const pending = new Set<string>();
  const pause = createPause();
  visible.onChange?.(() => watcher.addAll());
  try {
    for (;;) {
      const changed = await watcher.nextChanges(call.signal);
      call.throwIfEnded();
      const ids =
        changed === "all"
          ? [...new Set([...pending, ...(await pendingIds(parts, userId))])].sort()
          : changed;
      for (const id of ids) {
        await pause();
        const view = await readView(parts, visible, id);
        call.throwIfEnded();
        const isPending = view?.status === "PENDING";
        if (isPending === pending.has(id)) continue;
        if (isPending) pending.add(id);
        else pending.delete(id);
        if (view !== undefined) yield view;
      }
    }
  } finally {
    watcher.close();
  }
}

async function pendingIds({ store }: ProposalServiceParts, userId: string): Promise<string[]> {
  const scope = userScope(userId);
  await using snapshot = await store.snapshot(scope);
  const ids: string[] = [];
  const pause = createPause();
  for await (const [id] of snapshot.scan("pendingProposals", scope)) {
    ids.push(id);
    await pause();
  }
  return ids;
}

/**
 * Reads a proposal. `undefined`: the caller cannot see it, it was wiped, or it was never recorded
 * because its transaction failed.
 */
async function readView(
  { store, clock }: ProposalServiceParts,
  visible: VisibleProposals,
  id: string,
): Promise<ProposalView | undefined> {
  const scope = userScope(visible.userId);
  await using snapshot = await store.snapshot(scope);
  const proposal = await snapshot.get("proposals", scope, id);
  return proposal && isVisible(visible, proposal) ? viewOf(proposal, clock.nowMs()) : undefined;
}
