import { expect, it } from "vitest";
import { oldBlockVersions } from "../../../src/core/blocks/prune-versions.js";
import { call, createWorld } from "../requests/world.js";

const writtenBy = "kim";

it("pruning keeps the newest versions of each block, and a dry run only counts the others", async () => {
  const { store, blocks } = await createWorld();
  for (let version = 1; version <= 5; version++)
    await blocks.put({ userId: "kim", label: "many", body: `body ${version}`, writtenBy });
  await blocks.put({ userId: "kim", label: "one", body: "body", writtenBy });
  await blocks.put({ userId: "lee", label: "two", body: "body", writtenBy });
  const versionsOf = async (userId: string, label: string) => {
    const page = { userId, label, limit: 10, pageToken: "" };
    return (await blocks.listVersions(page, call)).items.map(({ version }) => version);
  };
  const pruning = oldBlockVersions({ store }, 2);
  expect(await pruning.pruneAll(call, true)).toBe(3);
  expect(await versionsOf("kim", "many")).toEqual([5, 4, 3, 2, 1]);
  expect(await pruning.pruneAll(call, false)).toBe(3);
  expect(await pruning.pruneAll(call, false)).toBe(0);
  expect(await versionsOf("kim", "many")).toEqual([5, 4]);
  expect(await versionsOf("kim", "one")).toEqual([1]);
  expect(await versionsOf("lee", "two")).toEqual([1]);
  await blocks.put({ userId: "kim", label: "many", body: "body 6", writtenBy });
  expect(await pruning.pruneAll(call, false)).toBe(1);
  expect(await versionsOf("kim", "many")).toEqual([6, 5]);
});
