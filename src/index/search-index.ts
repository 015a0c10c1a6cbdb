import { LRUCache } from "lru-cache";
import { type Namespace, namespaceMapKey, scopeOf } from "../core/namespace.js";
import type { NamespaceIndex, SearchIndex } from "../core/search-index.js";
import type { Store } from "../core/store.js";
import { createAnalyzer } from "./keyword/analyzer.js";
import { catchUp, loadIndex } from "./load-index.js";
import type { HotNamespaceIndex, IndexParts } from "./namespace-index.js";
import { createPause } from "./pause.js";
import { loadKernelModule } from "./vector/kernel.js";

/** Most indexes kept, however small they are. Each WebAssembly memory reserves 10 GiB of addresses, and a process has 128 TiB of them. */
const hotNamespacesMax = 8_192;

export interface SearchIndexOptions {
  readonly store: Store;
  /** About how much memory the indexes may take together. An index that is larger by itself is dropped again after each use. */
  readonly maxBytes: number;
}

/** A call of `read` that waits. */
interface Reader {
  readonly signal: AbortSignal;
  /** Ends the call: reads the index that `current` returns, or passes on what it throws. */
  end(current: () => NamespaceIndex): void;
}

/** Indexes in this process' memory. Calls for one namespace are served in batches: all that wait share one snapshot and one load or catch-up. */
export function createSearchIndex({ store, maxBytes }: SearchIndexOptions): SearchIndex {
  const parts: IndexParts = { analyze: createAnalyzer(), kernel: loadKernelModule() };
  const hot = new LRUCache<string, HotNamespaceIndex>({ max: hotNamespacesMax, maxSize: maxBytes });
  /** Readers by namespace; while an entry exists, somebody serves it. */
  const waiting = new Map<string, Reader[]>();

  /** The namespace's index at the last durable commit. */
  async function currentIndex(namespace: Namespace, mapKey: string, throwIfUnwanted: () => void): Promise<HotNamespaceIndex> {
    const snapshot = await store.snapshot(scopeOf(namespace));
    try {
      const index = hot.get(mapKey);
      // What made catching up fail shows again when loading, if it lasts.
      const isCurrent = index !== undefined && (await catchUp(index, store, snapshot, namespace).catch(() => false));
      if (isCurrent) return index;
      hot.delete(mapKey);
      throwIfUnwanted();
      return await loadIndex(parts, snapshot, namespace, throwIfUnwanted);
    } finally {
      await snapshot.close();
    }
  }

  async function serve(namespace: Namespace, mapKey: string, queue: Reader[]): Promise<void> {
    while (queue.length > 0) {
      // Whoever comes later may have seen a later commit acknowledged and needs a later snapshot.
      const readers = queue.splice(0);
      const throwIfUnwanted = (): void => {
        if ([...readers, ...queue].every(({ signal }) => signal.aborted)) readers[0]?.signal.throwIfAborted();
      };
      try {
        const index = await currentIndex(namespace, mapKey, throwIfUnwanted);
        const pause = createPause();
        for (const reader of readers) {
          reader.end(() => index);
          await pause();
        }
        hot.set(mapKey, index, { size: index.bytes });
      } catch (error) {
        const fail = (): never => {
          throw error;
        };
        for (const reader of readers) reader.end(fail);
      }
    }
    waiting.delete(mapKey);
  }

  return {
    read<T>(namespace: Namespace, signal: AbortSignal, read: (index: NamespaceIndex) => T): Promise<T> {
      // Up to its first `await`, of which it has none, an async function runs at once.
      const end = async (current: () => NamespaceIndex): Promise<T> => {
        signal.throwIfAborted();
        return read(current());
      };
      return new Promise((resolve) => {
        const reader: Reader = { signal, end: (current) => resolve(end(current)) };
        const mapKey = namespaceMapKey(namespace);
        const queue = waiting.get(mapKey);
        if (queue !== undefined) {
          queue.push(reader);
          return;
        }
        const begun = [reader];
        waiting.set(mapKey, begun);
        void serve(namespace, mapKey, begun);
      });
    },
  };
}
