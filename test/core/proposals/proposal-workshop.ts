import { createBlockService } from "../../../src/core/blocks/create-service.js";
import type { BlockService } from "../../../src/core/blocks/service.js";
import { createMemoryService } from "../../../src/core/memories/create-service.js";
import type { MemoryService } from "../../../src/core/memories/service.js";
import type { Clock } from "../../../src/core/ports/clock.js";
import { createEmbedders } from "../../../src/core/ports/embedder.js";
import type { Store } from "../../../src/core/ports/store.js";
import type { Timer } from "../../../src/core/ports/timer.js";
import {
  createProposalService,
  type OpenProposalService,
} from "../../../src/core/proposals/create-service.js";
import { createWakeUps } from "../../../src/core/requests/wake-ups.js";
import { createWriteGate } from "../../../src/core/vectors/write-gate.js";
import { createSearchIndex } from "../../../src/index/search-index.js";
import { memoryRecords } from "../../../src/store/codec/memory-records.js";
import { createInMemoryStore } from "../../../src/store/in-memory/in-memory-store.js";
import { createIdSource } from "../../../src/system/ids.js";
import { createTokenCounter } from "../../../src/tokens/o200k-token-counter.js";
import { createManualTimer } from "../../server/manual-timer.js";

/** Blocks, memories and proposals over one store, with a clock that stands still by default. */
export interface Workshop {
  readonly store: Store;
  readonly blocks: BlockService;
  readonly memories: MemoryService;
  readonly proposals: OpenProposalService;
}

const tokens = await createTokenCounter();

/** Creates the services over the store. Proposals expire after one second. */
export function createWorkshop(
  store: Store = createInMemoryStore("epoch"),
  clock: Clock = { nowMs: () => Date.UTC(2026, 0, 1) },
  timer: Timer = createManualTimer(),
): Workshop {
  const index = createSearchIndex({ codec: memoryRecords, store, maxBytes: 2 ** 26 });
  const parts = {
    store,
    index,
    embedders: createEmbedders(undefined),
    gate: createWriteGate(),
    timer,
    wakeUps: createWakeUps(),
    tokens,
    clock,
    ids: createIdSource(),
  };
  return {
    store,
    blocks: createBlockService(parts),
    memories: createMemoryService({ ...parts, allowReset: false }),
    proposals: createProposalService({ ...parts, lifetimeMs: 1000 }),
  };
}
