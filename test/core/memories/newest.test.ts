import { expect, test } from "vitest";
import { createMemoryService } from "../../../src/core/memories/create-service.js";
import type { GetAllQuery, MemoryService } from "../../../src/core/memories/service.js";
import { createEmbedders } from "../../../src/core/ports/embedder.js";
import { createWakeUps } from "../../../src/core/requests/wake-ups.js";
import { createWriteGate } from "../../../src/core/vectors/write-gate.js";
import { createSearchIndex } from "../../../src/index/search-index.js";
import { memoryRecords } from "../../../src/store/codec/memory-records.js";
import { createInMemoryStore } from "../../../src/store/in-memory/in-memory-store.js";
import { createTokenCounter } from "../../../src/tokens/o200k-token-counter.js";
import { createManualTimer } from "../../server/manual-timer.js";
import { call, namespace, queryOf } from "../search/search-service.js";

/** Creates two services over one store. Only the `warm` service gets its index into RAM. */
async function createServices() {
  const store = createInMemoryStore();
  let nowMs = Date.UTC(2026, 0, 1);
  let ids = 0;
  const create = async (): Promise<MemoryService> =>
    createMemoryService({
      store,
      index: createSearchIndex({ codec: memoryRecords, store, maxBytes: 2 ** 26 }),
      embedders: createEmbedders(undefined),
      gate: createWriteGate(),
      wakeUps: createWakeUps(),
      tokens: await createTokenCounter(),
      clock: { nowMs: () => nowMs },
      timer: createManualTimer(),
      // Ids do not ascend, so the order of creation is not the order of the ids.
      ids: { next: () => `m${String((++ids * 7) % 100).padStart(3, "0")}` },
      allowReset: false,
    });
  return {
    warm: await create(),
    cold: await create(),
    wait: (ms: number) => {
      nowMs += ms;
    },
  };
}

const firstPage: GetAllQuery = {
  namespace,
  filter: {},
  limit: 10,
  pageToken: "",
  includeSuperseded: false,
};

test("GetAll returns the same pages from the index in RAM and from the store", async () => {
  const { warm, cold, wait } = await createServices();
  for (let at = 0; at < 30; at++) {
    const expireTime = { seconds: Date.UTC(2026, 0, 1) / 1000 + 1 + (at % 5), nanos: 0 };
    const content = `note ${at}`;
    const { id } = await warm.add(
      { namespace, content, ...(at % 4 === 1 && { expireTime }) },
      call,
    );
    if (at % 6 === 2)
      await warm.add({ namespace, content: `new ${content}`, supersedes: id }, call);
    if (at % 9 === 3) await warm.delete({ namespace, id }, call);
    if (at % 3 === 0) wait(1);
  }
  await warm.search(queryOf("note"), call);
  for (const later of [0, 2_000, 10_000]) {
    wait(later);
    for (const changes of [{}, { limit: 1 }, { limit: 100 }, { includeSuperseded: true }]) {
      const query = { ...firstPage, ...changes };
      const page = await warm.getAll(query, call);
      expect(page).toEqual(await cold.getAll(query, call));
      if (page.nextPageToken === "") continue;
      const next = { ...query, pageToken: page.nextPageToken };
      expect(await warm.getAll(next, call)).toEqual(await cold.getAll(next, call));
    }
  }
});
