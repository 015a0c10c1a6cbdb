import { userScope } from "../model/namespace.js";
import type { Call } from "../ports/call.js";
import type { ProposalServiceParts } from "./parts.js";
import type { ProposalView } from "./proposal-service.js";
import { viewOf } from "./records.js";

/**
 * The proposals that wait, oldest first, then each one that is made, and each that was told of once more when it does not wait any more.
 * Reads on only when it is asked for more, and keeps nothing but ids: those of proposals that wait, and of a limited number that have changed.
 */
export async function* watchProposals(
  parts: ProposalServiceParts,
  userId: string,
  call: Call,
): AsyncGenerator<ProposalView> {
  const watcher = parts.wakeUps.watch(userId);
  /** Those that were told of as waiting. */
  const waiting = new Set<string>();
  try {
    for (;;) {
      const changed = await watcher.changed(call.signal);
      call.throwIfEnded();
      const ids =
        changed === "all"
          ? [...new Set([...waiting, ...(await pendingIds(parts, userId))])].sort()
          : changed;
      for (const id of ids) {
        const view = await readView(parts, userId, id);
        call.throwIfEnded();
        const isPending = view?.status === "PENDING";
        if (view === undefined || isPending === waiting.has(id)) continue;
        if (isPending) waiting.add(id);
        else waiting.delete(id);
        yield view;
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
  for await (const [id] of snapshot.scan("pendingProposals", scope)) ids.push(id);
  return ids;
}

/** `undefined`: nothing came of the attempt to propose it. */
async function readView(
  { store, clock }: ProposalServiceParts,
  userId: string,
  id: string,
): Promise<ProposalView | undefined> {
  const scope = userScope(userId);
  await using snapshot = await store.snapshot(scope);
  const proposal = await snapshot.get("proposals", scope, id);
  return proposal && viewOf(proposal, clock.nowMs());
}
