import { expect } from "vitest";
import { type Proposal, ProposalStatus } from "#gen/vademecum/v1/proposal_pb.js";
import { failureOf } from "./harness/failure.js";
import type { UserClient } from "./harness/user-client.js";
import { describeUsers, type UserTest } from "./harness/user-suite.js";

/** A call that deletes a target of edits. */
interface Case {
  readonly name: string;
  /** Creates a target with a text. Returns the fields that name it in an edit. */
  readonly make: (user: UserClient, text: string) => Promise<{ readonly memoryId?: string }>;
  readonly remove: (user: UserClient, memoryId: string | undefined) => Promise<unknown>;
}

const addMemory: Case["make"] = async (user, text) => ({
  memoryId: (await user.memories.add(text)).id,
});

const cases: readonly Case[] = [
  {
    name: "DeleteBlock",
    make: async (user, text) => {
      await user.put(text);
      return {};
    },
    remove: ({ blocks, userId }) => blocks.deleteBlock({ userId, label: "student" }),
  },
  {
    name: "Delete",
    make: addMemory,
    remove: (user, memoryId) => user.memories.delete(memoryId ?? ""),
  },
  {
    name: "DeleteWhere",
    make: addMemory,
    remove: (user) => user.memories.deleteWhere({ filter: { expression: "version > 0" } }),
  },
  { name: "Reset", make: addMemory, remove: (user) => user.memories.reset() },
];

/** The fields of a proposal that quote the target or explain the edit. */
function textsOf(proposal: Proposal | undefined) {
  const { oldString, newString, reasoning, diff, decisionReason, editedNewString } = proposal ?? {};
  return [oldString, newString, reasoning, diff, decisionReason, editedNewString];
}

const noTexts = ["", "", "", "", undefined, undefined];

describeUsers((it) => {
  for (const target of cases) removalCases(it, target);

  it("a proposal about a deleted block is never applied to a new block with the same label", async ({
    user,
  }) => {
    await user.put("hello world");
    const id = await user.proposed({ old: "world", new: "there" });
    await user.blocks.deleteBlock({ userId: user.userId, label: "student" });
    await user.put("goodbye world, a wholly different block");
    expect(await failureOf(user.approve(id))).toMatchObject({
      code: "FAILED_PRECONDITION",
      reason: "PROPOSAL_CONFLICTED",
    });
    expect(await user.block()).toMatchObject({
      body: "goodbye world, a wholly different block",
      version: 1n,
    });
    const { proposal, conflict } = await user.proposal(id);
    expect(proposal).toMatchObject({ status: ProposalStatus.CONFLICTED, textsRemoved: true });
    expect(conflict).toBeUndefined();
  });

  it("an edit of a new block is not marked as a repetition of an edit that was rejected for a deleted block", async ({
    user,
  }) => {
    const edit = { old: "math", new: "maths" };
    await user.put("Likes math.");
    await user.reject(await user.proposed(edit), "She never said so");
    expect((await user.propose(edit)).proposal?.repeatOf).toBeDefined();
    await user.blocks.deleteBlock({ userId: user.userId, label: "student" });
    await user.put("Likes math.");
    expect((await user.propose(edit)).proposal?.repeatOf).toBeUndefined();
  });

  it("a deletion changes no proposal about another block, another agent's memory or another user", async ({
    user,
    another,
  }) => {
    const edit = { old: "one", new: "two" };
    const others = [another({ agentId: "other agent" }), another({ userId: "stranger" })];
    const kept: (readonly [UserClient, string])[] = [];
    for (const client of [user, ...others]) {
      await client.put("one", { label: "other" });
      kept.push([client, await client.proposed({ ...edit, label: "other" })]);
      const { id: memoryId } = await client.memories.add("one");
      if (client !== user) kept.push([client, await client.proposed({ ...edit, memoryId })]);
    }
    await others[1]?.put("one");
    kept.push([others[1] as UserClient, (await others[1]?.proposed(edit)) ?? ""]);
    await user.put("one");
    const gone = await user.proposed(edit);
    await user.blocks.deleteBlock({ userId: user.userId, label: "student" });
    await user.memories.reset();
    expect((await user.proposal(gone)).proposal?.textsRemoved).toBe(true);
    for (const [client, id] of kept) {
      const { proposal } = await client.proposal(id);
      expect(proposal).toMatchObject({ status: ProposalStatus.PENDING, textsRemoved: false });
    }
  });

  it("a repeated ProposeEdit returns the proposal without texts after its target is deleted", async ({
    user,
  }) => {
    await user.put("one");
    const edit = { old: "one", new: "two", idempotencyKey: "key" };
    const first = await user.propose(edit);
    await user.blocks.deleteBlock({ userId: user.userId, label: "student" });
    const { proposal, message } = await user.propose(edit);
    expect(proposal).toMatchObject({
      id: first.proposal?.id,
      ...{ status: ProposalStatus.CONFLICTED, textsRemoved: true, oldString: "", reasoning: "" },
    });
    expect(first.message).toContain("Reasoning provided");
    expect(message).not.toContain("Reasoning provided");
  });

  it("a watcher sees a pending proposal end when its target is deleted", async ({ user }) => {
    await user.put("one");
    const id = await user.proposed({ old: "one", new: "two" });
    const watch = user.watch();
    expect(await watch.next()).toMatchObject({ id, status: ProposalStatus.PENDING });
    await user.blocks.deleteBlock({ userId: user.userId, label: "student" });
    expect(await watch.next()).toMatchObject({ id, status: ProposalStatus.CONFLICTED });
    const { id: memoryId } = await user.memories.add("one");
    const second = await user.proposed({ memoryId, old: "one", new: "two" });
    expect(await watch.next()).toMatchObject({ id: second, status: ProposalStatus.PENDING });
    await user.memories.delete(memoryId);
    expect(await watch.next()).toMatchObject({ id: second, status: ProposalStatus.CONFLICTED });
    watch.end();
  });
});

function removalCases(it: UserTest, { name, make, remove }: Case): void {
  it(`${name} removes the texts of proposals about the deleted record, but not their outcomes and times`, async ({
    user,
  }) => {
    const target = await make(user, "a secret body of three words");
    const propose = (old: string) =>
      user.proposed({ ...target, old, new: `${old} more`, reasoning: `the secret of ${old}` });
    const pending = await propose("secret");
    const approved = await propose("three");
    await user.approve(approved, { editedNewString: "four secret" });
    const rejected = await propose("body");
    await user.reject(rejected, "no secret body");
    const conflicted = await propose("words");
    await user.approve(await propose("words"), { editedNewString: "none" });
    await failureOf(user.approve(conflicted));
    const before = await Promise.all(
      [pending, approved, rejected, conflicted].map(
        async (id) => (await user.proposal(id)).proposal,
      ),
    );
    expect(before.map((proposal) => proposal?.status)).toEqual([
      ProposalStatus.PENDING,
      ProposalStatus.APPROVED,
      ProposalStatus.REJECTED,
      ProposalStatus.CONFLICTED,
    ]);
    await remove(user, target.memoryId);
    for (const proposal of before) {
      const { proposal: found, conflict } = await user.proposal(proposal?.id ?? "");
      expect(textsOf(found)).toEqual(noTexts);
      expect(conflict).toBeUndefined();
      const isPending = proposal?.status === ProposalStatus.PENDING;
      expect(found).toEqual({
        ...proposal,
        status: isPending ? ProposalStatus.CONFLICTED : proposal?.status,
        oldString: "",
        newString: "",
        reasoning: "",
        diff: "",
        decisionReason: undefined,
        editedNewString: undefined,
        textsRemoved: true,
      });
    }
    const { proposals } = await user.proposals.listProposals({ userId: user.userId });
    for (const proposal of proposals) expect(textsOf(proposal)).toEqual(noTexts);
    const waiting = { userId: user.userId, status: ProposalStatus.PENDING };
    expect((await user.proposals.listProposals(waiting)).proposals).toEqual([]);
    const again = await user.approve(approved);
    expect(again.target.case, "the approval stays, without the text").toBeUndefined();
    const failure = await failureOf(user.approve(pending));
    expect(failure).toMatchObject({ reason: "PROPOSAL_CONFLICTED" });
    expect(failure.message).toContain("was deleted");
  });
}
