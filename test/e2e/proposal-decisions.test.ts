import { expect } from "vitest";
import { ProposalStatus } from "#gen/vademecum/v1/proposal_pb.js";
import { failureOf } from "./harness/failure.js";
import { describeUsers } from "./harness/user-suite.js";

describeUsers((it) => {
  it("an approver can replace the proposed text", async ({ user }) => {
    await user.put("Likes math.");
    const id = await user.proposed({ old: "math", new: "maths" });
    expect(await failureOf(user.approve(id, { editedNewString: "math" }))).toMatchObject({
      code: "INVALID_ARGUMENT",
      fields: ["edited_new_string"],
    });
    const { proposal, target } = await user.approve(id, { editedNewString: "$& mathematics" });
    expect(proposal).toMatchObject({
      status: ProposalStatus.APPROVED,
      newString: "maths",
      editedNewString: "$& mathematics",
      decidedBy: "anonymous",
      resultVersion: 2n,
    });
    expect(proposal?.decideTime?.seconds).toBeGreaterThan(1_700_000_000n);
    expect(target).toMatchObject({
      case: "block",
      value: { body: "Likes $& mathematics.", version: 2n },
    });
    expect(await user.block()).toEqual(target.value);
    const emptied = await user.approve(
      await user.proposed({ old: "Likes $& mathematics.", new: "x" }),
      { editedNewString: "" },
    );
    expect(emptied.target).toMatchObject({ case: "block", value: { body: "", tokenCount: 0 } });
  });

  it("a rejected proposal changes nothing and keeps the reason", async ({ user }) => {
    await user.put("Likes math.");
    const id = await user.proposed({ old: "math", new: "art" });
    const rejected = await user.reject(id, "She never said so");
    expect(rejected).toMatchObject({
      status: ProposalStatus.REJECTED,
      decisionReason: "She never said so",
      decidedBy: "anonymous",
    });
    expect(await user.reject(id, "again"), "the first reason stays").toEqual(rejected);
    expect((await user.block()).version).toBe(1n);
    expect(await failureOf(user.approve(id))).toMatchObject({
      code: "FAILED_PRECONDITION",
      reason: "PROPOSAL_REJECTED",
    });
    const approved = await user.proposed({ old: "math", new: "maths" });
    await user.approve(approved);
    expect(await failureOf(user.reject(approved))).toMatchObject({
      code: "FAILED_PRECONDITION",
      reason: "PROPOSAL_APPROVED",
    });
  });

  it("calls about a missing proposal or another user's proposal fail with NOT_FOUND", async ({
    user,
    another,
  }) => {
    const stranger = another({ userId: "stranger" });
    await stranger.put("Likes math.");
    const foreign = await stranger.proposed({ old: "math", new: "maths" });
    for (const id of ["no such id", foreign]) {
      const missing = {
        code: "NOT_FOUND",
        reason: "PROPOSAL_NOT_FOUND",
        message: `proposal '${id}' not found`,
      };
      expect(await failureOf(user.proposal(id))).toMatchObject(missing);
      expect(await failureOf(user.approve(id))).toMatchObject(missing);
      expect(await failureOf(user.reject(id))).toMatchObject(missing);
    }
    expect((await stranger.proposal(foreign)).proposal?.status).toBe(ProposalStatus.PENDING);
  });

  it("an approval applies the edit to the current block", async ({ user }) => {
    await user.put("Likes math. Lives in Rome.");
    const id = await user.proposed({ old: "math", new: "maths" });
    await user.put("Ada likes math. Lives in Oslo.", { title: "Ada" });
    const { target } = await user.approve(id);
    expect(target.value).toMatchObject({
      body: "Ada likes maths. Lives in Oslo.",
      title: "Ada",
      version: 3n,
    });
    expect((await user.proposal(id)).proposal).toMatchObject({
      baseVersion: 1n,
      resultVersion: 3n,
    });
  });

  it.for([
    ["is no longer in the text", "Likes art."],
    ["appears twice", "Likes math. Loves math."],
  ] as const)(
    "if old_string %s, an approval fails with a conflict, which holds the base, the current and the proposed text",
    async ([, current], { user }) => {
      await user.put("Likes math.");
      const { id: memoryId } = await user.memories.add("Likes math.");
      for (const target of [{}, { memoryId }]) {
        const id = await user.proposed({ ...target, old: "math", new: "maths" });
        if ("memoryId" in target) await user.memories.update(memoryId, { content: current });
        else await user.put(current);
        const conflicted = { code: "FAILED_PRECONDITION", reason: "PROPOSAL_CONFLICTED" };
        expect(await failureOf(user.approve(id))).toMatchObject(conflicted);
        const shown = await user.proposal(id);
        expect(shown.proposal).toMatchObject({
          status: ProposalStatus.CONFLICTED,
          decidedBy: "anonymous",
        });
        expect(shown.conflict).toMatchObject({
          baseText: "Likes math.",
          currentText: current,
          proposedText: "Likes maths.",
        });
        expect(await failureOf(user.approve(id)), "the proposal stays conflicted").toMatchObject(
          conflicted,
        );
        expect(await failureOf(user.reject(id))).toMatchObject(conflicted);
      }
      expect((await user.block()).body).toBe(current);
      expect((await user.memories.get(memoryId)).content).toBe(current);
    },
  );

  it("approving an edit of an expired memory ends in a conflict, which has no current text", async ({
    user,
  }) => {
    const { id: memoryId } = await user.memories.add("Likes math.");
    const id = await user.proposed({ memoryId, old: "math", new: "maths" });
    await user.memories.expire(memoryId);
    expect((await failureOf(user.approve(id, { editedNewString: "art" }))).reason).toBe(
      "PROPOSAL_CONFLICTED",
    );
    const { conflict } = await user.proposal(id);
    expect(conflict).toMatchObject({ baseText: "Likes math.", proposedText: "Likes art." });
    expect(conflict?.currentText).toBeUndefined();
  });

  it("an approval fails and the proposal stays pending if the edited text would exceed the size limit", async ({
    user,
  }) => {
    await user.put("a".repeat(1000));
    const id = await user.proposed({ old: "a", new: "b", replaceAll: true });
    await user.put("zzz");
    const tooLarge = await failureOf(user.approve(id, { editedNewString: "c".repeat(1000) }));
    expect(tooLarge).toMatchObject({
      code: "FAILED_PRECONDITION",
      reason: "EDIT_RESULT_REFUSED",
      fields: ["edited_new_string"],
    });
    expect((await user.proposal(id)).proposal?.status, "goes on waiting").toBe(
      ProposalStatus.PENDING,
    );
    expect((await failureOf(user.approve(id, { editedNewString: "cc" }))).reason).toBe(
      "PROPOSAL_CONFLICTED",
    );
    const { conflict } = await user.proposal(id);
    expect(conflict).toMatchObject({ currentText: "zzz", proposedText: "cc".repeat(1000) });
  });

  it("if an approval and a rejection arrive at the same time, one succeeds and the other fails", async ({
    user,
    another,
  }) => {
    for (let round = 0; round < 5; round++) {
      await user.put("a");
      const id = await user.proposed({ old: "a", new: `b${round}` });
      const outcomes = await Promise.allSettled([user.approve(id), another().reject(id)]);
      expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      const wasApproved = outcomes[0].status === "fulfilled";
      expect((await user.block()).body).toBe(wasApproved ? `b${round}` : "a");
    }
  });

  it("an approved edit renews the memory's version, token count and vector, and search finds the new text", async ({
    user,
  }) => {
    const { id } = await user.memories.add("The key is under the flowerpot", { tags: ["home"] });
    const reply = await user.approve(
      await user.proposed({
        memoryId: id,
        old: "The key is under the flowerpot",
        new: "Hello world",
      }),
    );
    expect(reply.target).toMatchObject({
      case: "memory",
      value: { id, content: "Hello world", tokenCount: 2, version: 2n, tags: ["home"] },
    });
    expect(await user.memories.get(id)).toEqual(reply.target.value);
    const { hits } = await user.memories.search("greetings, world");
    expect(hits[0]?.memory?.id).toBe(id);
    expect(hits[0]?.scores?.vector).toBeGreaterThan(0.3);
    const old = await user.memories.search("flowerpot");
    expect(old.hits.filter(({ scores }) => (scores?.keyword ?? 0) > 0)).toEqual([]);
  });

  it("an approval fails if the target with the edit applied would exceed its size limit", async ({
    user,
  }) => {
    await user.put("x");
    const id = await user.proposed({ old: "x", new: "y".repeat(200_000) });
    await user.put(`x${"z".repeat(100_000)}`);
    const refused = { code: "FAILED_PRECONDITION", reason: "EDIT_RESULT_REFUSED" };
    expect(await failureOf(user.approve(id))).toMatchObject({ ...refused, fields: ["new_string"] });
    expect(
      await failureOf(user.approve(id, { editedNewString: "y".repeat(200_001) })),
    ).toMatchObject({
      ...refused,
      fields: ["edited_new_string"],
    });
    expect((await user.approve(id, { editedNewString: "y" })).target.value).toMatchObject({
      version: 3n,
    });
  });

  it("an edit that repeats a rejected edit is marked as a repetition", async ({
    user,
    another,
  }) => {
    await user.put("Likes math. Likes art.");
    const { id: memoryId } = await user.memories.add("Likes math.");
    for (const target of [{}, { memoryId }]) {
      const edit = { ...target, old: "math", new: "maths" };
      const rejected = await user.proposed({ ...edit, reasoning: "spelling" });
      expect(
        (await user.propose(edit)).proposal?.repeatOf,
        "a proposal that repeats a pending proposal",
      ).toBeUndefined();
      await user.reject(rejected);
      expect(
        await user.propose({ ...edit, reasoning: "other words of mine" }),
        "the message says so after the exact text",
      ).toMatchObject({
        proposal: { repeatOf: rejected },
        message: expect.stringMatching(
          `^Edit proposal created for [^\n]+ Reasoning provided: other words of mine\n\nThe same edit was rejected before \\(proposal ${rejected}\\)\\. The same edit waits already \\(proposal [\\da-f-]+\\)\\.$`,
        ) as unknown,
      });
      for (const other of [
        { ...edit, new: "Maths" },
        { ...edit, old: "math." },
        { ...edit, replaceAll: true },
      ]) {
        expect((await user.propose(other)).proposal?.repeatOf).toBeUndefined();
      }
      await user.put("Likes math.", { label: "another" });
      expect(
        (await user.propose({ label: "another", old: "math", new: "maths" })).proposal?.repeatOf,
      ).toBeUndefined();
    }
    const { proposal } = await another({ agentId: "another agent" }).propose({
      old: "math",
      new: "maths",
    });
    expect(proposal?.repeatOf, "all agents of a user share its blocks").toBeDefined();
  });
});
