import { compareInstants, type Instant } from "../model/instant.js";
import type { Call } from "../ports/call.js";
import { createPause } from "../requests/pause.js";
import { findProposal, isVisible, viewOf } from "./records.js";
import type {
  CountedGroup,
  CountedProposals,
  CountProposalsQuery,
  ProposalGrouping,
  ProposalServiceParts,
  UserProposal,
} from "./service.js";
import { targetName } from "./target.js";
import { pendingIds } from "./watch.js";

/** Maximum number of groups in a reply. */
const groupsMax = 1000;

/** Counts the pending proposals that a caller can see. Reads each of them. */
export async function countProposals(
  parts: ProposalServiceParts,
  query: CountProposalsQuery,
  call: Call,
): Promise<CountedProposals> {
  const nowMs = parts.clock.nowMs();
  const groups = new Map<string, CountedGroup>();
  let total = 0;
  let oldestTime: Instant | undefined;
  const pause = createPause();
  for await (const [id, userId] of pendingIds(parts, query)) {
    call.throwIfEnded();
    await pause();
    const found = await findProposal(parts, userId, id);
    if (found === undefined || !isVisible(query, found)) continue;
    const proposal = viewOf(found, nowMs);
    if (proposal.status !== "PENDING") continue;
    total += 1;
    oldestTime = earlier(oldestTime, proposal.createTime);
    if (query.grouping === undefined) continue;
    const example = { userId, proposal };
    const key = groupKey(query.grouping, example);
    const group = groups.get(key);
    groups.set(key, {
      example: group?.example ?? example,
      count: (group?.count ?? 0) + 1,
      oldestTime: earlier(group?.oldestTime, proposal.createTime),
    });
  }
  const sorted = [...groups]
    .sort(([a, { count: ofA }], [b, { count: ofB }]) => ofB - ofA || (a < b ? -1 : 1))
    .map(([, group]) => group);
  return {
    ...{ total, groups: sorted.slice(0, groupsMax) },
    omittedGroups: Math.max(0, sorted.length - groupsMax),
    ...(oldestTime === undefined ? {} : { oldestTime }),
  };
}

function earlier(known: Instant | undefined, time: Instant): Instant {
  return known !== undefined && compareInstants(known, time) <= 0 ? known : time;
}

function groupKey(grouping: ProposalGrouping, { userId, proposal }: UserProposal): string {
  const { agentId, target, confidence } = proposal;
  switch (grouping) {
    case "USER":
      return userId;
    case "AGENT":
      return JSON.stringify([userId, agentId]);
    case "TARGET":
      return JSON.stringify([userId, target.kind === "memory" ? agentId : "", targetName(target)]);
    case "CONFIDENCE":
      return confidence;
  }
}
