import { createHash } from "node:crypto";
import { createMemoryService } from "../../../src/core/memories/create-service.js";
import type { MemoryService } from "../../../src/core/memories/service.js";
import { type Namespace, scopeOf } from "../../../src/core/model/namespace.js";
import { createEmbedders, type Embedder } from "../../../src/core/ports/embedder.js";
import type { Store, VectorProfile } from "../../../src/core/ports/store.js";
import { createReindexer } from "../../../src/core/reindex/create-reindexer.js";
import type { ReindexEvent, Reindexer } from "../../../src/core/reindex/reindex.js";
import { createWakeUps } from "../../../src/core/requests/wake-ups.js";
import { otherVectorTable, vectorTableOf } from "../../../src/core/vectors/collection.js";
import { createWriteGate } from "../../../src/core/vectors/write-gate.js";
import { createSearchIndex } from "../../../src/index/search-index.js";
import { memoryRecords } from "../../../src/store/codec/memory-records.js";
import { createTokenCounter } from "../../../src/tokens/o200k-token-counter.js";
import { createManualTimer } from "../../server/manual-timer.js";

const tokens = await createTokenCounter();

/** A model that gives each text its own vector. A text of only dots gets a vector of zeros. */
export interface TestModel extends Embedder {
  vectorOf(text: string): Float32Array;
  /** All embedded texts, in order. */
  readonly embedded: readonly string[];
  /** Sets a hook that runs before each later embedding. */
  beforeEmbedding(
    hook: (texts: readonly string[], signal: AbortSignal) => Promise<void> | void,
  ): void;
}

export function testModel(modelId: string, dimension = 8): TestModel {
  const embedded: string[] = [];
  let before: (texts: readonly string[], signal: AbortSignal) => Promise<void> | void = () =>
    undefined;
  const vectorOf = (text: string): Float32Array => {
    if (/^\.*$/.test(text)) return new Float32Array(dimension);
    const bytes = createHash("sha256").update(`${modelId} ${text}`).digest();
    const raw = Float32Array.from({ length: dimension }, (_, i) => (bytes[i] ?? 0) - 127.5);
    const length = Math.hypot(...raw);
    return raw.map((value) => value / length);
  };
  return {
    modelId,
    dimension,
    calibration: { vectorWeight: 0.4, randomScore: 0.05, paraphraseScore: 0.5 },
    async embed(texts, signal) {
      await before(texts, signal);
      embedded.push(...texts);
      return texts.map(vectorOf);
    },
    vectorOf,
    embedded,
    beforeEmbedding(hook) {
      before = hook;
    },
  };
}

/** The services of one server over a store. */
export interface Domain {
  readonly memories: MemoryService;
  readonly reindexer: Reindexer;
}

/** Creates the services of a server with one configured model and further models. */
export function createDomain(
  store: Store,
  configured: Embedder | undefined,
  others: readonly Embedder[] = [],
  gatedMaxMs = 10_000,
): Domain {
  const embedders = createEmbedders(configured, others);
  const gate = createWriteGate();
  let made = 0;
  const prefix = String(++domains).padStart(4, "0");
  const memories = createMemoryService({
    timer: createManualTimer(),
    store,
    index: createSearchIndex({ codec: memoryRecords, store, maxBytes: 2 ** 26 }),
    embedders,
    gate,
    wakeUps: createWakeUps(),
    tokens,
    clock: { nowMs: () => Date.UTC(2026, 0, 1) + made },
    ids: { next: () => `m${prefix}-${String(++made).padStart(6, "0")}` },
    allowReset: true,
  });
  return { memories, reindexer: createReindexer({ store, embedders, gate, gatedMaxMs }) };
}

let domains = 0;

/** The vectors of a namespace in the store. */
export interface StoredVectors {
  readonly profile: VectorProfile | undefined;
  /** Vectors in use. The key is the text of the memory, or its id if the memory is missing. */
  readonly byText: ReadonlyMap<string, Float32Array>;
  /** Texts of all memories. */
  readonly texts: readonly string[];
  /** Number of vectors in the table that is not in use. */
  readonly unused: number;
}

export async function storedVectors(store: Store, namespace: Namespace): Promise<StoredVectors> {
  await using snapshot = await store.snapshot(scopeOf(namespace));
  const profile = await snapshot.get("profiles", namespace, "vectors");
  const textOf = new Map<string, string>();
  for await (const [id, { content }] of snapshot.scan("memories", namespace))
    textOf.set(id, content);
  const byText = new Map<string, Float32Array>();
  for await (const [id, vector] of snapshot.scan(vectorTableOf(profile), namespace))
    byText.set(textOf.get(id) ?? id, vector);
  return {
    profile,
    byText,
    texts: [...textOf.values()],
    unused: await snapshot.count(otherVectorTable(profile), namespace),
  };
}

/** Returns the vectors, by text, that the store should have after a model embedded all texts. */
export function allEmbeddedBy(
  model: TestModel,
  texts: readonly string[],
): ReadonlyMap<string, Float32Array> {
  return new Map(
    texts
      .filter((text) => model.vectorOf(text).some((value) => value !== 0))
      .map((text) => [text, model.vectorOf(text)]),
  );
}

/** Collects all events of a Reindex. */
export async function collectEvents(events: AsyncIterable<ReindexEvent>): Promise<ReindexEvent[]> {
  const all: ReindexEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}
