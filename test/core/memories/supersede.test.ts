import { expect, test } from "vitest";
import type { MemoryService } from "../../../src/core/memories/service.js";
import {
  addAll,
  call,
  contentsOf,
  createService,
  namespace,
  queryOf,
  secondsAt,
} from "../search/search-service.js";

/** Adds three memories. Paris (m2) supersedes Rome (m1), and Oslo (m3) supersedes Paris. */
async function createChain(): Promise<MemoryService> {
  const service = await createService();
  await addAll(service, [
    { content: "Rome" },
    { content: "Paris", supersedes: "m1" },
    { content: "Oslo", supersedes: "m2" },
  ]);
  return service;
}

async function current(service: MemoryService): Promise<string[]> {
  const { memories } = await service.getAll(
    { namespace, limit: 10, filter: {}, pageToken: "", includeSuperseded: false },
    call,
  );
  return memories.map(({ content }) => content);
}

test("if C supersedes B and B supersedes A, only C is current", async () => {
  expect(await current(await createChain())).toEqual(["Oslo"]);
});

test("if C supersedes B and B supersedes A, deleting C makes B current again", async () => {
  const service = await createChain();
  await service.delete({ namespace, id: "m3" }, call);
  expect(await current(service)).toEqual(["Paris"]);
});

test("if C supersedes B and B supersedes A, deleting B leaves C current, and C then supersedes A", async () => {
  const service = await createChain();
  await service.delete({ namespace, id: "m2" }, call);
  expect(await current(service)).toEqual(["Oslo"]);
  expect((await service.get({ namespace, id: "m1" }, call)).memory.supersededBy).toBe("m3");
  expect((await service.get({ namespace, id: "m3" }, call)).memory.supersedes).toBe("m1");
  await service.delete({ namespace, id: "m3" }, call);
  expect(await current(service)).toEqual(["Rome"]);
});

test("if C supersedes B and B supersedes A, deleting B and C in one step makes A current again", async () => {
  const service = await createChain();
  const filter = { expression: 'id in ["m2", "m3"]' };
  await service.deleteWhere({ namespace, filter, dryRun: false }, call);
  expect(await current(service)).toEqual(["Rome"]);
});

/** Returns the time after a number of Adds. Each Add takes one second. */
const after = (seconds: number) => secondsAt(`2026-01-01T00:00:0${seconds}Z`);

test("a memory is current again when the memory that superseded it has expired", async () => {
  const service = await createService();
  await addAll(service, [
    { content: "Ada lives in Rome" },
    { content: "Ada lives in Paris", supersedes: "m1", expireTime: after(3) },
  ]);
  expect(await current(service)).toEqual(["Ada lives in Paris"]);
  expect(await contentsOf(service, queryOf("Ada"))).toEqual(["Ada lives in Paris"]);
  await addAll(service, [{ content: "The sea is blue" }]);
  expect(await current(service)).toEqual(["The sea is blue", "Ada lives in Rome"]);
  expect(await contentsOf(service, queryOf("Ada"))).toEqual(["Ada lives in Rome"]);
  const explained = await service.explain(queryOf("Ada"), "m1", call);
  expect(explained.returned).toBe(true);
});

test("in a chain of superseding memories, the newest that has not expired is current", async () => {
  const service = await createService();
  await addAll(service, [
    { content: "Rome" },
    { content: "Paris", supersedes: "m1", expireTime: after(6) },
    { content: "Oslo", supersedes: "m2", expireTime: after(5) },
    { content: "Bern", supersedes: "m3", expireTime: after(8) },
  ]);
  expect(await current(service)).toEqual(["Bern"]);
  await addAll(service, [{ content: "5" }]);
  expect(await current(service)).toEqual(["5", "Bern"]);
  await addAll(service, [{ content: "6" }]);
  expect(await current(service)).toEqual(["6", "5", "Bern"]);
  const explained = await service.explain(queryOf("Rome"), "m1", call);
  expect(explained.stages.at(-1)?.droppedReason).toBe("superseded by memory 'm4'");
  await addAll(service, [{ content: "7" }, { content: "8" }]);
  expect(await current(service)).toEqual(["8", "7", "6", "5", "Rome"]);
  expect(await contentsOf(service, queryOf("Rome"))).toEqual(["Rome"]);
});

test("a memory can be superseded again when the memory that superseded it has expired", async () => {
  const service = await createService();
  await addAll(service, [
    { content: "Rome" },
    { content: "Paris", supersedes: "m1", expireTime: after(2) },
    { content: "Oslo", supersedes: "m1" },
  ]);
  expect(await current(service)).toEqual(["Oslo"]);
  await service.delete({ namespace, id: "m2" }, call);
  expect(await current(service)).toEqual(["Oslo"]);
  expect((await service.get({ namespace, id: "m1" }, call)).memory.supersededBy).toBe("m3");
  await expect(
    service.add({ namespace, content: "Bern", supersedes: "m1" }, call),
  ).rejects.toMatchObject({ reason: "ALREADY_SUPERSEDED" });
});

test("superseding an expired memory fails as if the memory did not exist", async () => {
  const service = await createService();
  await addAll(service, [{ content: "Rome", expireTime: after(2) }, { content: "Oslo" }]);
  const failure = {
    code: "NOT_FOUND",
    reason: "MEMORY_NOT_FOUND",
    fields: [{ field: "supersedes" }],
  };
  await expect(
    service.add({ namespace, content: "Paris", supersedes: "m1" }, call),
  ).rejects.toMatchObject(failure);
});
