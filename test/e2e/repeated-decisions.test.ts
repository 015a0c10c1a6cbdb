import { expect } from "vitest";
import { failureOf } from "./harness/failure.js";
import { describeUsers } from "./harness/user-suite.js";

describeUsers((it) => {
  it("a second decision changes nothing, and its reply has the first decision", async ({
    user,
    another,
  }) => {
    await user.put("Likes math.");
    const approved = await user.proposed({ old: "math", new: "maths" });
    expect(await user.approve(approved, { editedNewString: "art" })).toMatchObject({
      alreadyDecided: false,
    });
    expect(await another().approve(approved, { editedNewString: "sports" })).toMatchObject({
      alreadyDecided: true,
      proposal: { editedNewString: "art" },
      target: { value: { body: "Likes art." } },
    });
    const rejected = await user.proposed({ old: "art", new: "maths" });
    const reject = (reason: string) =>
      user.proposals.rejectProposal({ userId: user.userId, id: rejected, reason });
    expect(await reject("first")).toMatchObject({ alreadyDecided: false });
    expect(await reject("second")).toMatchObject({
      alreadyDecided: true,
      proposal: { decisionReason: "first" },
    });
  });

  it("two approvals of an edit apply the edit once, and both get the same reply", async ({
    user,
  }) => {
    await user.put("a");
    const { id: memoryId } = await user.memories.add("a");
    for (const target of [{}, { memoryId }]) {
      const id = await user.proposed({ ...target, old: "a", new: "aa" });
      const first = await user.approve(id, { idempotencyKey: `first${id}` });
      expect(first.alreadyDecided).toBe(false);
      const second = { ...first, alreadyDecided: true };
      expect(await user.approve(id)).toEqual(second);
      if ("memoryId" in target) await user.memories.update(memoryId, { content: "changed since" });
      else await user.put("changed since");
      expect(
        await user.approve(id, { idempotencyKey: id }),
        "even after the target has changed",
      ).toEqual(second);
      expect(await user.approve(id, { idempotencyKey: id })).toEqual(second);
      expect(
        await user.approve(id, { idempotencyKey: `first${id}` }),
        "a retry of the approval is no second one",
      ).toEqual(first);
      const reused = await failureOf(
        user.approve(id, { idempotencyKey: id, editedNewString: "b" }),
      );
      expect(reused).toMatchObject({ code: "INVALID_ARGUMENT", reason: "IDEMPOTENCY_KEY_REUSED" });
    }
    expect(await user.versions()).toMatchObject([
      { body: "changed since" },
      { body: "aa" },
      { body: "a" },
    ]);
    expect(await user.memories.get(memoryId)).toMatchObject({
      content: "changed since",
      version: 3n,
    });
  });

  it("if two approvers approve all edits in parallel, each edit is applied once, and no edit is lost", async ({
    user,
    another,
  }) => {
    const approvers = [another(), another()];
    await user.put("one two three");
    const { id: memoryId } = await user.memories.add("one two three");
    for (const target of [{}, { memoryId }]) {
      const words = ["one", "two", "three"];
      const ids = await Promise.all(
        words.map((word) => user.proposed({ ...target, old: word, new: `${word} ${word}` })),
      );
      const replies = await Promise.all(
        ids.flatMap((id) => approvers.map((approver) => approver.approve(id))),
      );
      for (let i = 0; i < replies.length; i += 2) {
        const pair = replies.slice(i, i + 2);
        expect(new Set(pair.map((reply) => reply.alreadyDecided))).toEqual(new Set([false, true]));
        const [one, two] = pair.map((reply) => ({ ...reply, alreadyDecided: false }));
        expect(one).toEqual(two);
      }
      const versions = replies.map(({ target: { value } }) => value?.version);
      expect(new Set(versions)).toEqual(new Set([2n, 3n, 4n]));
    }
    expect(await user.block()).toMatchObject({ body: "one one two two three three", version: 4n });
    expect(await user.memories.get(memoryId)).toMatchObject({
      content: "one one two two three three",
      version: 4n,
    });
  });
});
