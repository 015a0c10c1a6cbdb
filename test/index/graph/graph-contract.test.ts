import { afterAll, afterEach, expect, test } from "vitest";
import { createGraphWorker } from "../../../src/index/graph/graph-worker.js";
import { createSearchIndex, type HotSearchIndex } from "../../../src/index/search-index.js";
import { memoryRecords } from "../../../src/store/codec/memory-records.js";
import { createInMemoryStore } from "../../../src/store/in-memory/in-memory-store.js";
import { describeSearchIndex } from "../../contract/search-index.js";
import { createTestFolder, openTestStore } from "../../store/level/level-folder.js";
import { describeWithGraphs } from "./graph-addon.js";

const roomy = 2 ** 30;

describeWithGraphs("a namespace with a graph", () => {
  const log = (level: string, message: string): void => {
    if (level !== "info") throw new Error(message);
  };
  const thread = createGraphWorker({ log });
  const ends: (() => Promise<void>)[] = [];
  let answers = 0;

  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
  });

  afterAll(() => thread.end());

  /** Creates an index that counts the reads with rows from a graph. */
  function createIndex(store: Parameters<typeof createSearchIndex>[0]["store"]): HotSearchIndex {
    const index = createSearchIndex({
      codec: memoryRecords,
      store,
      maxBytes: roomy,
      graphs: { threshold: 1, log, worker: thread },
    });
    return {
      settled: () => index.settled(),
      saveImages: () => index.saveImages(),
      close: () => index.close(),
      skills: index.skills,
      usage: () => index.usage(),
      profileOf: (namespace) => index.profileOf(namespace),
      release: (namespace) => index.release(namespace),
      readLoaded: (namespace, signal, read) => index.readLoaded(namespace, signal, read),
      read: (namespace, signal, read, wanted) =>
        index.read(
          namespace,
          signal,
          (opened, nearest) => {
            if (nearest !== undefined) answers += 1;
            return read(opened, nearest);
          },
          wanted,
        ),
    };
  }

  describeSearchIndex(
    "a graph that is always up to date",
    async () => createInMemoryStore(),
    createIndex,
    (index) => index.settled(),
  );
  describeSearchIndex("a graph that lags behind", async () => createInMemoryStore(), createIndex);
  describeSearchIndex(
    "a graph over the LevelDB store",
    async () => openTestStore(await createTestFolder((end) => ends.push(end))),
    createIndex,
    (index) => index.settled(),
  );

  test("the contract tests above search a graph more than 100 times", () => {
    expect(answers).toBeGreaterThan(100);
  });
});
