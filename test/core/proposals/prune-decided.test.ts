import { expect, it } from "vitest";
import { decidedProposals } from "../../../src/core/proposals/prune-decided.js";
import { createWakeUps } from "../../../src/core/requests/wake-ups.js";
import { call, createWorld, namespace } from "../requests/world.js";

const dayMs = 24 * 60 * 60 * 1000;

it("pruning removes proposals that were decided long ago, and leaves pending and younger ones", async () => {
  const { store, proposals } = await createWorld();
  // The clock of the world stands still, so the clock of the pruning moves.
  let nowMs = Date.UTC(2026, 0, 1);
  const parts = { store, clock: { nowMs: () => nowMs }, wakeUps: createWakeUps() };
  const pruning = decidedProposals(parts, dayMs);
  const idsOf = async () => {
    const query = { userId: "kim", limit: 10, pageToken: "" };
    return (await proposals.list(query, call)).items.map(({ id, status }) => `${id} ${status}`);
  };
  const before = await idsOf();
  const decided = before.filter((one) => !one.endsWith(" PENDING"));
  expect([before.length, decided.length]).toEqual([3, 1]);
  nowMs += dayMs;
  expect(await pruning.pruneAll(call, false)).toBe(0);
  nowMs += 1;
  expect(await pruning.pruneAll(call, true)).toBe(1);
  expect(await idsOf()).toEqual(before);
  expect(await pruning.pruneAll(call, false)).toBe(1);
  expect(await idsOf()).toEqual(before.filter((one) => !decided.includes(one)));
  expect(namespace.userId).toBe("kim");
});
