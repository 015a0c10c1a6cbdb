import { createBlockService } from "../../../src/core/blocks/create-service.js";
import type { BlockService } from "../../../src/core/blocks/service.js";
import { createErasureService } from "../../../src/core/erasure/create-service.js";
import type { ErasureService } from "../../../src/core/erasure/service.js";
import { createKeyValueService } from "../../../src/core/key-values/create-service.js";
import type { KeyValueService } from "../../../src/core/key-values/service.js";
import { createMemoryService } from "../../../src/core/memories/create-service.js";
import type { MemoryService } from "../../../src/core/memories/service.js";
import { endlessCall } from "../../../src/core/ports/call.js";
import { createEmbedders } from "../../../src/core/ports/embedder.js";
import type { Store } from "../../../src/core/ports/store.js";
import { createProposalService } from "../../../src/core/proposals/create-service.js";
import type { ProposalService } from "../../../src/core/proposals/service.js";
import { createWakeUps } from "../../../src/core/requests/wake-ups.js";
import { createSkillService } from "../../../src/core/skills/create-service.js";
import type { SkillService } from "../../../src/core/skills/service.js";
import { createSkillUses } from "../../../src/core/skills/skill-uses.js";
import { createThreadService } from "../../../src/core/threads/create-service.js";
import type { ThreadService } from "../../../src/core/threads/service.js";
import { createToolService } from "../../../src/core/tools/create-service.js";
import type { ToolService } from "../../../src/core/tools/service.js";
import { createWriteGate } from "../../../src/core/vectors/write-gate.js";
import { createSearchIndex } from "../../../src/index/search-index.js";
import { memoryRecords } from "../../../src/store/codec/memory-records.js";
import { createInMemoryStore } from "../../../src/store/in-memory/in-memory-store.js";
import { createTokenCounter } from "../../../src/tokens/o200k-token-counter.js";

export const namespace = { userId: "kim", agentId: "guide" };
export const call = endlessCall;
const tokens = await createTokenCounter();

/** All services over one store, with a clock that stands still. */
export interface World {
  readonly store: Store;
  readonly memories: MemoryService;
  readonly threads: ThreadService;
  readonly blocks: BlockService;
  readonly proposals: ProposalService;
  readonly keyValues: KeyValueService;
  readonly skills: SkillService;
  readonly tools: ToolService;
  readonly erasures: ErasureService;
}

/**
 * Creates a world with the block `notes`, the pending proposals `id` and `id2`, the memory `id22`,
 * and the rejected proposal `id222`.
 */
export async function createWorld(
  wrap: (store: Store) => Store = (store) => store,
): Promise<World> {
  const plain = createInMemoryStore("epoch");
  const wrapped = wrap(plain);
  // Wrapped only once the records below exist, so that these get the ids that the examples name.
  let isReady = false;
  const update: Store["update"] = (scope, transact) =>
    (isReady ? wrapped : plain).update(scope, transact);
  const store = Object.create(plain, { update: { value: update } }) as Store;
  const index = createSearchIndex({ codec: memoryRecords, store, maxBytes: 2 ** 26 });
  const clock = { nowMs: () => Date.UTC(2026, 0, 1) };
  const timer = { after: () => () => undefined };
  const log = { queryFailed: () => undefined, traceLost: () => undefined };
  let count = 0;
  const parts = {
    store,
    index,
    embedders: createEmbedders(undefined),
    gate: createWriteGate(),
    wakeUps: createWakeUps(),
    tokens,
    clock,
    timer,
    ids: { next: () => `id${"2".repeat(count++)}` },
  };
  const uses = createSkillUses({ store, timer, onFailure: () => undefined });
  const world = {
    store,
    memories: createMemoryService({ ...parts, allowReset: true }),
    threads: createThreadService(parts),
    blocks: createBlockService(parts),
    proposals: createProposalService({ ...parts, lifetimeMs: 1000 }),
    keyValues: createKeyValueService(parts),
    erasures: createErasureService(parts),
    skills: createSkillService({ ...parts, index: index.skills, uses }),
    tools: createToolService({ ...parts, timer, log }),
  };
  await world.blocks.put({ userId: "kim", label: "notes", body: "red wine", writtenBy: "kim" });
  const target = { kind: "block", label: "notes" } as const;
  const edit = { oldString: "red", newString: "white", replaceAll: false, reasoning: "said so" };
  await world.proposals.propose({ namespace, target, ...edit });
  await world.proposals.propose({ namespace, target, ...edit });
  await world.memories.add({ namespace, content: "red wine", embedding: vector(1, 2) }, call);
  await world.proposals.propose({ namespace, target, ...edit, newString: "pink" });
  await world.proposals.reject({ userId: "kim", id: "id222", reason: "", decidedBy: "kim" });
  isReady = true;
  return world;
}

/** Returns a vector of a caller. */
export function vector(...values: number[]): Float32Array {
  return Float32Array.from(values);
}

/** Registers version 1 of the tool `writer`, which may write memories. */
export async function registerWriter({ tools }: World): Promise<void> {
  const types = ["EPISODIC", "WORKING", "SCRATCH_PAGE"] as const;
  const rights = { enabled: false, write: true, kinds: [], tags: [] };
  const memoryAccess = types.map((memoryType) => ({ memoryType, ...rights }));
  await tools.registerTool({ manifest: { toolId: "writer", version: "1", memoryAccess } });
}
