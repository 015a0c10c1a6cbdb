import { beforeEach, expect, it } from "vitest";
import type { Store } from "../../../src/core/ports/store.js";
import { createInMemoryStore } from "../../../src/store/in-memory/in-memory-store.js";
import { call } from "../search/search-service.js";
import {
  allEmbeddedBy,
  collectEvents,
  createDomain,
  storedVectors,
  type TestModel,
  testModel,
} from "./reindex-domain.js";

const namespace = { userId: "u1", agentId: "a1" };
const texts = Array.from({ length: 200 }, (_, i) => `text number ${i}`);

let store: Store;
let old: TestModel;
let target: TestModel;

beforeEach(async () => {
  store = createInMemoryStore("epoch");
  old = testModel("old@1");
  target = testModel("new@1", 12);
  const before = createDomain(store, old);
  for (const content of texts) await before.memories.add({ namespace, content }, call);
});

it("Reindex is refused while another server with the same store reindexes the namespace", async () => {
  const locked = new Set<string>();
  const shared: Store = {
    ...store,
    async tryLock(job) {
      const name = JSON.stringify(job);
      if (locked.has(name)) return undefined;
      locked.add(name);
      return { isHeld: true, [Symbol.asyncDispose]: async () => void locked.delete(name) };
    },
  };
  const [here, there] = [createDomain(shared, target, [old]), createDomain(shared, target, [old])];
  const first = here.reindexer.reindex(namespace, call)[Symbol.asyncIterator]();
  await first.next();
  await expect(collectEvents(there.reindexer.reindex(namespace, call))).rejects.toMatchObject({
    code: "ABORTED",
    reason: "REINDEX_RUNNING",
  });
  while ((await first.next()).done !== true);
  await collectEvents(there.reindexer.reindex(namespace, call));
  expect((await storedVectors(store, namespace)).byText).toEqual(allEmbeddedBy(target, texts));
});

it("Reindex fails and leaves the old vectors in use when it loses its lock on the namespace", async () => {
  const lock = { isHeld: true, [Symbol.asyncDispose]: async () => undefined };
  const shared: Store = { ...store, tryLock: async () => lock };
  const here = createDomain(shared, target, [old]);
  const events = here.reindexer.reindex(namespace, call)[Symbol.asyncIterator]();
  await events.next();
  lock.isHeld = false;
  await expect(events.next()).rejects.toMatchObject({ reason: "REINDEX_RUNNING" });
  expect((await storedVectors(store, namespace)).byText).toEqual(allEmbeddedBy(old, texts));
});
