import { type Namespace, namespaceMapKey, scopeOf } from "../../core/model/namespace.js";
import type { NamespaceIndex, NearestQuery, SearchIndex } from "../../core/ports/search-index.js";
import type { Store, VectorProfile } from "../../core/ports/store.js";
import type { Collection } from "../../core/vectors/collection.js";
import type { NamespaceGraph, NearestLabels } from "../graph/namespace-graph.js";
import type { NamespaceGraphs } from "../graph/namespace-graphs.js";
import type { HotNamespaceIndex } from "../namespace-index.js";
import { createPause } from "../pause.js";
import type { IndexParts } from "../rows/index-rows.js";
import { catchUp, loadIndex } from "./load-index.js";
import type { NamespaceCache } from "./namespace-cache.js";

/** A namespace's index in memory. */
export interface HotNamespace {
  readonly index: HotNamespaceIndex;
  graph: NamespaceGraph | undefined;
}

/** A call of `read` that waits. */
interface Reader {
  readonly signal: AbortSignal;
  /** Ends the call: reads what `current` returns, or passes on what it throws. */
  end(current: () => HotNamespace): void;
}

/** What the indexes of a collection are made of. */
export interface HotNamespacesParts {
  readonly store: Store;
  readonly collection: Collection;
  readonly parts: IndexParts;
  /** Where indexes are kept, also those of other collections. */
  readonly hot: NamespaceCache<HotNamespace>;
  /** The room there, for indexes that have graphs. */
  readonly maxBytes: number;
  /** Absent: none has a graph, and all vectors are compared. */
  readonly graphs?: NamespaceGraphs;
}

/** The indexes of all namespaces of one collection. Calls for one namespace are served in batches: all that wait share one snapshot and one load or catch-up. */
export class HotNamespaces implements SearchIndex {
  readonly #store: Store;
  readonly #collection: Collection;
  readonly #parts: IndexParts;
  readonly #hot: NamespaceCache<HotNamespace>;
  readonly #maxBytes: number;
  readonly #graphs: NamespaceGraphs | undefined;
  /** Readers by namespace; while an entry exists, somebody serves it. */
  readonly #waiting = new Map<string, Reader[]>();
  readonly #serving = new Set<Promise<void>>();
  #isClosed = false;

  constructor({ store, collection, parts, hot, maxBytes, graphs }: HotNamespacesParts) {
    this.#store = store;
    this.#collection = collection;
    this.#parts = parts;
    this.#hot = hot;
    this.#maxBytes = maxBytes;
    this.#graphs = graphs;
  }

  async profileOf(namespace: Namespace): Promise<VectorProfile | undefined> {
    const known = this.#hot.peek(this.#mapKey(namespace));
    if (known !== undefined) return known.index.profile;
    await using snapshot = await this.#store.snapshot(scopeOf(namespace));
    return await snapshot.get("profiles", namespace, this.#collection.profileKey);
  }

  async read<T>(
    namespace: Namespace,
    signal: AbortSignal,
    read: (index: NamespaceIndex, nearest: Int32Array | undefined) => T,
    wanted?: NearestQuery,
  ): Promise<T> {
    const mapKey = this.#mapKey(namespace);
    const graph = wanted && this.#hot.get(mapKey)?.graph;
    // What is committed meanwhile is not lost: rows that the graph did not have are added once the index has caught up.
    const found = graph && (await graph.find(wanted));
    return this.#enqueue(namespace, mapKey, signal, (current) =>
      read(current.index, nearestRows(current, found)),
    );
  }

  /** Resolves when no call is being served any more. */
  async settled(): Promise<void> {
    await Promise.all(this.#serving);
  }

  /** Ends the loading of namespaces that nobody waits for. */
  close(): void {
    this.#isClosed = true;
  }

  /** Apart from those of the other collections. */
  #mapKey(namespace: Namespace): string {
    return `${this.#collection.table} ${namespaceMapKey(namespace)}`;
  }

  /** Calls `read` with the namespace at the last durable commit. */
  #enqueue<T>(
    namespace: Namespace,
    mapKey: string,
    signal: AbortSignal,
    read: (current: HotNamespace) => T,
  ): Promise<T> {
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
        if ([...readers, ...queue].every(({ signal }) => signal.aborted))
          readers[0]?.signal.throwIfAborted();
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
  async #bringUp(
    namespace: Namespace,
    mapKey: string,
    throwIfUnwanted: () => void,
  ): Promise<HotNamespace> {
    await using snapshot = await this.#store.snapshot(scopeOf(namespace));
    const kept = this.#hot.get(mapKey);
    // What made catching up fail shows again when loading, if it lasts.
    const isCurrent =
      kept !== undefined &&
      (await catchUp(kept.index, this.#collection, this.#store, snapshot, namespace).catch(
        () => false,
      ));
    if (isCurrent) return kept;
    this.#hot.delete(mapKey);
    throwIfUnwanted();
    // Once begun it goes on although all have left: one that takes longer than callers wait would never come to an end.
    const index = await loadIndex(this.#parts, this.#collection, snapshot, namespace, () => {
      if (this.#isClosed) throwIfUnwanted();
    });
    this.#graphs?.forget(namespace, index);
    return { index, graph: undefined };
  }

  /** Keeps a namespace in memory and has its graph follow. */
  #keep(namespace: Namespace, mapKey: string, current: HotNamespace): void {
    const { index } = current;
    current.graph = this.#graphs?.attend(namespace, index, current.graph, this.#maxBytes);
    this.#hot.set(mapKey, current, index.bytes + (current.graph?.bytes ?? 0));
  }
}

/** Ends the graph of a namespace that is not kept any more. */
export function giveUpGraph(namespace: HotNamespace): void {
  namespace.graph?.close();
  namespace.graph = undefined;
}

/** The rows that a graph has found, if the namespace still has that graph. */
function nearestRows(
  { graph }: HotNamespace,
  found: NearestLabels | undefined,
): Int32Array | undefined {
  return found !== undefined && found.from === graph ? found.from.nearestRows(found) : undefined;
}
