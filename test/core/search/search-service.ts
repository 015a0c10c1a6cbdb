import { createMemoryService } from "../../../src/core/memories/create-service.js";
import type { AddInput, MemoryService } from "../../../src/core/memories/service.js";
import type { Instant } from "../../../src/core/model/instant.js";
import { endlessCall } from "../../../src/core/ports/call.js";
import type { Clock } from "../../../src/core/ports/clock.js";
import type { Embedder } from "../../../src/core/ports/embedder.js";
import { createEmbedders } from "../../../src/core/ports/embedder.js";
import { createWakeUps } from "../../../src/core/requests/wake-ups.js";
import { defaultWeights, type SearchQuery } from "../../../src/core/search/query/search.js";
import { createWriteGate } from "../../../src/core/vectors/write-gate.js";
import { createSearchIndex } from "../../../src/index/search-index.js";
import { memoryRecords } from "../../../src/store/codec/memory-records.js";
import { createInMemoryStore } from "../../../src/store/in-memory/in-memory-store.js";
import { createTokenCounter } from "../../../src/tokens/o200k-token-counter.js";
import { createManualTimer } from "../../server/manual-timer.js";

export const namespace = { userId: "u1", agentId: "a1" };

/** A call that never ends. */
export const call = endlessCall;

/** Builds a query with the defaults of the service and some changes. */
export function queryOf(query: string, changes: Partial<SearchQuery> = {}): SearchQuery {
  return {
    namespace,
    query,
    filter: {},
    order: "RELEVANCE",
    weights: defaultWeights,
    includeSuperseded: false,
    ...changes,
  };
}

export function secondsAt(date: string): Instant {
  return { seconds: Date.parse(date) / 1000, nanos: 0 };
}

/**
 * Creates a service over real adapters. Without an embedder it searches by keywords alone. Ids are
 * m1, m2, …; each memory is one second newer than the memory before it.
 */
export async function createService(embedder?: Embedder, clock?: Clock): Promise<MemoryService> {
  const store = createInMemoryStore("epoch");
  const embedders = createEmbedders(embedder);
  let memories = 0;
  return createMemoryService({
    timer: createManualTimer(),
    store,
    index: createSearchIndex({
      codec: memoryRecords,
      store,
      maxBytes: 2 ** 26,
      wordPieces: (modelId) => embedders.byModelId(modelId)?.wordPieces,
    }),
    embedders,
    gate: createWriteGate(),
    wakeUps: createWakeUps(),
    tokens: await createTokenCounter(),
    clock: clock ?? { nowMs: () => Date.UTC(2026, 0, 1) + memories * 1000 },
    ids: { next: () => `m${++memories}` },
    allowReset: false,
  });
}

/** Adds memories in the given order. */
export async function addAll(
  service: MemoryService,
  memories: readonly Omit<AddInput, "namespace">[],
): Promise<void> {
  for (const memory of memories) await service.add({ namespace, ...memory }, call);
}

/** Returns the contents of the hits, in order. */
export async function contentsOf(service: MemoryService, query: SearchQuery): Promise<string[]> {
  const { hits } = await service.search(query, call);
  return hits.map(({ memory }) => memory.content);
}
