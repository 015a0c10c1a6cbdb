import { Level } from "level";
import { afterEach, expect, it, onTestFinished, vi } from "vitest";
import type { Namespace, Scope } from "../../../src/core/model/namespace.js";
import { kinds } from "../../../src/store/level/format/keys.js";
import { sampleMemory } from "../../contract/sample-records.js";
import { createTestFolder, openTestStore } from "./level-folder.js";

const kim: Scope = { kind: "user", userId: "kim" };
const notes: Namespace = { userId: "kim", agentId: "notes" };

afterEach(() => {
  vi.restoreAllMocks();
});

it("a put of a new key looks up no record on the disk, even after a transaction that cleared a namespace and put keys", async () => {
  const store = await openTestStore(await createTestFolder(onTestFinished));
  onTestFinished(() => store.close());
  const put = (ids: readonly string[], clears = false) =>
    store.update(kim, async (tx) => {
      if (clears) tx.clear(notes);
      for (const id of ids) tx.put("memories", notes, id, sampleMemory(id, "tea"));
    });
  await put(["a"]);
  // The second transaction begins before the first one is on disk.
  await Promise.all([put(["b", "c", "d", "e"], true), put(["f"])]);
  const lookups = vi.spyOn(Level.prototype, "getSync");
  await put(["g"]);
  const records = lookups.mock.calls.filter(([key]) => (key as Buffer)[0] === kinds.record);
  expect(records).toEqual([]);
});
