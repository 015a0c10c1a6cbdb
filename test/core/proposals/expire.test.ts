import { expect, it, vi } from "vitest";
import { createInMemoryStore } from "../../../src/store/in-memory/in-memory-store.js";
import { call } from "../search/search-service.js";
import { createWorkshop } from "./proposal-workshop.js";

const namespace = { userId: "ada", agentId: "guide" };
const { userId } = namespace;

it("pruning counts the proposals that it marks as expired, but no proposal that a late decision marked before", async () => {
  const store = createInMemoryStore("epoch");
  let nowMs = Date.UTC(2026, 0, 1);
  const { blocks, proposals } = createWorkshop(store, { nowMs: () => nowMs });
  await blocks.put({ userId, label: "plan", body: "one two three", writtenBy: "kim" });
  const ids: string[] = [];
  for (const oldString of ["one", "two", "three"]) {
    const { proposal } = await proposals.propose({
      namespace,
      target: { kind: "block", label: "plan" },
      oldString,
      newString: "0",
      replaceAll: false,
      reasoning: "digits",
    });
    ids.push(proposal.id);
  }
  nowMs += 1000;
  expect(await proposals.overdue.pruneAll(call, true)).toBe(3);
  const update = store.update.bind(store);
  vi.spyOn(store, "update").mockImplementationOnce(async (scope, transact) => {
    const late = proposals.reject({ userId, id: ids[0] ?? "", decidedBy: "kim", reason: "" });
    await expect(late).rejects.toMatchObject({ reason: "PROPOSAL_EXPIRED" });
    return update(scope, transact);
  });
  expect(await proposals.overdue.pruneAll(call, false)).toBe(2);
  expect(await proposals.overdue.pruneAll(call, true)).toBe(0);
});
