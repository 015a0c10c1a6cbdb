import { join } from "node:path";
import { createMemoryService } from "../../src/core/memories/create-service.js";
import type { AddInput } from "../../src/core/memories/service.js";
import { endlessCall } from "../../src/core/ports/call.js";
import type { Clock } from "../../src/core/ports/clock.js";
import { createEmbedders, type Embedder } from "../../src/core/ports/embedder.js";
import { createWakeUps } from "../../src/core/requests/wake-ups.js";
import {
  defaultWeights,
  type SearchQuery,
  type SearchResult,
} from "../../src/core/search/query/search.js";
import { createWriteGate } from "../../src/core/vectors/write-gate.js";
import { createKnownWords } from "../../src/embed/static/known-words.js";
import { openStaticEmbedder } from "../../src/embed/static/static-embedder.js";
import { readVocabulary } from "../../src/embed/static/vocabulary.js";
import { createSearchIndex } from "../../src/index/search-index.js";
import { memoryRecords } from "../../src/store/codec/memory-records.js";
import { createInMemoryStore } from "../../src/store/in-memory/in-memory-store.js";
import { systemClock } from "../../src/system/clock.js";
import { createIdSource } from "../../src/system/ids.js";
import { systemTimer } from "../../src/system/timer.js";
import { createTokenCounter } from "../../src/tokens/o200k-token-counter.js";

/** The folder of the bundled model. */
export const bundledModel = join("models", "static-256");

/** The limit on indexes in bytes: enough for any benchmark. */
export const indexBytesMax = 2 ** 31;

/** The memory service of a server, in this process and in RAM. Each user has one namespace. */
export interface BenchService {
  /** Adds a memory and returns its id. */
  add(userId: string, memory: Omit<AddInput, "namespace">): Promise<string>;
  /** Searches with the defaults of Search, except for `options`. */
  search(userId: string, query: string, options?: Partial<SearchQuery>): Promise<SearchResult>;
}

/** Creates a service. Without an embedder, it searches by keywords alone. */
export async function createBenchService(
  embedder: Embedder | undefined,
  clock: Clock = systemClock,
): Promise<BenchService> {
  const store = createInMemoryStore("bench");
  const memories = createMemoryService({
    store,
    index: createSearchIndex({
      codec: memoryRecords,
      store,
      maxBytes: indexBytesMax,
      wordPieces: (modelId) => (modelId === embedder?.modelId ? embedder.wordPieces : undefined),
      isKnownWord: createKnownWords(await readVocabulary(bundledModel)),
    }),
    embedders: createEmbedders(embedder),
    gate: createWriteGate(),
    wakeUps: createWakeUps(),
    tokens: await createTokenCounter(),
    clock,
    timer: systemTimer,
    ids: createIdSource(),
    allowReset: false,
  });
  const namespaceOf = (userId: string) => ({ userId, agentId: "bench" });
  return {
    async add(userId, memory) {
      const { id } = await memories.add({ namespace: namespaceOf(userId), ...memory }, endlessCall);
      return id;
    },
    search: (userId, query, options) =>
      memories.search(
        {
          namespace: namespaceOf(userId),
          query,
          filter: {},
          order: "RELEVANCE",
          weights: defaultWeights,
          includeSuperseded: false,
          ...options,
        },
        endlessCall,
      ),
  };
}

/** Opens the embedder `local`. */
export function openBundledEmbedder(): Promise<Embedder> {
  return openStaticEmbedder({ folder: bundledModel });
}
