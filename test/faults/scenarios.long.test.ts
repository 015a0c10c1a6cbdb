import { expect, it } from "vitest";
import { bySuite } from "../suite.js";
import { runClock } from "./scenarios/clock.js";
import { runDamage } from "./scenarios/damage.js";
import { runDiskFull } from "./scenarios/disk-full.js";
import { runImages } from "./scenarios/images.js";
import { runLoad } from "./scenarios/load.js";
import { runSignals } from "./scenarios/signals.js";
import { runSync } from "./scenarios/sync.js";

/** How much of each fault to cause, as a share of the full suite. */
const share = bySuite({ quick: 0.5, full: 1 });
const places = 60 * share;

const seed = 1 + (Date.now() % 1_000_000);
const report = () => undefined;
const repeat = (fault: string) => `(npm run faults -- ${fault} --seed ${seed})`;

it(`a damaged folder is refused or answers DATA_LOSS, and never serves wrong records ${repeat("damage")}`, async () => {
  const tally = await runDamage({ seed, places, report });
  expect(tally.described).toEqual([]);
  expect(tally.of("places")).toBe(places);
});

it(`a full disk loses nothing that was acknowledged ${repeat("disk-full")}`, async ({ skip }) => {
  const tally = await runDiskFull({ seed, rounds: 2 * share, isRequired: false, report });
  if (tally.of("skipped") > 0) skip("this machine does not allow to mount a tmpfs");
  expect(tally.described).toEqual([]);
  expect(tally.of("recoveries")).toBe(2 * share);
});

it(`killed saves and damaged images lose no memory, and no image has a deleted text ${repeat("images")}`, async () => {
  const tally = await runImages({ seed, rounds: 8 * share, report });
  expect(tally.described).toEqual([]);
  expect(tally.of("removals")).toBeGreaterThan(0);
}, 600_000);

it(`a write whose sync failed is never acknowledged ${repeat("sync")}`, async () => {
  const tally = await runSync({ seed, rounds: 3, report });
  expect(tally.described).toEqual([]);
  expect(tally.of("failed syncs")).toBe(3);
});

it(`jumps of the clock lose no record, keep the order of writing, and bring back no expired record ${repeat("clock")}`, async () => {
  const tally = await runClock({ seed, rounds: 20 * share, report });
  expect(tally.described).toEqual([]);
  expect(tally.of("jumps")).toBeGreaterThan(0);
});

it(`SIGSTOP cuts off no call, SIGTERM loses no write, and a second server on the folder is refused ${repeat("signals")}`, async () => {
  const tally = await runSignals({ seed, rounds: 2 * share, report });
  expect(tally.described).toEqual([]);
  expect(tally.of("second servers refused")).toBe(2 * share);
});

it(`the memory and files of a server that fills and empties namespaces do not grow ${repeat("load")}`, async () => {
  const tally = await runLoad({ seed, length: { unit: "namespaces", amount: 120 }, report });
  expect(tally.described).toEqual([]);
  expect(tally.of("namespaces")).toBeGreaterThanOrEqual(120);
}, 600_000);
