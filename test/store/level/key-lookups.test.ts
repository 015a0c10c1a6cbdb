import { Level } from "level";
import { afterEach, expect, it, onTestFinished, vi } from "vitest";
import type { Namespace, Scope } from "../../../src/core/model/namespace.js";
import { sampleMemory } from "../../contract/sample-records.js";
import { createTestFolder, openTestStore } from "./level-folder.js";

const kim: Scope = { kind: "user", userId: "kim" };
const notes: Namespace = { userId: "kim", agentId: "notes" };

afterEach(() => {
  vi.restoreAllMocks();
});

it("a put of a new key reads nothing from the disk, even after a transaction that cleared a namespace and put keys", async () => {
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
  expect(lookups).not.toHaveBeenCalled();
});
