import { instantOfMillis } from "../model/instant.js";
import { userScope } from "../model/namespace.js";
import { allowsId } from "../model/principal.js";
import { isOverdue } from "../model/proposal.js";
import type { Call } from "../ports/call.js";
import type { Snapshot } from "../ports/store.js";
import type { Page } from "../requests/list-page.js";
import { createPause } from "../requests/pause.js";
import type { ListUsersQuery, OverviewParts, UserSummary } from "./service.js";
import { sortedPage } from "./sorted-page.js";

/** Lists a page of users that have something the caller may see, ordered by their ids. */
export function listUsers(
  parts: OverviewParts,
  query: ListUsersQuery,
  call: Call,
): Promise<Page<UserSummary>> {
  const { users, agents, prefix } = query;
  const agentsOf = new Map<string, Set<string>>();
  const keys = async function* () {
    for await (const { userId, agentId } of parts.store.namespaces()) {
      if (!isListed(userId) || !allowsId(agents, agentId)) continue;
      agentsOf.set(userId, (agentsOf.get(userId) ?? new Set()).add(agentId));
      yield userId;
    }
    for await (const scope of parts.store.scopes())
      if (scope.kind === "user" && isListed(scope.userId)) yield scope.userId;
  };
  const isListed = (userId: string): boolean =>
    userId.startsWith(prefix) && allowsId(users, userId);
  return sortedPage(parts.store, {
    query,
    listing: ["ListUsers", prefix, users, agents],
    keys: keys(),
    toItem: (userId) => summaryOf(parts, userId, agentsOf.get(userId) ?? new Set(), query),
    call,
  });
}

async function summaryOf(
  { store, clock }: OverviewParts,
  userId: string,
  agentIds: ReadonlySet<string>,
  query: ListUsersQuery,
): Promise<UserSummary | undefined> {
  const scope = userScope(userId);
  await using snapshot = await store.snapshot(scope);
  let memories = 0;
  for (const agentId of agentIds) memories += await snapshot.count("memories", { userId, agentId });
  const blocks = await snapshot.count("blocks", scope);
  const pending = await pendingOf(snapshot, userId, query, clock.nowMs());
  const summary = { userId, agents: agentIds.size, memories, blocks, ...pending };
  // A scope may hold only stored replies.
  return agentIds.size + blocks + pending.pendingProposals > 0 ? summary : undefined;
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
