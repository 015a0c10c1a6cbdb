import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createWorkload, workloadHarms } from "./load/workload.js";
import { runKill } from "./scenarios/kill.js";
import { startServerProcess } from "./server/server-process.js";
import { Tally } from "./tally.js";

const rounds = 3;
const seed = 1 + (Date.now() % 1_000_000);
const report = () => undefined;

it(`kills of a server under load lose no write, repeat no write, and bring back no deleted record (npm run faults -- kill --seed ${seed})`, {
  timeout: 60_000 + rounds * 60_000,
}, async () => {
  const tally = await runKill({ seed, rounds, report });
  expect(tally.described).toEqual([]);
  expect(tally.of("kills")).toBe(rounds);
  expect(tally.of("acknowledged")).toBeGreaterThan(0);
});

it("the check after a kill detects lost writes", async () => {
  const folder = await mkdtemp(join(tmpdir(), "vademecum-lost-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const tally = new Tally(workloadHarms, report);
  const workload = createWorkload(1, tally);
  const enough = new AbortController();
  const server = await startServerProcess(join(folder, "one"));
  let answers = 0;
  await workload.work(server, enough.signal, () => {
    answers += 1;
    if (answers === 200) enough.abort();
  });
  await workload.check(server);
  expect(tally.described).toEqual([]);
  await server.end("SIGKILL");
  const empty = await startServerProcess(join(folder, "two"));
  await workload.check(empty);
  await empty.end("SIGKILL");
  expect(tally.isSound).toBe(false);
  expect(tally.described.some((line) => line.startsWith("lost: "))).toBe(true);
});
