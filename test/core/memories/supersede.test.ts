import { expect, test } from "vitest";
import type { MemoryService } from "../../../src/core/memories/service.js";
import { addAll, call, createService, namespace } from "../search/searching.js";

/** Rome (m1), superseded by Paris (m2), superseded by Oslo (m3). */
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

test("only the newest memory of a chain is current", async () => {
  expect(await current(await createChain())).toEqual(["Oslo"]);
});

test("deleting the newest of a chain makes the one before it current again", async () => {
  const service = await createChain();
  await service.delete({ namespace, id: "m3" }, call);
  expect(await current(service)).toEqual(["Paris"]);
});

test("deleting the middle of a chain leaves the newest current and links its ends", async () => {
  const service = await createChain();
  await service.delete({ namespace, id: "m2" }, call);
  expect(await current(service)).toEqual(["Oslo"]);
  expect((await service.get(namespace, "m1", call)).supersededBy).toBe("m3");
  expect((await service.get(namespace, "m3", call)).supersedes).toBe("m1");
  await service.delete({ namespace, id: "m3" }, call);
  expect(await current(service)).toEqual(["Rome"]);
});

test("deleting the newest two of a chain in one step makes the oldest current again", async () => {
  const service = await createChain();
  const filter = { expression: 'content == "Oslo" || content == "Paris"' };
  await service.deleteWhere({ namespace, filter, dryRun: false }, call);
  expect(await current(service)).toEqual(["Rome"]);
});

test("an expired memory cannot be superseded: the error says that it does not exist", async () => {
  const service = await createService();
  await addAll(service, [{ content: "Rome", expireTime: { seconds: 0, nanos: 0 } }]);
  const failure = {
    code: "NOT_FOUND",
    reason: "MEMORY_NOT_FOUND",
    fields: [{ field: "supersedes" }],
  };
  await expect(
    service.add({ namespace, content: "Paris", supersedes: "m1" }, call),
  ).rejects.toMatchObject(failure);
});
