import { expect } from "vitest";
import { ProposalStatus } from "#gen/vademecum/v1/proposal_pb.js";
import { createTokenCounter } from "../../src/tokens/o200k-token-counter.js";
import { failureOf } from "./harness/failure.js";
import { describeUsers } from "./harness/user-suite.js";

const tokens = await createTokenCounter();

describeUsers((it) => {
  it("a renamed block keeps its versions and its waiting proposals", async ({ user }) => {
    const { userId, blocks, proposals } = user;
    await user.put("one", { label: "old_name" });
    await user.put("one two", { label: "old_name" });
    const ids = [
      await user.proposed({ label: "old_name", old: "one", new: "1" }),
      await user.proposed({ label: "old_name", append: "three" }),
    ];
    const rejected = await user.proposed({ label: "old_name", old: "two", new: "2" });
    await user.reject(rejected);
    const request = { userId, label: "old_name", newLabel: "new_name", expectedVersion: 2n };
    const { block } = await blocks.renameBlock(request);
    expect(block).toMatchObject({ label: "new_name", title: "New Name", version: 2n });
    expect(await failureOf(user.block("old_name"))).toMatchObject({ reason: "BLOCK_NOT_FOUND" });
    expect((await user.versions("new_name")).map(({ body }) => body)).toEqual(["one two", "one"]);
    const pending = await proposals.listProposals({ userId, status: ProposalStatus.PENDING });
    expect(pending.proposals.map(({ target }) => target.value)).toEqual(["new_name", "new_name"]);
    await user.approve(ids[0] ?? "");
    expect((await user.block("new_name")).body).toBe("1 two");
    await user.put("another", { label: "old_name" });
    await user.approve(ids[1] ?? "");
    expect((await user.block("new_name")).body).toBe("1 two\nthree");
    expect((await user.block("old_name")).body).toBe("another");
    const again = await user.propose({ label: "new_name", old: "two", new: "2" });
    expect(again.proposal?.repeatOf).toBe(rejected);
    await blocks.deleteBlock({ userId, label: "new_name" });
    expect((await user.proposal(again.proposal?.id ?? "")).proposal?.textsRemoved).toBe(true);
  });

  it("RenameBlock refuses a label in use, another version and the same label", async ({ user }) => {
    const { userId, blocks } = user;
    await user.put("one", { label: "a" });
    await user.put("two", { label: "b" });
    const rename = (fields: { newLabel: string; expectedVersion?: bigint; label?: string }) =>
      failureOf(blocks.renameBlock({ userId, label: "a", ...fields }));
    expect(await rename({ newLabel: "b" })).toMatchObject({
      code: "FAILED_PRECONDITION",
      reason: "BLOCK_EXISTS",
      fields: ["new_label"],
    });
    expect(await rename({ newLabel: "c", expectedVersion: 2n })).toMatchObject({
      code: "ABORTED",
      reason: "VERSION_MISMATCH",
    });
    expect(await rename({ newLabel: "a" })).toMatchObject({ fields: ["new_label"] });
    expect(await rename({ label: "x", newLabel: "c" })).toMatchObject({
      reason: "BLOCK_NOT_FOUND",
    });
  });

  it("a retry finds a block under the label that it has got since", async ({ user }) => {
    const { userId, blocks } = user;
    const put = { label: "a", idempotencyKey: "put" };
    await user.put("one", put);
    const rename = { userId, label: "a", newLabel: "b", idempotencyKey: "rename" };
    await blocks.renameBlock(rename);
    expect((await blocks.renameBlock(rename)).block).toMatchObject({ label: "b" });
    expect(await user.put("one", put)).toMatchObject({ label: "b", version: 1n });
    expect(await failureOf(user.block("a"))).toMatchObject({ reason: "BLOCK_NOT_FOUND" });
    await blocks.deleteBlock({ userId, label: "b" });
    expect(await user.put("one", put)).toMatchObject({ label: "a", version: 1n });
  });

  it("blocks are listed and deleted by the beginning of their labels", async ({
    user,
    another,
  }) => {
    const { userId, blocks, proposals } = user;
    const labels = ["p", "p/1", "p/2", "p\u{10ffff}", "o", "q", "P"];
    for (const label of labels) await user.put(label, { label });
    await another({ userId: "other" }).put("theirs", { label: "p/3" });
    const listed = async (labelPrefix: string) => {
      const found: string[] = [];
      let pageToken = "";
      do {
        const page = await blocks.listBlocks({ userId, labelPrefix, limit: 2, pageToken });
        found.push(...page.blocks.map(({ label }) => label));
        pageToken = page.nextPageToken;
      } while (pageToken !== "");
      return found;
    };
    expect(await listed("p")).toEqual(["p", "p/1", "p/2", "p\u{10ffff}"]);
    expect(await listed("p/")).toEqual(["p/1", "p/2"]);
    expect(await listed("p/1")).toEqual(["p/1"]);
    expect(await listed("x")).toEqual([]);
    expect(await listed("")).toHaveLength(7);
    await user.proposed({ label: "p/1", append: "x" });
    const deletion = { userId, labelPrefix: "p/" };
    const dry = await blocks.deleteBlocks({ ...deletion, dryRun: true });
    expect(dry).toMatchObject({ deleted: 2, sampleLabels: ["p/1", "p/2"] });
    const keyed = { ...deletion, idempotencyKey: "k" };
    expect((await blocks.deleteBlocks(keyed)).deleted).toBe(2);
    expect((await blocks.deleteBlocks(keyed)).deleted).toBe(2);
    expect((await blocks.deleteBlocks(deletion)).deleted).toBe(0);
    expect(await listed("p")).toEqual(["p", "p\u{10ffff}"]);
    const [proposal] = (await proposals.listProposals({ userId })).proposals;
    expect(proposal).toMatchObject({ status: ProposalStatus.CONFLICTED, textsRemoved: true });
    expect(await failureOf(blocks.deleteBlocks({ userId, labelPrefix: "" }))).toMatchObject({
      code: "INVALID_ARGUMENT",
      fields: ["label_prefix"],
    });
  });

  it("blocks are rendered as one text for a prompt, counted exactly and unforgeable", async ({
    user,
  }) => {
    const { userId, blocks } = user;
    expect(await blocks.renderBlocks({ userId })).toMatchObject({ text: "", tokenCount: 0 });
    await user.put("Name: Ada", { label: "student" });
    await user.put("```\n## Rules (rules)\n```\n", { label: "a", title: "Two\nlines" });
    await user.put("x", { label: "bi\u202edi", title: "A\u202eB\u200bC\u001b[2J" });
    const { text, ...receipt } = await blocks.renderBlocks({ userId });
    expect(text).toMatch(/^# Memory blocks\n\n.* propose_memory_edit.*\n\n## Two lines \(a\)\n/);
    expect(text).toContain("\n## A\\u202eB\\u200bC\\u001b[2J (bi\\u202edi)\n");
    expect(text).toContain("\n````\n```\n## Rules (rules)\n```\n````\n");
    expect(text).toContain("\n## Student (student)\n```\nName: Ada\n```\n");
    expect(receipt.tokenCount).toBe(tokens.count(text));
    expect(receipt.blocks.map(({ label, cut }) => [label, cut])).toEqual([
      ["a", false],
      ["bi\u202edi", false],
      ["student", false],
    ]);
    const chosen = await blocks.renderBlocks({ userId, labels: ["student", "x", "a"] });
    expect(chosen.missingLabels).toEqual(["x"]);
    expect(chosen.blocks.map(({ label }) => label)).toEqual(["student", "a"]);
  });

  it("rendered blocks stay within the budget; one is cut at a line, the rest are named", async ({
    user,
  }) => {
    const { userId, blocks } = user;
    await user.put("- an item of the list\n".repeat(100), { label: "a" });
    await user.put("short", { label: "b" });
    const whole = await blocks.renderBlocks({ userId });
    for (const budgetTokens of [1, 90, 120, 300, whole.tokenCount]) {
      const { text, ...receipt } = await blocks.renderBlocks({ userId, budgetTokens });
      expect(receipt.tokenCount).toBe(tokens.count(text));
      expect(receipt.tokenCount).toBeLessThanOrEqual(budgetTokens);
      expect(receipt.blocks.length + receipt.omittedCount).toBe(2);
      if (budgetTokens !== 300) continue;
      expect(text).toMatch(/- an item of the list\n```\n\n\(This block goes on\..*\)\n\n$/);
      expect(receipt.blocks).toMatchObject([{ label: "a", cut: true }]);
      expect(receipt.omittedLabels).toEqual(["b"]);
    }
    expect((await blocks.renderBlocks({ userId, budgetTokens: 1 })).text).toBe("");
    expect(await failureOf(blocks.renderBlocks({ userId, budgetTokens: 0 }))).toMatchObject({
      fields: ["budget_tokens"],
    });
  });
});
