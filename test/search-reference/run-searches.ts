import { fillNamespace } from "../../bench/harness/fill-store.js";
import { createMemoryService } from "../../src/core/memories/create-service.js";
import { insertMemory } from "../../src/core/memories/records.js";
import type { MemoryService } from "../../src/core/memories/service.js";
import { allTypes } from "../../src/core/model/memory.js";
import { scopeOf } from "../../src/core/model/namespace.js";
import { endlessCall } from "../../src/core/ports/call.js";
import { createEmbedders, type Embedder } from "../../src/core/ports/embedder.js";
import type { NamespaceIndex, Row, SearchIndex } from "../../src/core/ports/search-index.js";
import type { Store } from "../../src/core/ports/store.js";
import { createWakeUps } from "../../src/core/requests/wake-ups.js";
import type { SearchResult } from "../../src/core/search/query/search.js";
import { callerModelId } from "../../src/core/vectors/vectors.js";
import { createWriteGate } from "../../src/core/vectors/write-gate.js";
import { createKnownWords } from "../../src/embed/static/known-words.js";
import { readVocabulary } from "../../src/embed/static/vocabulary.js";
import { createSearchIndex } from "../../src/index/search-index.js";
import { memoryRecords } from "../../src/store/codec/memory-records.js";
import { createInMemoryStore } from "../../src/store/in-memory/in-memory-store.js";
import { createTokenCounter } from "../../src/tokens/o200k-token-counter.js";
import { createManualTimer } from "../server/manual-timer.js";
import {
  callerDimension,
  callerVector,
  type FilledNamespace,
  filledNamespaces,
  nowMs,
} from "./namespaces.js";
import { type ReferenceQuery, referenceQueries } from "./queries.js";

const call = endlessCall;

/** Number of omitted matches of a result that are compared. The others are only counted. */
const comparedOmissions = 3;

/** Distance between the rows that the simulated graph finds. */
const graphStep = 3;

/**
 * Runs all queries of the reference. Returns one outcome for each, made of JSON values.
 *
 * @param embedder The bundled model.
 * @param modelFolder The folder of that model.
 */
export async function runSearches(embedder: Embedder, modelFolder: string): Promise<unknown[]> {
  const tokens = await createTokenCounter();
  const namespaces = filledNamespaces((content) => tokens.count(content));
  const store = createInMemoryStore("reference");
  for (const namespace of namespaces) await fill(store, namespace, embedder);
  const graph = { isOn: false };
  const index = createSearchIndex({
    codec: memoryRecords,
    store,
    maxBytes: 2 ** 28,
    wordPieces: (modelId) => (modelId === embedder.modelId ? embedder.wordPieces : undefined),
    isKnownWord: createKnownWords(await readVocabulary(modelFolder)),
  });
  const service = createMemoryService({
    store,
    index: withGraph(index, graph),
    embedders: createEmbedders(embedder),
    gate: createWriteGate(),
    wakeUps: createWakeUps(),
    tokens,
    clock: { nowMs: () => nowMs },
    timer: createManualTimer(),
    ids: { next: () => "unused" },
    allowReset: false,
  });
  const outcomes: unknown[] = [];
  for (const asked of referenceQueries(namespaces)) {
    graph.isOn = asked.hasGraph;
    outcomes.push(await outcomeOf(service, asked));
  }
  await index.close();
  return outcomes;
}

async function fill(store: Store, filled: FilledNamespace, embedder: Embedder): Promise<void> {
  const { agentId, memories, vectors } = filled;
  const namespace = { userId: "reference", agentId };
  if (vectors !== "caller") {
    await fillNamespace(store, namespace, memories, vectors === "none" ? undefined : embedder);
    return;
  }
  const profile = { modelId: callerModelId, dimension: callerDimension };
  await store.update(scopeOf(namespace), async (tx) => {
    for (const [at, memory] of memories.entries())
      await insertMemory(tx, namespace, memory, { vector: callerVector(-at), profile }, undefined);
  });
}

/**
 * Wraps an index. While `graph.isOn`, each read that wants nearest memories gets every third row,
 * as if a graph had found these rows.
 */
function withGraph(index: SearchIndex, graph: { readonly isOn: boolean }): SearchIndex {
  return {
    profileOf: (namespace) => index.profileOf(namespace),
    readLoaded: (namespace, signal, read) => index.readLoaded(namespace, signal, read),
    release: (namespace) => index.release(namespace),
    read: (namespace, signal, read, wanted) =>
      index.read(namespace, signal, (current) =>
        read(current, graph.isOn && wanted !== undefined ? rowsOfGraph(current) : undefined),
      ),
  };
}

function rowsOfGraph({ rowLimit, traits }: NamespaceIndex): Int32Array {
  return Int32Array.from(
    { length: Math.floor(rowLimit / graphStep) },
    (_, at) => at * graphStep,
  ).filter((row) => traits.isOfType(row as Row, allTypes));
}

async function outcomeOf(service: MemoryService, asked: ReferenceQuery): Promise<unknown> {
  const { query, rpc, explains } = asked;
  try {
    if (explains !== undefined) return asJson(await service.explain(query, explains, call));
    const result = await service[rpc](query, call);
    return asJson({ ...comparedParts(result), text: "text" in result ? result.text : undefined });
  } catch (error) {
    return { error: String(error) };
  }
}

/** Returns the parts of a result that are compared. A memory is compared by its id. */
function comparedParts({ hits, summary }: SearchResult): object {
  const { omitted, commitSeq: _commitSeq, ...receipt } = summary;
  return {
    hits: hits.map(({ memory, excerpt, ...scored }) => ({
      id: memory.id,
      ...scored,
      excerpt: excerpt ? memory.content : undefined,
    })),
    summary: { ...receipt, omitted: omitted.slice(0, comparedOmissions), listed: omitted.length },
  };
}

/** Returns JSON values. Rounds numbers to seven decimals, so that the file is small. */
function asJson(value: object): unknown {
  return JSON.parse(
    JSON.stringify(value, (_, one: unknown) =>
      typeof one === "number" ? Math.round(one * 1e7) / 1e7 : one,
    ),
  );
}
