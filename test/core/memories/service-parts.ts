import { createEmbedders } from "../../../src/core/ports/embedder.js";
import type { Store } from "../../../src/core/ports/store.js";
import { createWakeUps } from "../../../src/core/requests/wake-ups.js";
import { createWriteGate } from "../../../src/core/vectors/write-gate.js";
import { createSearchIndex } from "../../../src/index/search-index.js";
import { memoryRecords } from "../../../src/store/codec/memory-records.js";
import { createTokenCounter } from "../../../src/tokens/o200k-token-counter.js";

const tokens = await createTokenCounter();

/**
 * Returns the dependencies of a memory service over a store. The service has no embedder, a clock
 * that stands still, and the ids m0001, m0002 and so on.
 */
export function partsOver(store: Store) {
  let ids = 0;
  return {
    store,
    index: createSearchIndex({ codec: memoryRecords, store, maxBytes: 2 ** 26 }),
    embedders: createEmbedders(undefined),
    gate: createWriteGate(),
    wakeUps: createWakeUps(),
    tokens,
    clock: { nowMs: () => Date.UTC(2026, 0, 1) },
    timer: { after: () => () => undefined },
    ids: { next: () => `m${String(++ids).padStart(4, "0")}` },
    allowReset: false,
  };
}
