import { setImmediate as nextImmediate } from "node:timers/promises";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createMemoryService } from "../../../src/core/memories/create-service.js";
import { insertMemory } from "../../../src/core/memories/records.js";
import type {
  GetAllQuery,
  MemoryOrder,
  MemoryService,
} from "../../../src/core/memories/service.js";
import { instantOfMillis, millisOfInstant } from "../../../src/core/model/instant.js";
import { happenedAt, type Memory } from "../../../src/core/model/memory.js";
import { scopeOf } from "../../../src/core/model/namespace.js";
import { timelineKey } from "../../../src/core/model/record-keys.js";
import type { Store } from "../../../src/core/ports/store.js";
import { defaultWeights } from "../../../src/core/search/query/search.js";
import { createInMemoryStore } from "../../../src/store/in-memory/in-memory-store.js";
import { withTurns } from "../event-loop-turns.js";
import { memoryOf } from "../memory-fixture.js";
import { call, namespace } from "../search/search-service.js";
import { partsOver } from "./service-parts.js";

/** The time of the reads, as in `partsOver`. */
const nowMs = Date.UTC(2026, 0, 1);

/** By which number and in which direction each order sorts. */
const orders: Readonly<Record<MemoryOrder, (memory: Memory) => number>> = {
  NEWEST_FIRST: ({ createTime }) => -millisOfInstant(createTime),
  OLDEST_FIRST: ({ createTime }) => millisOfInstant(createTime),
  LATEST_EVENT_FIRST: (memory) => -millisOfInstant(happenedAt(memory)),
  MOST_IMPORTANT_FIRST: ({ importance }) => -importance,
};
const orderNames = Object.keys(orders) as MemoryOrder[];

function sorted(memories: readonly Memory[], order: MemoryOrder): readonly string[] {
  const byId = order === "OLDEST_FIRST" ? 1 : -1;
  return memories
    .toSorted((a, b) => orders[order](a) - orders[order](b) || (a.id < b.id ? -byId : byId))
    .map(({ id }) => id);
}

async function insert(store: Store, memories: readonly Memory[]): Promise<void> {
  await store.update(scopeOf(namespace), async (tx) => {
    for (const memory of memories) await insertMemory(tx, namespace, memory, undefined, undefined);
  });
}

async function remove(store: Store, memory: Memory): Promise<void> {
  await store.update(scopeOf(namespace), async (tx) => {
    tx.delete("memories", namespace, memory.id);
    tx.delete("timeline", namespace, timelineKey(memory));
  });
}

/** Lists all pages. Calls `between` after each page. */
async function listAll(
  service: MemoryService,
  query: Partial<GetAllQuery>,
  between: () => Promise<void> = async () => undefined,
): Promise<readonly Memory[]> {
  const found: Memory[] = [];
  let pageToken = "";
  do {
    const page = { namespace, filter: {}, includeSuperseded: false, limit: 3, pageToken };
    const { memories, nextPageToken } = await service.getAll({ ...page, ...query }, call);
    found.push(...memories);
    pageToken = nextPageToken;
    await between();
  } while (pageToken !== "");
  return found;
}

test("the pages of each order have all memories that pass, sorted by its time or number, then by id", async () => {
  const times = fc.integer({ min: 0, max: 3 }).map(instantOfMillis);
  const memories = fc
    .array(
      fc.record({
        createTime: times,
        eventTime: fc.option(times, { nil: undefined }),
        importance: fc.constantFrom(0, 0.3, 0.5, 1),
        kind: fc.constantFrom("a", "b"),
        expireMs: fc.option(fc.constantFrom(nowMs, nowMs + 1), { nil: undefined }),
      }),
      { maxLength: 20 },
    )
    .map((all) =>
      all.map(({ eventTime, expireMs, ...fields }, at) =>
        memoryOf({
          id: `m${String((at * 7) % 20).padStart(2, "0")}`,
          ...fields,
          ...(eventTime !== undefined && { eventTime }),
          ...(expireMs !== undefined && { expireTime: instantOfMillis(expireMs) }),
        }),
      ),
    );
  const check = fc.asyncProperty(memories, fc.boolean(), async (given, includeExpired) => {
    const store = createInMemoryStore();
    await insert(store, given);
    const service = createMemoryService(partsOver(store));
    const isListed = ({ expireTime, kind }: Memory) =>
      kind === "a" &&
      (includeExpired || expireTime === undefined || millisOfInstant(expireTime) > nowMs);
    for (const order of orderNames) {
      const filter = { kinds: ["a"] };
      const listed = await listAll(service, { order, filter, includeExpired });
      expect(listed.map(({ id }) => id)).toEqual(sorted(given.filter(isListed), order));
    }
  });
  await fc.assert(check);
});

test.each(orderNames)(
  "pages go on at their place when memories are added and deleted meanwhile: %s",
  async (order) => {
    const store = createInMemoryStore();
    const kept = Array.from({ length: 20 }, (_, at) =>
      memoryOf({
        id: `m${String(at).padStart(2, "0")}`,
        createTime: instantOfMillis(at),
        importance: (at % 4) / 4,
      }),
    );
    await insert(store, kept);
    const service = createMemoryService(partsOver(store));
    let pages = 0;
    const listed = await listAll(service, { order }, async () => {
      pages += 1;
      // The last memory of the first page goes, and others come on both sides of it.
      if (pages === 1)
        await remove(store, kept.find(({ id }) => id === sorted(kept, order)[2]) as Memory);
      const added = [0, 1].map((side) =>
        memoryOf({
          id: `x${pages}${side}`,
          createTime: instantOfMillis(side * 100),
          importance: side,
        }),
      );
      if (pages < 5) await insert(store, added);
    });
    const known = listed.map(({ id }) => id).filter((id) => id.startsWith("m"));
    expect(known).toEqual(sorted(kept, order));
    expect(new Set(listed.map(({ id }) => id)).size).toBe(listed.length);
  },
);

test("a page is of one state of the namespace although other calls write at every pause", async () => {
  const store = createInMemoryStore();
  const memories = Array.from({ length: 40 }, (_, at) =>
    memoryOf({ id: `m${String(at).padStart(2, "0")}`, importance: 0.5, tags: ["many"] }),
  );
  await insert(store, memories);
  const service = createMemoryService(partsOver(store));
  let writes = 0;
  let isListing = true;
  const write = async () => {
    for (; isListing && writes < 40; writes++) {
      await remove(store, memories[writes] as Memory);
      await insert(store, [{ ...(memories[writes] as Memory), id: `w${writes}`, importance: 0.4 }]);
      await nextImmediate();
    }
  };
  const filter = { expression: '"many" in tags' };
  const query = { namespace, filter, includeSuperseded: false, pageToken: "" };
  const { reply } = await withTurns(async () => {
    const listed = service.getAll({ ...query, limit: 100, order: "MOST_IMPORTANT_FIRST" }, call);
    const writing = write();
    const page = await listed;
    isListing = false;
    await writing;
    return page;
  });
  expect(writes).toBeGreaterThan(3);
  expect(reply.memories).toHaveLength(40);
});

test("a filter that few memories pass lists the same pages from columns, of any state of the listing", async () => {
  const store = createInMemoryStore();
  const memories = Array.from({ length: 3_000 }, (_, at) =>
    memoryOf({
      id: `m${String((at * 7) % 3_000).padStart(4, "0")}`,
      createTime: instantOfMillis(Math.floor(at / 100)),
      kind: at % 400 === 0 ? "rare" : "frequent",
    }),
  );
  await insert(store, memories);
  const service = createMemoryService(partsOver(store));
  const rare = memories.filter(({ kind }) => kind === "rare");
  const filter = { kinds: ["rare"] };
  for (const order of ["NEWEST_FIRST", "OLDEST_FIRST"] as const) {
    const expected = sorted(rare, order);
    const ids = (all: readonly Memory[]) => all.map(({ id }) => id);
    expect(ids(await listAll(service, { order, filter, limit: 5 }))).toEqual(expected);
    await service.search(
      {
        namespace,
        query: "",
        filter: {},
        order: "NEWEST_FIRST",
        weights: defaultWeights,
        includeSuperseded: false,
      },
      call,
    );
    let read = 0;
    const noting = { ...call, noteRows: (rows: number) => (read += rows) };
    const first = { namespace, filter, order, limit: 5, pageToken: "", includeSuperseded: false };
    const page = await service.getAll(first, noting);
    expect(ids(page.memories)).toEqual(expected.slice(0, 5));
    // The first memories of the timeline, then all rows of the columns.
    expect(read).toBe(1_001 + memories.length);
    const rest = await service.getAll({ ...first, pageToken: page.nextPageToken }, call);
    expect([ids(rest.memories), rest.nextPageToken]).toEqual([expected.slice(5), ""]);
    expect(ids(await listAll(service, { order, filter, limit: 2 }))).toEqual(expected);
  }
});
