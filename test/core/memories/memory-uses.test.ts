import { expect, it } from "vitest";
import { createMemoryUses } from "../../../src/core/memories/memory-uses.js";
import { removeMemories } from "../../../src/core/memories/records.js";
import { scopeOf } from "../../../src/core/model/namespace.js";
import { createInMemoryStore } from "../../../src/store/in-memory/in-memory-store.js";
import { sampleMemory } from "../../contract/sample-records.js";
import { createManualTimer } from "../../server/manual-timer.js";

const namespace = { userId: "ada", agentId: "guide" };
const scope = scopeOf(namespace);

async function createWorld() {
  const store = createInMemoryStore();
  await store.update(scope, async (tx) => {
    for (const id of ["a", "b"]) tx.put("memories", namespace, id, sampleMemory(id, id));
  });
  const uses = createMemoryUses({
    ...{ store, timer: createManualTimer() },
    onFailure: (error) => {
      throw error;
    },
  });
  const read = async (): Promise<Record<string, number>> => {
    await uses.flush(namespace);
    await using snapshot = await store.snapshot(scope);
    const found: Record<string, number> = {};
    for await (const [id, { lastUsedTime }] of snapshot.scan("memoryUses", namespace))
      found[id] = lastUsedTime.seconds * 1000;
    return found;
  };
  return { store, uses, read };
}

it("the last uses of memories are kept, never move back, and leave out memories that are gone", async () => {
  const { uses, read } = await createWorld();
  uses.note(namespace, ["a", "gone"], 5000);
  expect(await read()).toEqual({ a: 5000 });
  uses.note(namespace, ["a", "b"], 4000);
  expect(await read()).toEqual({ a: 5000, b: 4000 });
});

it("the last use of a memory goes with the memory", async () => {
  const { store, uses, read } = await createWorld();
  uses.note(namespace, ["a", "b"], 5000);
  await uses.flush(namespace);
  await store.update(scope, async (tx) => {
    const changed = { notify: () => undefined };
    const deletion = { tx, userId: "ada", nowMs: 0, changed } as never;
    await removeMemories(deletion, namespace, new Set(["a"]));
  });
  expect(await read()).toEqual({ b: 5000 });
});
