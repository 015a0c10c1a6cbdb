import { expect, it } from "vitest";
import type { TotalsGrowth } from "../../../src/store/engine/storage-totals.js";
import { TotalsOfServers } from "../../../src/store/postgres/commit/totals-of-servers.js";

const nothing: TotalsGrowth = { users: 0, namespaces: 0, memories: 0, stored: new Map() };

function createTotals() {
  const world = { nowMs: 0, stored: 100, reads: 0, beforeAnswer: async (): Promise<void> => {} };
  const totals = new TotalsOfServers(
    async () => {
      world.reads += 1;
      const { stored } = world;
      await world.beforeAnswer();
      return { ...nothing, users: 1, memories: 7, stored: new Map([["key:a", stored]]) };
    },
    () => world.nowMs,
  );
  return { world, totals };
}

it("totals are read once, and then follow the commits of this server", async () => {
  const { world, totals } = createTotals();
  await totals.refresh(undefined, false);
  totals.add(undefined, { ...nothing, stored: new Map([["key:a", 20]]) });
  await totals.refresh(undefined, false);
  expect([totals.of(undefined, "key:a"), totals.of(undefined), world.reads]).toEqual([120, 120, 1]);
});

it("totals are read again after 5 seconds, so that writes of other servers count", async () => {
  const { world, totals } = createTotals();
  await totals.refresh(undefined, false);
  Object.assign(world, { nowMs: 4_999, stored: 900 });
  await totals.refresh(undefined, false);
  expect(totals.of(undefined, "key:a")).toBe(100);
  world.nowMs = 5_000;
  await totals.refresh(undefined, false);
  expect(totals.of(undefined, "key:a")).toBe(900);
});

it("a total that has reached its limit is read again after half a second", async () => {
  const { world, totals } = createTotals();
  await totals.refresh(undefined, true);
  Object.assign(world, { nowMs: 500, stored: 10 });
  await totals.refresh(undefined, true);
  expect(totals.of(undefined, "key:a")).toBe(10);
});

it("a commit during a reading is not lost", async () => {
  const { world, totals } = createTotals();
  world.beforeAnswer = async () => {
    await Promise.resolve();
    totals.add(undefined, { ...nothing, stored: new Map([["key:a", 20]]) });
  };
  await totals.refresh(undefined, false);
  expect(totals.of(undefined, "key:a")).toBe(120);
});

it("a slow reading rests for twenty times its length", async () => {
  const { world, totals } = createTotals();
  world.beforeAnswer = async () => {
    world.nowMs += 1_000;
  };
  await totals.refresh(undefined, false);
  world.nowMs += 19_999;
  await totals.refresh(undefined, true);
  expect(world.reads).toBe(1);
  world.nowMs += 1;
  await totals.refresh(undefined, true);
  expect(world.reads).toBe(2);
});

it("what an erasure has removed is read again at once", async () => {
  const { world, totals } = createTotals();
  expect(await totals.tenant(undefined)).toEqual({
    ...{ users: 1, namespaces: 0, memories: 7, bytes: 100 },
  });
  world.stored = 0;
  totals.forget(undefined);
  expect(await totals.tenant(undefined)).toMatchObject({ bytes: 0 });
});
