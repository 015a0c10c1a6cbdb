import { expect } from "vitest";
import { ProposalStatus } from "#gen/vademecum/v1/proposal_pb.js";
import { failureOf } from "./harness/failure.js";
import { describeUsers } from "./harness/user-suite.js";

describeUsers((it) => {
  it("proposals are listed newest first, page by page and by status", async ({ user }) => {
    const { userId, proposals } = user;
    await user.put("one two three four five");
    const ids: string[] = [];
    for (const word of ["one", "two", "three", "four", "five"])
      ids.unshift(await user.proposed({ old: word, new: word.toUpperCase() }));
    await user.approve(ids[1] ?? "");
    await user.reject(ids[3] ?? "");
    const idsOf = async (status: ProposalStatus) =>
      (await proposals.listProposals({ userId, status })).proposals.map(({ id, diff }) => [
        id,
        diff,
      ]);
    expect(await idsOf(ProposalStatus.UNSPECIFIED)).toEqual(ids.map((id) => [id, ""]));
    expect(await idsOf(ProposalStatus.PENDING)).toEqual(
      [ids[0], ids[2], ids[4]].map((id) => [id, ""]),
    );
    expect(await idsOf(ProposalStatus.APPROVED)).toEqual([[ids[1], ""]]);
    expect(await idsOf(ProposalStatus.REJECTED)).toEqual([[ids[3], ""]]);
    expect(await idsOf(ProposalStatus.EXPIRED)).toEqual([]);
    for (const status of [ProposalStatus.UNSPECIFIED, ProposalStatus.PENDING]) {
      const paged: string[] = [];
      for (let pageToken: string | undefined = ""; pageToken !== undefined; ) {
        const page: { proposals: { id: string }[]; nextPageToken: string } =
          await proposals.listProposals({
            userId,
            status,
            limit: 2,
            pageToken,
          });
        paged.push(...page.proposals.map(({ id }) => id));
        pageToken = page.nextPageToken || undefined;
      }
      expect(paged).toEqual((await idsOf(status)).map(([id]) => id));
    }
    const { nextPageToken: pageToken } = await proposals.listProposals({ userId, limit: 2 });
    const other = await failureOf(
      proposals.listProposals({ userId, limit: 2, pageToken, status: ProposalStatus.PENDING }),
    );
    expect(other).toMatchObject({ code: "INVALID_ARGUMENT", reason: "INVALID_PAGE_TOKEN" });
  });

  it("without a user, the proposals of all users are listed in the same order, page by page", async ({
    user,
    another,
  }) => {
    const { proposals } = user;
    const users = [user, another({ userId: "bob" }), another({ userId: "cem" })];
    for (const one of users) await one.put("one two");
    const made: string[][] = [];
    for (const word of ["one", "two"])
      for (const one of users)
        made.unshift([await one.proposed({ old: word, new: word.toUpperCase() }), one.userId]);
    await user.approve(made[5]?.[0] ?? "");
    const own = new Set(users.map((one) => one.userId));
    const listed = async (status: ProposalStatus) => {
      const found: string[][] = [];
      let pageToken = "";
      do {
        const page = await proposals.listProposals({ status, limit: 2, pageToken });
        for (const { id, namespace } of page.proposals)
          if (own.has(namespace?.userId ?? "")) found.push([id, namespace?.userId ?? ""]);
        pageToken = page.nextPageToken;
      } while (pageToken !== "");
      return found;
    };
    expect(await listed(ProposalStatus.UNSPECIFIED)).toEqual(made);
    expect(await listed(ProposalStatus.PENDING)).toEqual(made.slice(0, 5));
    expect(await listed(ProposalStatus.APPROVED)).toEqual(made.slice(5));
  });

  it("a proposal is returned with a unified diff", async ({ user }) => {
    await user.put("Name: Ada\nLikes: math\nGoal: a degree\n");
    const id = await user.proposed({ old: "math", new: "mathematics\nReads: a lot" });
    const { proposal, conflict } = await user.proposal(id);
    expect(proposal?.diff).toBe(`--- version 1
+++ proposal
@@ -1,3 +1,4 @@
 Name: Ada
-Likes: math
+Likes: mathematics
+Reads: a lot
 Goal: a degree
`);
    expect(conflict).toBeUndefined();
  });
});
