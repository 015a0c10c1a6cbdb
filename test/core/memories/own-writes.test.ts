import { join } from "node:path";
import fc from "fast-check";
import { Level } from "level";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { createMemoryService } from "../../../src/core/memories/create-service.js";
import type { MemoryService } from "../../../src/core/memories/service.js";
import { createEmbedders, type Embedder } from "../../../src/core/ports/embedder.js";
import type { NamespaceIndex, Row, SearchIndex } from "../../../src/core/ports/search-index.js";
import type { TokenCounter } from "../../../src/core/ports/token-counter.js";
import { createWakeUps } from "../../../src/core/requests/wake-ups.js";
import { createWriteGate } from "../../../src/core/vectors/write-gate.js";
import { openStaticEmbedder } from "../../../src/embed/static/static-embedder.js";
import { createSearchIndex } from "../../../src/index/search-index.js";
import { memoryRecords } from "../../../src/store/codec/memory-records.js";
import { createIdSource } from "../../../src/system/ids.js";
import { createTokenCounter } from "../../../src/tokens/o200k-token-counter.js";
import { hitsOf, rounded } from "../../contract/index-hits.js";
import { createManualTimer } from "../../server/manual-timer.js";
import { createTestFolder, openTestStore } from "../../store/level/level-folder.js";
import { propertyRuns } from "../../suite.js";
import { call, namespace } from "../search/search-service.js";

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  for (const end of ends.splice(0).toReversed()) await end();
});

let embedder: Embedder;
let tokens: TokenCounter;
beforeAll(async () => {
  embedder = await openStaticEmbedder({ folder: join("models", "static-256") });
  tokens = await createTokenCounter();
});

interface Served {
  readonly service: MemoryService;
  /** The index that the service uses. */
  readonly index: SearchIndex;
  /** Creates another index, which builds itself from the stored records. */
  readonly createIndex: () => SearchIndex;
}

/** Creates a service over LevelDB. Its clock advances by one second with each reading. */
async function serve(): Promise<Served> {
  const store = await openTestStore(await createTestFolder((end) => ends.push(end)));
  ends.push(() => store.close());
  const createIndex = () => createSearchIndex({ codec: memoryRecords, store, maxBytes: 2 ** 28 });
  const index = createIndex();
  let nowMs = Date.UTC(2026, 0, 1);
  const service = createMemoryService({
    timer: createManualTimer(),
    store,
    index,
    embedders: createEmbedders(embedder),
    gate: createWriteGate(),
    wakeUps: createWakeUps(),
    tokens,
    clock: { nowMs: () => (nowMs += 1_000) },
    ids: createIdSource(),
    allowReset: false,
  });
  return { service, index, createIndex };
}

/** Returns all memories of an index, and their scores for some queries. */
function contentOf(opened: NamespaceIndex) {
  const memories = Array.from(hitsOf(opened, { text: "" }).keys())
    .toSorted()
    .map((id) => opened.at(opened.rowOf(id) as Row));
  const queries = [
    { text: "red wine" },
    { text: "" },
    ...memories.slice(0, 2).map(({ memory }) => ({ text: memory.content })),
  ];
  const hits = queries.map((query) => {
    const scored = Array.from(rounded(hitsOf(opened, query)));
    return scored.toSorted(([a], [b]) => (a < b ? -1 : 1));
  });
  const cosines = memories.map(({ memory: { id } }) => {
    const row = opened.rowOf(id) as Row;
    return memories.map((other) =>
      opened.cosine(row, opened.rowOf(other.memory.id) as Row).toFixed(4),
    );
  });
  return { memories, hits, cosines, profile: opened.profile, head: opened.head };
}

describe("the index of a service after its own writes", () => {
  const words = fc.constantFrom(..."red white wine Oslo likes not 7 кофе 漢字 the".split(" "));
  const content = fc.array(words, { minLength: 1, maxLength: 5 }).map((found) => found.join(" "));
  const nth = fc.nat({ max: 20 });
  const operation = fc.oneof(
    { weight: 6, arbitrary: fc.record({ kind: fc.constant("add" as const), content, nth }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("supersede" as const), content, nth }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant("rewrite" as const), content, nth }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant("weigh" as const), content, nth }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant("delete" as const), content, nth }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("reset" as const), content, nth }) },
  );

  test("after any adds, updates, deletes and resets, the index equals an index built from stored records", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 1, maxLength: 15 }), async (operations) => {
        const { service, index, createIndex } = await serve();
        const ids: string[] = [];
        const write = async (action: (typeof operations)[number]): Promise<void> => {
          const { kind, content, nth } = action;
          const id = ids[nth % Math.max(1, ids.length)] ?? "none";
          if (kind === "add") ids.push((await service.add({ namespace, content }, call)).id);
          else if (kind === "supersede")
            ids.push((await service.add({ namespace, content, supersedes: id }, call)).id);
          else if (kind === "rewrite")
            await service.update({ namespace, id, changes: { content } }, call);
          else if (kind === "weigh")
            await service.update({ namespace, id, changes: { importance: nth / 20 } }, call);
          else if (kind === "delete") await service.delete({ namespace, id }, call);
          else await service.reset({ target: namespace }, call);
        };
        for (const action of operations) {
          // The memory may already be deleted or superseded. The call then writes nothing.
          await write(action).catch(() => undefined);
          const own = await index.read(namespace, call.signal, contentOf);
          expect(own).toEqual(await createIndex().read(namespace, call.signal, contentOf));
        }
      }),
      { numRuns: propertyRuns(24) },
    );
  });
});

describe("an Add to a namespace whose index is in RAM", () => {
  /** Counts the reads of LevelDB during some work. */
  async function readsDuring(work: () => Promise<unknown>): Promise<number> {
    const spies = (["getSync", "get", "iterator", "keys", "snapshot"] as const).map((method) =>
      vi.spyOn(Level.prototype, method as "getSync"),
    );
    for (const spy of spies) spy.mockClear();
    await work();
    return spies.reduce((sum, { mock }) => sum + mock.calls.length, 0);
  }

  async function warmed(): Promise<MemoryService> {
    const { service } = await serve();
    const first = () => service.add({ namespace, content: "first note" }, call);
    expect(await readsDuring(first), "reads are counted").toBeGreaterThan(0);
    for (let i = 0; i < 8; i++) await service.add({ namespace, content: `note ${i}` }, call);
    return service;
  }

  test("an Add to a namespace whose index is in RAM reads nothing from the store", async () => {
    const service = await warmed();
    const reads = await readsDuring(async () => {
      for (let i = 0; i < 5; i++)
        await service.add({ namespace, content: `Kim likes wine number ${i}` }, call);
    });
    expect(reads).toBe(0);
  });

  test("an Add to a namespace whose index is in RAM finds a near-duplicate that was added just before", async () => {
    const service = await warmed();
    const { id } = await service.add({ namespace, content: "Kim likes red wine" }, call);
    const added = await service.add({ namespace, content: "Kim likes the red wine" }, call);
    expect(added.nearDuplicates.map((near) => near.id)).toEqual([id]);
  });
});
