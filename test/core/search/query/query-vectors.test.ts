import { describe, expect, test } from "vitest";
import { createMemoryService } from "../../../../src/core/memories/create-service.js";
import { VademecumError } from "../../../../src/core/model/errors.js";
import { endlessCall } from "../../../../src/core/ports/call.js";
import { createEmbedders, type Embedder } from "../../../../src/core/ports/embedder.js";
import { createWakeUps } from "../../../../src/core/requests/wake-ups.js";
import { queryVectorTimeoutMs } from "../../../../src/core/search/query/query-vectors.js";
import { createWriteGate } from "../../../../src/core/vectors/write-gate.js";
import { createSearchIndex } from "../../../../src/index/search-index.js";
import { memoryRecords } from "../../../../src/store/codec/memory-records.js";
import { createInMemoryStore } from "../../../../src/store/in-memory/in-memory-store.js";
import { createTokenCounter } from "../../../../src/tokens/o200k-token-counter.js";
import { createManualTimer } from "../../../server/manual-timer.js";
import { testModel } from "../../reindex/reindex-domain.js";
import { call, namespace, queryOf } from "../search-service.js";

/** Creates a service, adds one memory, and then replaces the model by the function `embed`. */
async function createServiceOver(embed: Embedder["embed"]) {
  const store = createInMemoryStore("epoch");
  const timer = createManualTimer();
  const model = testModel("model@1");
  let answer: Embedder["embed"] = (texts, signal) => model.embed(texts, signal);
  const embedder = {
    ...model,
    embed: (texts: readonly string[], signal: AbortSignal) => answer(texts, signal),
  };
  let ids = 0;
  const memories = createMemoryService({
    store,
    timer,
    index: createSearchIndex({ codec: memoryRecords, store, maxBytes: 2 ** 26 }),
    embedders: createEmbedders(embedder),
    gate: createWriteGate(),
    wakeUps: createWakeUps(),
    tokens: await createTokenCounter(),
    clock: { nowMs: () => Date.UTC(2026, 0, 1) },
    ids: { next: () => `m${++ids}` },
    allowReset: false,
  });
  await memories.add({ namespace, content: "red wine" }, call);
  answer = embed;
  return { memories, timer };
}

const down = (reason: string) => async () => {
  throw new VademecumError("UNAVAILABLE", reason, "the endpoint cannot be reached");
};

describe("a search whose model makes no vector", () => {
  test.each(["EMBEDDER_UNAVAILABLE", "EMBEDDER_BUSY"])(
    "a search whose model fails with %s is answered by keywords, and its summary says why",
    async (reason) => {
      const { memories } = await createServiceOver(down(reason));
      const { hits, summary } = await memories.search(queryOf("wine"), call);
      expect(hits.map(({ memory }) => memory.content)).toEqual(["red wine"]);
      expect(summary.keywordsOnlyReason).toBe(
        "the search used keywords only, because the endpoint cannot be reached",
      );
    },
  );

  test("a search is answered by keywords when the model does not answer within three seconds", async () => {
    const { memories, timer } = await createServiceOver(
      (_, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason as Error));
          timer.pass(queryVectorTimeoutMs);
        }),
    );
    const { hits, summary } = await memories.search(queryOf("wine"), call);
    expect(hits).toHaveLength(1);
    expect(summary.keywordsOnlyReason).toBe(
      "the search used keywords only, because the embedding model took longer than 3000 ms",
    );
  });

  test("a search fails when the settings of the model are wrong", async () => {
    const { memories } = await createServiceOver(down("EMBEDDER_MISCONFIGURED"));
    await expect(memories.search(queryOf("wine"), call)).rejects.toMatchObject({
      reason: "EMBEDDER_MISCONFIGURED",
    });
  });

  test("a search fails when its call ends while the model embeds the query", async () => {
    const controller = new AbortController();
    const gone = new Error("the client is gone");
    const { memories } = await createServiceOver(async (_, signal) => {
      controller.abort(gone);
      signal.throwIfAborted();
      return [];
    });
    const leaving = {
      ...endlessCall,
      throwIfEnded: () => controller.signal.throwIfAborted(),
      signal: controller.signal,
    };
    await expect(memories.search(queryOf("wine"), leaving)).rejects.toBe(gone);
  });
});
