import { cp } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import type { Store } from "../../../src/core/ports/store.js";
import names from "../../fixtures/data-folders/earlier-proposals/ids.json" with { type: "json" };
import { createTestFolder, openTestStore } from "../../store/level/level-folder.js";
import { call } from "../search/search-service.js";
import { createWorkshop, type Workshop } from "./proposal-workshop.js";

const userId = "ada";
const orphans = [
  names.pendingEditOfReplacedBlock,
  names.pendingEditOfDeletedBlock,
  names.pendingEditOfDeletedMemory,
  names.pendingEditOfWipedMemory,
];

describe("proposals of an earlier build", () => {
  let store: Store;
  let workshop: Workshop;

  beforeEach(async () => {
    const folder = await createTestFolder(onTestFinished);
    const source = join(import.meta.dirname, "../../fixtures/data-folders/earlier-proposals");
    await cp(source, folder, { recursive: true, filter: (path) => !path.endsWith("ids.json") });
    store = await openTestStore(folder);
    workshop = createWorkshop(store);
  });

  afterEach(() => store.close());

  const approve = (id: string) =>
    workshop.proposals.approve({ userId, id, decidedBy: "kim" }, call);
  const proposal = (id: string) => workshop.proposals.get({ userId }, id);

  it("proposals of an earlier build are readable, with their texts and outcomes", async () => {
    const query = { userId, limit: 100, pageToken: "" };
    const { items } = await workshop.proposals.list(query, call);
    expect(items).toHaveLength(10);
    for (const { oldString, reasoning } of items) expect(oldString && reasoning).not.toBe("");
    const { conflict } = await proposal(names.conflictedEditOfBlock);
    expect(conflict?.currentText).toBe("Likes math. Adores the arts.");
  });

  it("proposals of an earlier build can be approved while their target exists", async () => {
    const { block } = await approve(names.pendingEditOfBlock);
    expect(block?.body).toBe("Likes maths. Adores the arts.");
    const { memory } = await approve(names.pendingEditOfMemory);
    expect(memory?.content).toBe("Likes black teas");
  });

  it("a proposal of an earlier build is not applied to a newer block that has the label of its target", async () => {
    await expect(approve(names.pendingEditOfReplacedBlock)).rejects.toMatchObject({
      reason: "PROPOSAL_CONFLICTED",
    });
    expect(await workshop.blocks.get(userId, "goals")).toMatchObject({
      body: "goodbye world, a wholly different block",
      version: 1,
    });
    const { proposal: view, conflict } = await proposal(names.pendingEditOfReplacedBlock);
    expect(view).toMatchObject({ status: "CONFLICTED", oldString: "", reasoning: "" });
    expect(conflict).toBeUndefined();
  });

  it("proposals of an earlier build lose their texts when their block is deleted", async () => {
    await workshop.blocks.delete({ userId, label: "profile" });
    const views = await Promise.all(
      [
        names.pendingEditOfBlock,
        names.approvedEditOfBlock,
        names.rejectedEditOfBlock,
        names.conflictedEditOfBlock,
      ].map(async (id) => (await proposal(id)).proposal),
    );
    expect(views.map(({ status }) => status)).toEqual([
      "CONFLICTED",
      "APPROVED",
      "REJECTED",
      "CONFLICTED",
    ]);
    for (const view of views) expect(JSON.stringify(view)).not.toMatch(/math|art|sports/);
  });

  it("proposals of an earlier build lose their texts when their memory is deleted", async () => {
    const namespace = { userId, agentId: "tutor" };
    await workshop.memories.delete({ namespace, id: names.memory }, call);
    for (const id of [names.pendingEditOfMemory, names.approvedEditOfMemory])
      expect(JSON.stringify(await proposal(id))).not.toMatch(/tea|black/);
    expect((await proposal(names.pendingEditOfBlock)).proposal.status).toBe("PENDING");
  });

  it("pruning removes the texts of old proposals whose target was deleted before the upgrade", async () => {
    const { earlier } = workshop.proposals;
    expect(await earlier.pruneAll(call, true)).toBe(orphans.length);
    expect((await proposal(names.pendingEditOfDeletedBlock)).diff).toContain("a secret plan");
    expect(await earlier.pruneAll(call, false)).toBe(orphans.length);
    for (const id of orphans) {
      const { proposal: view, diff } = await proposal(id);
      expect({ ...view, diff }).toMatchObject({
        status: "CONFLICTED",
        oldString: "",
        newString: "",
        reasoning: "",
        diff: "",
      });
    }
    expect((await proposal(names.pendingEditOfBlock)).proposal.status).toBe("PENDING");
    expect(await earlier.pruneAll(call, false)).toBe(0);
  });

  it("a retry of a call from before the upgrade gets the reply of the first call", async () => {
    const retry = {
      userId,
      id: names.approvedEditOfBlock,
      editedNewString: "the arts",
      decidedBy: "anonymous",
      idempotencyKey: "approve",
    };
    expect(await workshop.proposals.approve(retry, call)).toMatchObject({
      alreadyDecided: false,
      block: { body: "Likes math. Likes the arts.", version: 2 },
    });
  });
});
