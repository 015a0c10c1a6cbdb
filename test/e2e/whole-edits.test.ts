import { expect } from "vitest";
import { ProposalStatus } from "#gen/vademecum/v1/proposal_pb.js";
import { failureOf } from "./harness/failure.js";
import { describeUsers } from "./harness/user-suite.js";

describeUsers((it) => {
  it("an agent fills an empty block by new_body, and a person approves", async ({ user }) => {
    await user.put("", { title: "Goals" });
    const { proposal, message } = await user.propose({ newBody: "- Learn to sail\n" });
    expect(message).toMatch(/^Edit proposal created for block 'student'\. The user will be asked/);
    expect(proposal).toMatchObject({
      change: { case: "newBody", value: "- Learn to sail\n" },
      oldString: "",
      newString: "",
      baseVersion: 1n,
    });
    const { proposal: found } = await user.proposal(proposal?.id ?? "");
    expect(found?.diff).toContain("+- Learn to sail");
    await user.approve(proposal?.id ?? "");
    expect(await user.block()).toMatchObject({
      body: "- Learn to sail\n",
      title: "Goals",
      version: 2n,
    });
  });

  it("new_body creates the block of a label that is not there", async ({ user }) => {
    const id = await user.proposed({ label: "house_rules", newBody: "No smoking" });
    expect((await user.proposal(id)).proposal?.baseVersion).toBe(0n);
    expect(await failureOf(user.block("house_rules"))).toMatchObject({ reason: "BLOCK_NOT_FOUND" });
    const { target } = await user.approve(id);
    const block = { label: "house_rules", title: "House Rules", body: "No smoking", version: 1n };
    expect(target).toMatchObject({ case: "block", value: block });
    expect(await user.block("house_rules")).toMatchObject(block);
    expect(await user.versions("house_rules")).toMatchObject([{ version: 1n, proposalId: id }]);
  });

  it("a block that was created meanwhile is not replaced by the approval of a new block", async ({
    user,
  }) => {
    const first = await user.proposed({ label: "new", newBody: "" });
    const second = await user.proposed({ label: "new", newBody: "second" });
    await user.approve(first);
    expect(await failureOf(user.approve(second))).toMatchObject({ reason: "PROPOSAL_CONFLICTED" });
    expect((await user.proposal(second)).conflict).toMatchObject({
      baseText: "",
      currentText: "",
      proposedText: "second",
    });
    expect((await user.block("new")).body).toBe("");
  });

  it("new_body conflicts if the text has changed since, whatever the new text is", async ({
    user,
  }) => {
    await user.put("one");
    const id = await user.proposed({ newBody: "two" });
    await user.put("another");
    expect(await failureOf(user.approve(id, { editedNewString: "three" }))).toMatchObject({
      reason: "PROPOSAL_CONFLICTED",
    });
    expect(await user.proposal(id)).toMatchObject({
      conflict: { baseText: "one", currentText: "another", proposedText: "three" },
    });
    expect((await user.block()).body).toBe("another");
  });

  it("new_body applies after a change of the title alone", async ({ user }) => {
    await user.put("one");
    const id = await user.proposed({ newBody: "two" });
    await user.put("one", { title: "Another" });
    await user.approve(id);
    expect(await user.block()).toMatchObject({ body: "two", title: "Another", version: 3n });
  });

  it("append adds a text on a line of its own, to the text as it is at the approval", async ({
    user,
  }) => {
    const appended = async (body: string, append: string) => {
      await user.put("before the proposal");
      const id = await user.proposed({ append });
      await user.put(body);
      await user.approve(id);
      return (await user.block()).body;
    };
    expect(await appended("- one", "- two")).toBe("- one\n- two");
    expect(await appended("- one\n", "- two\n")).toBe("- one\n- two\n");
    expect(await appended("- one\r\n- two", "- $& 三")).toBe("- one\r\n- two\r\n- $& 三");
    expect(await appended("", "- one")).toBe("- one");
  });

  it("an approver can replace the text of new_body and of append", async ({ user }) => {
    await user.put("one");
    const body = await user.proposed({ newBody: "two" });
    await user.approve(body, { editedNewString: "three" });
    const append = await user.proposed({ append: "four" });
    expect(await failureOf(user.approve(append, { editedNewString: "" }))).toMatchObject({
      code: "INVALID_ARGUMENT",
      fields: ["edited_new_string"],
    });
    await user.approve(append, { editedNewString: "five" });
    expect((await user.block()).body).toBe("three\nfive");
  });

  it("memories can be rewritten whole and appended to", async ({ user }) => {
    const { id } = await user.memories.add("Likes math");
    await user.approve(await user.proposed({ memoryId: id, newBody: "Likes sailing" }));
    await user.approve(await user.proposed({ memoryId: id, append: "since 2024" }));
    expect(await user.memories.get(id)).toMatchObject({
      content: "Likes sailing\nsince 2024",
      version: 3n,
    });
    expect(await failureOf(user.propose({ memoryId: id, newBody: " " }))).toMatchObject({
      reason: "EDIT_RESULT_REFUSED",
      fields: ["new_body"],
    });
  });

  it("a change that cannot be is refused with its field", async ({ user }) => {
    await user.put("text");
    expect(await failureOf(user.propose({ append: "" }))).toMatchObject({
      code: "INVALID_ARGUMENT",
      message: "append cannot be empty.",
      fields: ["append"],
    });
    expect(await failureOf(user.propose({ newBody: "text" }))).toMatchObject({
      code: "FAILED_PRECONDITION",
      reason: "TEXT_UNCHANGED",
      fields: ["new_body"],
    });
    expect(await failureOf(user.propose({ label: "missing", append: "x" }))).toMatchObject({
      reason: "BLOCK_NOT_FOUND",
    });
    expect(await failureOf(user.propose({ memoryId: "missing", newBody: "x" }))).toMatchObject({
      reason: "MEMORY_NOT_FOUND",
    });
    expect(await failureOf(user.propose({ old: "text", new: "x", append: "y" }))).toMatchObject({
      code: "INVALID_ARGUMENT",
    });
    const large = "x".repeat(256 * 1024 - 2);
    expect(await failureOf(user.propose({ append: large }))).toMatchObject({
      reason: "EDIT_RESULT_REFUSED",
      fields: ["append"],
    });
  });

  it("an edit of the whole text proposed again after its rejection is marked", async ({ user }) => {
    await user.put("one");
    for (const edit of [{ newBody: "two" }, { append: "two" }]) {
      const rejected = await user.proposed(edit);
      await user.reject(rejected, "no");
      const { proposal, message } = await user.propose(edit);
      expect(proposal?.repeatOf).toBe(rejected);
      expect(message).toContain(`rejected before (proposal ${rejected})`);
      await user.reject(proposal?.id ?? "");
    }
    expect((await user.propose({ append: "three" })).proposal?.repeatOf).toBeUndefined();
  });

  it("deleting the block takes the texts of whole edits, and of proposals for a new block", async ({
    user,
  }) => {
    const early = await user.proposed({ newBody: "early" });
    await user.put("one");
    const late = await user.proposed({ append: "late" });
    await user.blocks.deleteBlock({ userId: user.userId, label: "student" });
    for (const id of [early, late]) {
      const { proposal, preview } = await user.proposal(id);
      expect(proposal).toMatchObject({
        status: ProposalStatus.CONFLICTED,
        textsRemoved: true,
        change: { case: undefined },
        newString: "",
      });
      expect(preview).toBeUndefined();
    }
  });
});
