import { expect, it } from "vitest";
import { createMemoryService } from "../../../src/core/memories/create-service.js";
import { endlessCall } from "../../../src/core/ports/call.js";
import { createEmbedders } from "../../../src/core/ports/embedder.js";
import type { SearchIndex } from "../../../src/core/ports/search-index.js";
import { createWakeUps } from "../../../src/core/requests/wake-ups.js";
import { createWriteGate } from "../../../src/core/vectors/write-gate.js";
import { createSearchIndex } from "../../../src/index/search-index.js";
import { memoryRecords } from "../../../src/store/codec/memory-records.js";
import { createInMemoryStore } from "../../../src/store/in-memory/in-memory-store.js";
import { createTokenCounter } from "../../../src/tokens/o200k-token-counter.js";
import { queryOf } from "../search/search-service.js";

const namespace = { userId: "u1", agentId: "a1" };
const call = endlessCall;

it("AddTrace stores a trace without reading the index, and a search finds the trace", async () => {
  const store = createInMemoryStore();
  const index = createSearchIndex({ codec: memoryRecords, store, maxBytes: 2 ** 26 });
  let reads = 0;
  const read: SearchIndex["read"] = (...args) => {
    reads += 1;
    return index.read(...args);
  };
  let ids = 0;
  const memories = createMemoryService({
    store,
    index: {
      profileOf: (owner) => index.profileOf(owner),
      release: (owner) => index.release(owner),
      read,
      readLoaded: (owner, signal, reader) => index.readLoaded(owner, signal, reader),
    },
    embedders: createEmbedders(undefined),
    gate: createWriteGate(),
    wakeUps: createWakeUps(),
    tokens: await createTokenCounter(),
    clock: { nowMs: () => Date.UTC(2026, 0, 1) },
    timer: { after: () => () => undefined },
    ids: { next: () => `m${++ids}` },
    allowReset: false,
  });
  const traceData = { step: "fetch the wine list" };
  await memories.addTrace({ namespace, workflowId: "w", traceData }, call);
  await memories.addTrace({ namespace, workflowId: "w", traceData }, call);
  expect(reads).toBe(0);
  const { hits } = await memories.search(queryOf("wine list"), call);
  expect(hits).toHaveLength(1);
});
