import { expect } from "vitest";
import {
  Applicability,
  ProposalOrder,
  ProposalView,
} from "#gen/vademecum/v1/proposal_service_pb.js";
import { failureOf } from "./harness/failure.js";
import { describeUsers } from "./harness/user-suite.js";

const missingId = "01993e8a-7c1b-7000-8000-1d2c3b4a5f60";

describeUsers((it) => {
  it("a preview has the present text and its diff, and the result on request", async ({ user }) => {
    await user.put("Name: Ada\nLikes: math\n");
    const id = await user.proposed({ old: "math", new: "maths" });
    const { preview, diffTruncated } = await user.proposal(id, ProposalView.FULL);
    expect(preview).toMatchObject({
      applicability: Applicability.APPLIES,
      targetVersion: 1n,
      currentText: "Name: Ada\nLikes: math\n",
      resultText: "Name: Ada\nLikes: maths\n",
      truncated: false,
    });
    expect(diffTruncated).toBe(false);
    await user.put("Name: Ada L.\nLikes: math\n");
    const basic = (await user.proposal(id)).preview;
    expect(basic).toMatchObject({
      applicability: Applicability.APPLIES_TO_CHANGED_TEXT,
      targetVersion: 2n,
      currentText: "Name: Ada L.\nLikes: math\n",
    });
    expect(basic?.resultText).toBeUndefined();
    expect(basic?.diff).toBe(
      "--- version 2\n+++ proposal\n@@ -1,2 +1,2 @@\n Name: Ada L.\n-Likes: math\n+Likes: maths\n",
    );
    await user.approve(id, { expectedVersion: 2n });
    expect((await user.proposal(id)).preview).toBeUndefined();
  });

  it("a diff shows characters that hide or reorder text as escapes, and the texts are exact", async ({
    user,
  }) => {
    const hidden = "pay\u202e001\u200b to\u0007 Ben\u2028+ \u{e0041}👩‍🏫";
    await user.put(`\u2066Name: Ada\n`);
    const id = await user.proposed({ old: "Ada", new: hidden });
    const { proposal, preview } = await user.proposal(id, ProposalView.FULL);
    const shown = "pay\\u202e001\\u200b to\\u0007 Ben\\u2028+ \\u{e0041}👩‍🏫";
    const lines = `@@ -1,1 +1,1 @@\n-\\u2066Name: Ada\n+\\u2066Name: ${shown}\n`;
    expect(proposal?.diff).toBe(`--- version 1\n+++ proposal\n${lines}`);
    expect(preview?.diff).toBe(proposal?.diff);
    expect(proposal?.newString).toBe(hidden);
    expect(preview?.resultText).toBe(`\u2066Name: ${hidden}\n`);
  });

  it("a preview says why an edit does not apply", async ({ user }) => {
    await user.put("math");
    const { id: memoryId } = await user.memories.add("math");
    const edits = {
      replace: await user.proposed({ old: "math", new: "x".repeat(200) }),
      body: await user.proposed({ newBody: "maths" }),
      created: await user.proposed({ label: "new", newBody: "maths" }),
      memory: await user.proposed({ memoryId, old: "math", new: "maths" }),
    };
    const applicability = async (id: string) => {
      const { preview } = await user.proposal(id, ProposalView.FULL);
      if (preview?.applicability !== Applicability.APPLIES)
        expect([preview?.diff, preview?.resultText]).toEqual(["", undefined]);
      return preview?.applicability;
    };
    expect(await applicability(edits.created)).toBe(Applicability.APPLIES);
    const { preview: ofCreated } = await user.proposal(edits.created);
    expect([ofCreated?.targetVersion, ofCreated?.currentText]).toEqual([0n, undefined]);
    await user.put("algebra");
    expect(await applicability(edits.replace)).toBe(Applicability.OLD_STRING_GONE);
    expect(await applicability(edits.body)).toBe(Applicability.TEXT_CHANGED);
    await user.put("math, math");
    expect(await applicability(edits.replace)).toBe(Applicability.OLD_STRING_AMBIGUOUS);
    await user.put(`math${"y".repeat(256 * 1024 - 8)}`);
    expect(await applicability(edits.replace)).toBe(Applicability.RESULT_REFUSED);
    await user.put("", { label: "new" });
    expect(await applicability(edits.created)).toBe(Applicability.TEXT_CHANGED);
    await user.memories.expire(memoryId);
    expect(await applicability(edits.memory)).toBe(Applicability.TARGET_GONE);
  });

  it("a diff of more than 1 MiB is cut at a line", async ({ user }) => {
    // Each empty line has two bytes in a diff, and the texts have no line in common at either end.
    const lines = 256 * 1024 - 2;
    await user.put("\n".repeat(lines));
    const id = await user.proposed({ newBody: `a${"\n".repeat(lines)}b` });
    const { proposal, preview, diffTruncated } = await user.proposal(id, ProposalView.FULL);
    for (const diff of [proposal?.diff ?? "", preview?.diff ?? ""]) {
      expect(Buffer.byteLength(diff)).toBeLessThanOrEqual(1024 * 1024);
      expect(diff.endsWith("\n+\n")).toBe(true);
    }
    expect([diffTruncated, preview?.truncated]).toEqual([true, true]);
  });

  it("an approval of another version than the expected one fails and changes nothing", async ({
    user,
  }) => {
    await user.put("math");
    const id = await user.proposed({ old: "math", new: "maths" });
    await user.put("math, and more");
    expect(await failureOf(user.approve(id, { expectedVersion: 1n }))).toMatchObject({
      code: "ABORTED",
      reason: "VERSION_MISMATCH",
      fields: ["expected_version"],
    });
    expect((await user.block()).body).toBe("math, and more");
    const { proposal } = await user.approve(id, { expectedVersion: 2n, note: "well seen" });
    expect(proposal).toMatchObject({ resultVersion: 3n, decisionReason: "well seen" });
    const again = await user.approve(id, { expectedVersion: 1n });
    expect(again.alreadyDecided).toBe(true);
    const created = await user.proposed({ label: "new", newBody: "x" });
    await user.put("", { label: "new" });
    expect(await failureOf(user.approve(created, { expectedVersion: 0n }))).toMatchObject({
      reason: "VERSION_MISMATCH",
    });
  });

  it("decided proposals can be deleted, pending ones cannot", async ({ user, another }) => {
    const { userId, proposals } = user;
    await user.put("one two");
    const id = await user.proposed({ old: "one", new: "1" });
    expect(await failureOf(proposals.deleteProposal({ userId, id }))).toMatchObject({
      code: "FAILED_PRECONDITION",
      reason: "PROPOSAL_PENDING",
    });
    await user.reject(id);
    const stranger = another({ userId: "stranger" });
    expect(await proposals.deleteProposal({ userId: stranger.userId, id })).toMatchObject({
      deleted: false,
    });
    const deletion = { userId, id, idempotencyKey: "k" };
    expect((await proposals.deleteProposal(deletion)).deleted).toBe(true);
    expect((await proposals.deleteProposal(deletion)).deleted).toBe(true);
    expect((await proposals.deleteProposal({ userId, id })).deleted).toBe(false);
    expect((await proposals.deleteProposal({ userId, id: missingId })).deleted).toBe(false);
    expect(await failureOf(user.proposal(id))).toMatchObject({ reason: "PROPOSAL_NOT_FOUND" });
    expect((await proposals.listProposals({ userId })).proposals).toEqual([]);
    const again = await user.propose({ old: "one", new: "1" });
    expect(again.proposal?.repeatOf).toBeUndefined();
  });

  it("proposals are listed by agent and target, oldest first, and as summaries", async ({
    user,
    another,
  }) => {
    const { userId, proposals } = user;
    await user.put("one two");
    await user.put("one", { label: "other" });
    const { id: memoryId } = await user.memories.add("one");
    const ids = [
      await user.proposed({ old: "one", new: `1${"x".repeat(300)}` }),
      await another({ agentId: "second" }).proposed({ old: "two", new: "2" }),
      await user.proposed({ label: "other", append: "😀".repeat(201) }),
      await user.proposed({ memoryId, old: "one", new: "1" }),
    ];
    const list = async (fields: Parameters<typeof proposals.listProposals>[0]) =>
      (await proposals.listProposals({ userId, ...fields })).proposals;
    const listed = async (fields: Parameters<typeof list>[0]) =>
      (await list(fields)).map(({ id }) => ids.indexOf(id));
    expect(await listed({ order: ProposalOrder.OLDEST_FIRST })).toEqual([0, 1, 2, 3]);
    expect(await listed({ agentId: "second" })).toEqual([1]);
    expect(await listed({ target: { case: "blockLabel", value: "student" } })).toEqual([1, 0]);
    expect(await listed({ target: { case: "memoryId", value: memoryId } })).toEqual([3]);
    const [first, , third] = await list({
      order: ProposalOrder.OLDEST_FIRST,
      view: ProposalView.SUMMARY,
    });
    expect(first?.newString).toBe(`1${"x".repeat(199)}…`);
    expect(third?.change.value).toBe(`${"😀".repeat(200)}…`);
    const page = await proposals.listProposals({ userId, limit: 1 });
    const filtered = { userId, pageToken: page.nextPageToken, agentId: "second" };
    expect(await failureOf(proposals.listProposals(filtered))).toMatchObject({
      reason: "INVALID_PAGE_TOKEN",
    });
  });
});
