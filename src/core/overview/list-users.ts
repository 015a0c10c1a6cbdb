import { instantOfMillis } from "../model/instant.js";
import { userScope } from "../model/namespace.js";
import { allowsId } from "../model/principal.js";
import { isOverdue } from "../model/proposal.js";
import type { Call } from "../ports/call.js";
import type { Snapshot } from "../ports/store.js";
import { allowedIds } from "../requests/allowed-ids.js";
import type { Page } from "../requests/list-page.js";
import { createPause } from "../requests/pause.js";
import { pageOfStore } from "./page-of-store.js";
import type { ListUsersQuery, OverviewParts, UserSummary } from "./service.js";

/** Lists a page of users that have something the caller may see, ordered by their ids. */
export function listUsers(
  parts: OverviewParts,
  query: ListUsersQuery,
  call: Call,
): Promise<Page<UserSummary>> {
  const { store } = parts;
  const { users, agents, prefix } = query;
  return pageOfStore(store, {
    query,
    listing: ["ListUsers", prefix, users, agents],
    keysAfter: (after) => allowedIds(store, { of: "users", prefix, after }, users),
    toItem: (userId) => summaryOf(parts, userId, query),
    call,
  });
}

async function summaryOf(
  { store, clock }: OverviewParts,
  userId: string,
  query: ListUsersQuery,
): Promise<UserSummary | undefined> {
  const scope = userScope(userId);
  await using snapshot = await store.snapshot(scope);
  let [agents, memories] = [0, 0];
  for await (const agentId of allowedIds(store, { of: "agents", userId }, query.agents)) {
    agents += 1;
    memories += await snapshot.count("memories", { userId, agentId });
  }
  const blocks = await snapshot.count("blocks", scope);
  const pending = await pendingOf(snapshot, userId, query, clock.nowMs());
  const summary = { userId, agents, memories, blocks, ...pending };
  // What the user has may be of agents that the caller may not name.
  return agents + blocks + pending.pendingProposals > 0 ? summary : undefined;
}

/** Counts the pending proposals that the caller may see. Reads each of them. */
async function pendingOf(
  snapshot: Snapshot,
  userId: string,
  { agents }: ListUsersQuery,
  nowMs: number,
): Promise<Pick<UserSummary, "pendingProposals" | "oldestPendingTime">> {
  const scope = userScope(userId);
  const now = instantOfMillis(nowMs);
  const pause = createPause();
  let pendingProposals = 0;
  let oldest: Pick<UserSummary, "oldestPendingTime"> = {};
  for await (const [id] of snapshot.scan("pendingProposals", scope)) {
    await pause();
    const proposal = await snapshot.get("proposals", scope, id);
    if (proposal === undefined || isOverdue(proposal, now)) continue;
    if (!allowsId(agents, proposal.agentId)) continue;
    if (pendingProposals === 0) oldest = { oldestPendingTime: proposal.createTime };
    pendingProposals += 1;
  }
  return { pendingProposals, ...oldest };
}
