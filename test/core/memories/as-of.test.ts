import { expect, it } from "vitest";
import { createMemoryService } from "../../../src/core/memories/create-service.js";
import { instantOfMillis } from "../../../src/core/model/instant.js";
import { endlessCall } from "../../../src/core/ports/call.js";
import { createInMemoryStore } from "../../../src/store/in-memory/in-memory-store.js";
import { partsOver } from "./service-parts.js";

const namespace = { userId: "kim", agentId: "guide" };
const call = endlessCall;
const at = (ms: number) => instantOfMillis(ms);

/** A memory service with a clock that a test moves. */
function createService(versionsMax?: number) {
  const clock = { ms: 1_000, nowMs: () => clock.ms };
  const parts = { ...partsOver(createInMemoryStore("epoch")), clock };
  const memories = createMemoryService({
    ...parts,
    ...(versionsMax !== undefined && { versionsMax }),
  });
  const add = async (content: string, supersedes?: string) =>
    (await memories.add({ namespace, content, ...(supersedes && { supersedes }) }, call)).id;
  const change = (id: string, content: string) =>
    memories.update({ namespace, id, changes: { content } }, call);
  const list = async (ms: number, includeSuperseded = false) => {
    const page = await memories.getAll(
      { namespace, filter: {}, limit: 10, pageToken: "", includeSuperseded, asOf: at(ms) },
      call,
    );
    return { contents: page.memories.map(({ content }) => content), notKept: page.notKeptIds };
  };
  const get = async (id: string, ms: number) =>
    (await memories.get({ namespace, id, asOf: at(ms) }, call)).memory.content;
  return { clock, memories, add, change, list, get };
}

it("Get and GetAll return memories as they were at an instant", async () => {
  const { clock, add, change, list, get } = createService();
  const tea = await add("tea");
  clock.ms = 2_000;
  await change(tea, "green tea");
  const bread = await add("bread");
  clock.ms = 3_000;
  await change(tea, "black tea");
  expect([await get(tea, 1_000), await get(tea, 2_999), await get(tea, 3_000)]).toEqual([
    "tea",
    "green tea",
    "black tea",
  ]);
  await expect(get(bread, 1_999)).rejects.toMatchObject({ reason: "MEMORY_NOT_FOUND" });
  await expect(get(tea, 999)).rejects.toMatchObject({ reason: "MEMORY_NOT_FOUND" });
  expect((await list(999)).contents).toEqual([]);
  expect((await list(1_500)).contents).toEqual(["tea"]);
  expect((await list(2_000)).contents).toEqual(["bread", "green tea"]);
  expect((await list(9_000)).contents).toEqual(["bread", "black tea"]);
});

it("a memory that was superseded later is listed as it was before", async () => {
  const { clock, memories, add, list } = createService();
  const old = await add("lives in Lyon");
  clock.ms = 2_000;
  await add("lives in Nice", old);
  expect((await list(1_500)).contents).toEqual(["lives in Lyon"]);
  expect((await list(2_000)).contents).toEqual(["lives in Nice"]);
  expect((await list(2_000, true)).contents).toEqual(["lives in Nice", "lives in Lyon"]);
  const then = await memories.get({ namespace, id: old, asOf: at(1_500) }, call);
  expect(then.memory.supersededBy).toBeUndefined();
});

it("a version that is no longer kept is named, and never replaced by another one", async () => {
  const { clock, memories, add, change, list, get } = createService(1);
  const id = await add("one");
  for (const [index, content] of ["two", "three"].entries()) {
    clock.ms = 2_000 + 1_000 * index;
    await change(id, content);
  }
  await expect(get(id, 1_500)).rejects.toMatchObject({ reason: "VERSION_NOT_KEPT" });
  expect(await list(1_500)).toEqual({ contents: [], notKept: [id] });
  expect(await get(id, 2_500)).toBe("two");
  await memories.redactVersion({ namespace, id, version: 2 }, call);
  await expect(get(id, 2_500)).rejects.toMatchObject({ reason: "VERSION_NOT_KEPT" });
});

it("with a maximum of 0, a change leaves no earlier version", async () => {
  const { memories, add, change } = createService(0);
  const id = await add("one");
  await change(id, "two");
  const query = { namespace, id, limit: 10, pageToken: "" };
  const { versions } = await memories.listVersions(query, call);
  expect(versions.map(({ memory }) => memory.content)).toEqual(["two"]);
});

it("deleting and resetting leave no record of a version", async () => {
  const store = createInMemoryStore("epoch");
  const memories = createMemoryService(partsOver(store));
  const { id } = await memories.add({ namespace, content: "one" }, call);
  await memories.update({ namespace, id, changes: { content: "two" } }, call);
  const countVersions = async () => {
    await using snapshot = await store.snapshot({ kind: "user", userId: "kim" });
    return await snapshot.count("memoryVersions", namespace);
  };
  expect(await countVersions()).toBe(1);
  await memories.delete({ namespace, id }, call);
  expect(await countVersions()).toBe(0);
});
