import { setImmediate as nextImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import type { Filter } from "../../../src/core/filter/matcher.js";
import { createMemoryService } from "../../../src/core/memories/create-service.js";
import { insertMemory } from "../../../src/core/memories/records.js";
import type { MemoryService } from "../../../src/core/memories/service.js";
import { instantOfMillis } from "../../../src/core/model/instant.js";
import { scopeOf } from "../../../src/core/model/namespace.js";
import { timelineKey } from "../../../src/core/model/record-keys.js";
import type { Call } from "../../../src/core/ports/call.js";
import type { Store } from "../../../src/core/ports/store.js";
import { createInMemoryStore } from "../../../src/store/in-memory/in-memory-store.js";
import { withTurns } from "../event-loop-turns.js";
import { memoryOf } from "../memory-fixture.js";
import { call, namespace, queryOf } from "../search/search-service.js";
import { partsOver } from "./service-parts.js";

const fillMs = Date.UTC(2026, 0, 1);
/** The time of the reads. */
const nowMs = fillMs + 1;
const past = instantOfMillis(nowMs);
const future = { ...past, nanos: past.nanos + 1 };

/** A store that counts its snapshots. Only reads of the store take one. */
function createCountingStore() {
  const inner = createInMemoryStore();
  const reads = { snapshots: 0 };
  const store: Store = Object.create(inner, {
    snapshot: {
      value: (scope: Parameters<Store["snapshot"]>[0]) => {
        reads.snapshots += 1;
        return inner.snapshot(scope);
      },
    },
  }) as Store;
  return { store, reads };
}

/** Creates two services over one store. Only the `warm` service has its index in RAM. */
async function createServices(fill: (service: MemoryService, store: Store) => Promise<void>) {
  const { store, reads } = createCountingStore();
  let clockMs = fillMs;
  const clock = { nowMs: () => clockMs };
  const warm = createMemoryService({ ...partsOver(store), clock });
  const cold = createMemoryService({ ...partsOver(store), clock });
  await fill(warm, store);
  clockMs = nowMs;
  await warm.search(queryOf("note"), call);
  reads.snapshots = 0;
  return { warm, cold, store, reads };
}

async function insert(store: Store, count: number): Promise<void> {
  await store.update(scopeOf(namespace), async (tx) => {
    for (let i = 0; i < count; i++)
      await insertMemory(
        tx,
        namespace,
        memoryOf({ id: `n${i}`, tags: ["many"] }),
        undefined,
        undefined,
      );
  });
}

it("Count counts the memories that GetAll lists, from the index in RAM and from the store", async () => {
  const { warm, cold, reads } = await createServices(async (service) => {
    for (let at = 0; at < 30; at++) {
      const { id } = await service.add(
        {
          namespace,
          content: `note ${at}`,
          memoryType: at % 3 === 0 ? "SEMANTIC" : "EPISODIC",
          tags: [at % 2 === 0 ? "even" : "odd"],
          restricted: at % 5 === 0,
          metadata: { at },
          ...(at % 4 === 1 && { expireTime: at % 8 === 1 ? past : future }),
        },
        call,
      );
      if (at % 10 === 2) {
        // The successor of one of them has expired, so that the memory is current again.
        const expireTime = at === 12 ? past : future;
        await service.add({ namespace, content: "new", supersedes: id, expireTime }, call);
      }
    }
  });
  const filters: Filter[] = [
    {},
    { memoryTypes: ["SEMANTIC"] },
    { memoryTypes: ["SEMANTIC", "EPISODIC"] },
    { memoryTypes: ["TRACE"] },
    { memoryTypes: ["EPISODIC"], tagsAny: ["odd"] },
    { tagsAll: ["even"] },
    { metadata: { at: 6 } },
    { contentContains: "NOTE 2" },
    { expression: "restricted && metadata.at > 10" },
  ];
  const page = { limit: 1_000, pageToken: "", includeSuperseded: false };
  for (const filter of filters) {
    const { memories } = await cold.getAll({ namespace, filter, ...page }, call);
    reads.snapshots = 0;
    const counted = await warm.count({ namespace, filter }, call);
    expect(reads.snapshots).toBe(0);
    expect(counted.count).toBe(memories.length);
    expect(await cold.count({ namespace, filter }, call)).toEqual(counted);
    expect(reads.snapshots).toBe(1);
  }
});

it.each(["warm", "cold"] as const)(
  "other calls get their turn while a %s count goes through a namespace",
  async (kind) => {
    const services = await createServices((_, store) => insert(store, 40));
    for (const filter of [{}, { tagsAny: ["many"] }, { expression: '"many" in tags' }]) {
      const { reply, turns } = await withTurns(() =>
        services[kind].count({ namespace, filter }, call),
      );
      expect(reply.count).toBe(40);
      expect(turns).toBeGreaterThan(8);
    }
  },
);

it.each([
  ["one write", 1],
  ["a write at every pause", Number.POSITIVE_INFINITY],
])("a count is of one state although other calls write meanwhile: %s", async (_, writesMax) => {
  const { warm, store } = await createServices((__, filled) => insert(filled, 40));
  let writes = 0;
  let isCounting = true;
  /** Replaces counted memories, so that 40 memories pass in every state. */
  const write = async () => {
    while (isCounting && writes < writesMax) {
      const replaced = memoryOf({ id: `n${writes}` });
      const added = memoryOf({ id: `w${writes}`, tags: ["many"] });
      await store.update(scopeOf(namespace), async (tx) => {
        tx.delete("memories", namespace, replaced.id);
        tx.delete("timeline", namespace, timelineKey(replaced));
        await insertMemory(tx, namespace, added, undefined, undefined);
      });
      writes += 1;
      await nextImmediate();
    }
  };
  const { reply } = await withTurns(async () => {
    const counted = warm.count({ namespace, filter: { expression: '"many" in tags' } }, call);
    const writing = write();
    const result = await counted;
    isCounting = false;
    await writing;
    return result;
  });
  expect(writes).toBeGreaterThan(0);
  expect(reply.count).toBe(40);
});

it.each(["warm", "cold"] as const)("a %s count ends with its call", async (kind) => {
  const services = await createServices((_, store) => insert(store, 40));
  let checks = 0;
  const ending: Call = {
    ...call,
    throwIfEnded: () => {
      checks += 1;
      if (checks > 2) throw new Error("the client has left");
    },
  };
  await expect(
    withTurns(() => services[kind].count({ namespace, filter: {} }, ending)),
  ).rejects.toThrow("the client has left");
});
