import { type Namespace, namespaceMapKey, scopeOf } from "../core/namespace.js";
import type { NamespaceIndex, NearestQuery, SearchIndex } from "../core/search-index.js";
import type { Store, VectorProfile } from "../core/store.js";
import { profileKey } from "../core/vectors.js";
import type { NamespaceGraph, NearestLabels } from "./graph/namespace-graph.js";
import { type GraphOptions, NamespaceGraphs } from "./graph/namespace-graphs.js";
import { createAnalyzer } from "./keyword/analyzer.js";
import { catchUp, loadIndex } from "./load-index.js";
import { NamespaceCache } from "./namespace-cache.js";
import type { HotNamespaceIndex, IndexParts } from "./namespace-index.js";
import { createPause } from "./pause.js";
import { contextWeights } from "./thread/context-weights.js";
import { loadKernelModule } from "./vector/kernel.js";

export interface SearchIndexOptions {
  readonly store: Store;
  /** About how much memory the indexes may take together. Of those that are larger by themselves the one used last is kept beside all others. */
  readonly maxBytes: number;
  /** How large namespaces get graphs. Absent: they get none, and all vectors are compared. */
  readonly graphs?: GraphOptions;
}

/** A search index that also works in the background. */
export interface HotSearchIndex extends SearchIndex {
  /** Resolves when nothing is left to do in the background for what was read so far. */
  settled(): Promise<void>;
  /** Ends all work in the background, also the loading of namespaces that nobody waits for, and resolves when the store is not used any more. What is read afterwards is read without graphs. */
  close(): Promise<void>;
}

/** Indexes in this process' memory. Calls for one namespace are served in batches: all that wait share one snapshot and one load or catch-up. */
export function createSearchIndex(options: SearchIndexOptions): HotSearchIndex {
  return new HotNamespaces(options);
}

/** A namespace in memory. */
interface HotNamespace {
  readonly index: HotNamespaceIndex;
  graph: NamespaceGraph | undefined;
}

/** A call of `read` that waits. */
interface Reader {
  readonly signal: AbortSignal;
  /** Ends the call: reads what `current` returns, or passes on what it throws. */
  end(current: () => HotNamespace): void;
}

class HotNamespaces implements HotSearchIndex {
  readonly #store: Store;
  readonly #maxBytes: number;
  readonly #parts: IndexParts = { analyzer: createAnalyzer(), context: contextWeights, kernel: loadKernelModule() };
  readonly #graphs: NamespaceGraphs | undefined;
  readonly #swept: Promise<void> | undefined;
  readonly #hot: NamespaceCache<HotNamespace>;
  /** Readers by namespace; while an entry exists, somebody serves it. */
  readonly #waiting = new Map<string, Reader[]>();
  readonly #serving = new Set<Promise<void>>();
  #isClosed = false;

  constructor({ store, maxBytes, graphs }: SearchIndexOptions) {
    this.#store = store;
    this.#maxBytes = maxBytes;
    this.#graphs = graphs && new NamespaceGraphs(graphs);
    this.#swept = this.#graphs?.sweep(store);
    this.#hot = new NamespaceCache(maxBytes, giveUpGraph);
  }

  async profileOf(namespace: Namespace): Promise<VectorProfile | undefined> {
    const known = this.#hot.peek(namespaceMapKey(namespace));
    if (known !== undefined) return known.index.profile;
    const snapshot = await this.#store.snapshot(scopeOf(namespace));
    try {
      return await snapshot.get("profiles", namespace, profileKey);
    } finally {
      await snapshot.close();
    }
  }

  async read<T>(
    namespace: Namespace,
    signal: AbortSignal,
    read: (index: NamespaceIndex, nearest: Int32Array | undefined) => T,
    wanted?: NearestQuery,
  ): Promise<T> {
    const mapKey = namespaceMapKey(namespace);
    const graph = wanted && this.#hot.get(mapKey)?.graph;
    // What is committed meanwhile is not lost: rows that the graph did not have are added once the index has caught up.
    const found = graph && (await graph.find(wanted));
    return this.#enqueue(namespace, mapKey, signal, (current) => read(current.index, nearestRows(current, found)));
  }

  async settled(): Promise<void> {
    await this.#swept;
    await Promise.all(this.#serving);
    for (const { graph } of this.#hot.values()) await graph?.settled();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const ended = this.#graphs?.end();
    this.#hot.clear();
    await Promise.all([ended, this.#swept, ...this.#serving]);
  }

  /** Calls `read` with the namespace at the last durable commit. */
  #enqueue<T>(namespace: Namespace, mapKey: string, signal: AbortSignal, read: (current: HotNamespace) => T): Promise<T> {
    // Up to its first `await`, of which it has none, an async function runs at once.
    const end = async (current: () => HotNamespace): Promise<T> => {
      signal.throwIfAborted();
      return read(current());
    };
    return new Promise((resolve) => {
      const reader: Reader = { signal, end: (current) => resolve(end(current)) };
      const queue = this.#waiting.get(mapKey);
      if (queue !== undefined) {
        queue.push(reader);
        return;
      }
      const begun = [reader];
      this.#waiting.set(mapKey, begun);
      const served = this.#serve(namespace, mapKey, begun);
      this.#serving.add(served);
      void served.then(() => this.#serving.delete(served));
    });
  }

  async #serve(namespace: Namespace, mapKey: string, queue: Reader[]): Promise<void> {
    while (queue.length > 0) {
      // Whoever comes later may have seen a later commit acknowledged and needs a later snapshot.
      const readers = queue.splice(0);
      const throwIfUnwanted = (): void => {
        if ([...readers, ...queue].every(({ signal }) => signal.aborted)) readers[0]?.signal.throwIfAborted();
      };
      try {
        const current = await this.#bringUp(namespace, mapKey, throwIfUnwanted);
        const pause = createPause();
        for (const reader of readers) {
          reader.end(() => current);
          await pause();
        }
        this.#keep(namespace, mapKey, current);
      } catch (error) {
        const fail = (): never => {
          throw error;
        };
        for (const reader of readers) reader.end(fail);
      }
    }
    this.#waiting.delete(mapKey);
  }

  /** The namespace at the last durable commit. */
  async #bringUp(namespace: Namespace, mapKey: string, throwIfUnwanted: () => void): Promise<HotNamespace> {
    const snapshot = await this.#store.snapshot(scopeOf(namespace));
    try {
      const kept = this.#hot.get(mapKey);
      // What made catching up fail shows again when loading, if it lasts.
      const isCurrent = kept !== undefined && (await catchUp(kept.index, this.#store, snapshot, namespace).catch(() => false));
      if (isCurrent) return kept;
      this.#hot.delete(mapKey);
      throwIfUnwanted();
      // Once begun it goes on although all have left: one that takes longer than callers wait would never come to an end.
      const index = await loadIndex(this.#parts, snapshot, namespace, () => {
        if (this.#isClosed) throwIfUnwanted();
      });
      this.#graphs?.forget(namespace, index);
      return { index, graph: undefined };
    } finally {
      await snapshot.close();
    }
  }

  /** Keeps a namespace in memory and has its graph follow. */
  #keep(namespace: Namespace, mapKey: string, current: HotNamespace): void {
    const { index } = current;
    current.graph = this.#graphs?.attend(namespace, index, current.graph, this.#maxBytes);
    this.#hot.set(mapKey, current, index.bytes + (current.graph?.bytes ?? 0));
  }
}

function giveUpGraph(namespace: HotNamespace): void {
  namespace.graph?.close();
  namespace.graph = undefined;
}

/** The rows that a graph has found, if the namespace still has that graph. */
function nearestRows({ graph }: HotNamespace, found: NearestLabels | undefined): Int32Array | undefined {
  return found !== undefined && found.from === graph ? found.from.nearestRows(found) : undefined;
}
