import { expect } from "vitest";
import { ProposalGrouping } from "#gen/vademecum/v1/proposal_service_pb.js";
import { describeUsers } from "./harness/user-suite.js";

describeUsers((it) => {
  it("pending proposals are counted, also by user, agent, target and confidence", async ({
    user,
    another,
  }) => {
    const { userId, proposals } = user;
    expect(await proposals.countProposals({ userId })).toMatchObject({ total: 0n, groups: [] });
    await user.put("one two");
    await user.put("one", { label: "other" });
    const { id: memoryId } = await user.memories.add("one");
    const first = await user.proposed({ old: "one", new: "1" });
    await another({ agentId: "second" }).proposed({ old: "two", new: "2" });
    await user.proposed({ memoryId, old: "one", new: "1" });
    await user.reject(await user.proposed({ label: "other", append: "x" }));
    const groupsBy = async (groupBy: ProposalGrouping) => {
      const { groups, total, oldestTime } = await proposals.countProposals({ userId, groupBy });
      expect(total).toBe(3n);
      expect(oldestTime).toEqual((await user.proposal(first)).proposal?.createTime);
      return groups;
    };
    expect(await groupsBy(ProposalGrouping.UNSPECIFIED)).toEqual([]);
    expect(await groupsBy(ProposalGrouping.USER)).toMatchObject([{ userId, count: 3n }]);
    expect(await groupsBy(ProposalGrouping.AGENT)).toMatchObject([
      { userId, agentId: "agent", count: 2n },
      { userId, agentId: "second", count: 1n },
    ]);
    expect(await groupsBy(ProposalGrouping.TARGET)).toMatchObject([
      { target: { case: "blockLabel", value: "student" }, count: 2n },
      { target: { case: "memoryId", value: memoryId }, agentId: "agent", count: 1n },
    ]);
    expect(await groupsBy(ProposalGrouping.CONFIDENCE)).toMatchObject([
      { confidence: 2, count: 3n },
    ]);
    await another({ userId: "third" }).put("one");
    await another({ userId: "third" }).proposed({ old: "one", new: "1" });
    const { groups } = await proposals.countProposals({ groupBy: ProposalGrouping.USER });
    expect(groups.find((group) => group.userId === userId)?.count).toBe(3n);
    expect(groups.length).toBeGreaterThan(1);
  });

  it("a watch with a heartbeat says when all that waited was sent", async ({ user }) => {
    const { userId, proposals } = user;
    const ended = new AbortController();
    const heartbeat = { seconds: 60n };
    const watch = proposals.watchProposals({ userId, heartbeat }, { signal: ended.signal });
    const responses: unknown[] = [];
    for await (const { waitingSent, proposal } of watch) {
      responses.push([waitingSent, proposal]);
      break;
    }
    expect(responses).toEqual([[true, undefined]]);
    ended.abort();
  });
});
