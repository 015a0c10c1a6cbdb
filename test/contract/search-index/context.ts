import type { Memory } from "../../../src/core/model/memory.js";
import { type Namespace, scopeOf } from "../../../src/core/model/namespace.js";
import type {
  IndexQuery,
  NamespaceIndex,
  NearestQuery,
  SearchIndex,
} from "../../../src/core/ports/search-index.js";
import type { Store, Transaction } from "../../../src/core/ports/store.js";
import { type Hit, hitsOf } from "../index-hits.js";
import { sampleMemory } from "../sample-records.js";

export const notes: Namespace = { userId: "kim", agentId: "notes" };
export const tasks: Namespace = { userId: "kim", agentId: "tasks" };
export const signal = new AbortController().signal;

/** Writes a memory, and its vector if there is one, as the domain does. */
export function putMemory(
  tx: Transaction,
  namespace: Namespace,
  memory: Memory,
  vector?: Float32Array,
): void {
  tx.put("memories", namespace, memory.id, memory);
  if (vector === undefined) {
    tx.delete("vectors", namespace, memory.id);
    return;
  }
  tx.put("vectors", namespace, memory.id, vector);
  tx.put("profiles", namespace, "vectors", { modelId: "test@1", dimension: vector.length });
}

/** Returns a query for the 1,000 memories nearest to a vector. */
function nearestTo(vector: Float32Array): NearestQuery {
  return { vector, count: 1_000, accepts: () => true };
}

/** The index under test and its store, with helpers for their most frequent uses. */
export interface IndexContext {
  readonly store: Store;
  readonly index: SearchIndex;
  /** Creates another index of the store, which has loaded nothing yet. */
  createIndex(): SearchIndex;
  write(namespace: Namespace, change: (tx: Transaction) => void): Promise<unknown>;
  /** Writes a memory with required fields only. */
  add(namespace: Namespace, id: string, content: string, vector?: Float32Array): Promise<unknown>;
  /**
   * Returns the scores of all candidates of a query, by the id of the memory.
   *
   * @param from the index to ask; default: the index under test
   */
  hits(namespace: Namespace, query: IndexQuery, from?: SearchIndex): Promise<Map<string, Hit>>;
  /** Returns the ids of all candidates of a query, sorted. */
  found(namespace: Namespace, query: IndexQuery): Promise<string[]>;
}

/** What `createIndexContext` needs. */
export interface ContextParts {
  readonly store: () => Store;
  readonly index: () => SearchIndex;
  readonly createIndex: (store: Store) => SearchIndex;
  readonly beforeRead: (index: SearchIndex) => Promise<void>;
}

export function createIndexContext(parts: ContextParts): IndexContext {
  const context: IndexContext = {
    get store() {
      return parts.store();
    },
    get index() {
      return parts.index();
    },
    createIndex: () => parts.createIndex(parts.store()),
    write: (namespace, change) =>
      parts.store().update(scopeOf(namespace), async (tx) => change(tx)),
    add: (namespace, id, content, vector) =>
      context.write(namespace, (tx) => putMemory(tx, namespace, sampleMemory(id, content), vector)),
    async hits(namespace, query, from = parts.index()) {
      await parts.beforeRead(from);
      const read = (opened: NamespaceIndex, nearest: Int32Array | undefined) =>
        hitsOf(opened, { ...query, ...(nearest && { nearest }) });
      return from.read(namespace, signal, read, query.vector && nearestTo(query.vector));
    },
    found: async (namespace, query) => [...(await context.hits(namespace, query)).keys()].sort(),
  };
  return context;
}
