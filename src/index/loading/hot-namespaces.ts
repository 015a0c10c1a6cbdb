import type { Jobs } from "../../core/jobs/jobs.js";
import { type Namespace, type Scope, scopeOf } from "../../core/model/namespace.js";
import { haveSameHistory } from "../../core/ports/commit-history.js";
import type { Meter } from "../../core/ports/meter.js";
import type {
  DerivedFiles,
  NamespaceIndex,
  NearestQuery,
  ReadSignal,
  SearchIndex,
} from "../../core/ports/search-index.js";
import type { Store, VectorProfile } from "../../core/ports/store.js";
import { gatherCalls } from "../../core/requests/gather.js";
import { createPause } from "../../core/requests/pause.js";
import type { Collection } from "../../core/vectors/collection.js";
import type { NearestLabels } from "../graph/namespace-graph.js";
import type { NamespaceGraphs } from "../graph/namespace-graphs.js";
import { type ImageOwner, imageKey } from "../image/image-format.js";
import type { IndexParts } from "../rows/index-rows.js";
import type { HotNamespace } from "./hot-namespace.js";
import { catchUp, catchUpFromRecent, loadIndex } from "./load-index.js";
import type { NamespaceCache } from "./namespace-cache.js";
import type { NamespaceImages } from "./namespace-images.js";

/** A waiting call of `read`. */
interface Reader {
  readonly signal: ReadSignal;
  /** Ends the call. `current` returns the namespace to read, or throws the error of the call. */
  end(current: () => HotNamespace): void;
}

/** The parts from which `HotNamespaces` is made. */
export interface HotNamespacesParts {
  readonly store: Store;
  readonly collection: Collection;
  readonly parts: IndexParts;
  /** Cache of indexes, shared by all collections. */
  readonly hot: NamespaceCache<HotNamespace>;
  /** Byte limit of that cache. An index gets a graph only if both fit into this limit. */
  readonly maxBytes: number;
  readonly meter: Meter;
  /**
   * Decides which namespaces have graphs. Absent: no namespace has a graph, and every search
   * compares all vectors.
   */
  readonly graphs?: NamespaceGraphs;
  /** Absent: no images are loaded or saved. */
  readonly images?: NamespaceImages;
  /** Gets a job for each load. Absent: nobody does. */
  readonly jobs?: Jobs;
  /** Called after the records of a namespace were loaded, with their number. */
  readonly onLoaded?: (namespace: Namespace, records: number) => void;
}

/**
 * The indexes of all namespaces of one collection. Calls for one namespace run in batches. All
 * waiting calls share one read of the head. If the index is behind, they share one load or
 * catch-up too.
 */
export class HotNamespaces implements SearchIndex {
  readonly #store: Store;
  readonly #collection: Collection;
  readonly #parts: IndexParts;
  readonly #hot: NamespaceCache<HotNamespace>;
  readonly #maxBytes: number;
  readonly #meter: Meter;
  readonly #graphs: NamespaceGraphs | undefined;
  readonly #images: NamespaceImages | undefined;
  readonly #jobs: Jobs | undefined;
  readonly #onLoaded: HotNamespacesParts["onLoaded"];
  /** Readers by namespace. An entry exists while a batch of the namespace runs. */
  readonly #waiting = new Map<string, Reader[]>();
  readonly #serving = new Set<Promise<void>>();
  /** Namespaces for which `release` was called while one of their batches was running. */
  readonly #released = new Set<string>();
  #isClosed = false;

  constructor(given: HotNamespacesParts) {
    const { store, collection, parts, hot, maxBytes, meter, graphs, images, jobs, onLoaded } =
      given;
    this.#jobs = jobs;
    this.#meter = meter;
    this.#images = images;
    this.#store = store;
    this.#collection = collection;
    this.#parts = parts;
    this.#hot = hot;
    this.#maxBytes = maxBytes;
    this.#graphs = graphs;
    this.#onLoaded = onLoaded;
  }

  async profileOf(namespace: Namespace): Promise<VectorProfile | undefined> {
    const known = this.#hot.peek(this.#mapKey(namespace));
    if (known !== undefined) return known.index.profile;
    const inImage = this.#images?.profileOf(this.#ownerOf(namespace));
    return inImage === undefined ? this.#storedProfile(namespace) : inImage.profile;
  }

  async #storedProfile(namespace: Namespace): Promise<VectorProfile | undefined> {
    await using snapshot = await this.#store.snapshot(scopeOf(namespace));
    return await snapshot.get("profiles", namespace, this.#collection.profileKey);
  }

  async read<T>(
    namespace: Namespace,
    signal: ReadSignal,
    read: (index: NamespaceIndex, nearest: Int32Array | undefined) => T,
    wanted?: NearestQuery,
  ): Promise<T> {
    const mapKey = this.#mapKey(namespace);
    const graph = wanted && this.#hot.get(mapKey)?.graph;
    // The graph search misses commits that are made meanwhile. `nearestRows` adds their rows.
    const found = graph && (await graph.find(wanted));
    return this.#enqueue(namespace, mapKey, signal, (current) =>
      read(
        current.index,
        nearestRows(current, found) ?? (wanted && current.index.nearRows(wanted)),
      ),
    );
  }

  async readLoaded<T>(
    namespace: Namespace,
    signal: ReadSignal,
    read: (index: NamespaceIndex) => T,
  ): Promise<T | undefined> {
    if (this.#hot.peek(this.#mapKey(namespace)) === undefined) return undefined;
    return this.read(namespace, signal, read);
  }

  async release(namespace: Namespace): Promise<void> {
    const mapKey = this.#mapKey(namespace);
    this.#hot.delete(mapKey);
    if (this.#waiting.has(mapKey)) this.#released.add(mapKey);
    await this.#graphs?.forgetEmptied(namespace);
  }

  /** See `SearchIndex.derivedFiles`. */
  async derivedFiles(namespace: Namespace): Promise<DerivedFiles> {
    const hasImage = this.#images?.has(this.#ownerOf(namespace)) === true;
    const hasGraph = (await this.#graphs?.isSaved(namespace)) === true;
    return { images: Number(hasImage), graphs: Number(hasGraph) };
  }

  /** Resolves when no call is being served. */
  async settled(): Promise<void> {
    await Promise.all(this.#serving);
  }

  /** Stops loads that no caller waits for. */
  close(): void {
    this.#isClosed = true;
  }

  /** Whether an index of a namespace is in RAM or is being loaded, by its key. */
  isInUse(mapKey: string): boolean {
    return this.#hot.peek(mapKey) !== undefined || this.#waiting.has(mapKey);
  }

  /** Key of a namespace, distinct for each collection. */
  #mapKey(namespace: Namespace): string {
    return imageKey(this.#ownerOf(namespace));
  }

  #ownerOf(namespace: Namespace): ImageOwner {
    return { table: this.#collection.table, namespace };
  }

  /** Calls `read` with the namespace at the last durable commit. */
  #enqueue<T>(
    namespace: Namespace,
    mapKey: string,
    signal: ReadSignal,
    read: (current: HotNamespace) => T,
  ): Promise<T> {
    // This async function has no `await`, so it runs synchronously.
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
      this.#track(this.#serve(namespace, mapKey, begun));
    });
  }

  /** Lets `settled` wait for work that never rejects. */
  #track(work: Promise<void>): void {
    this.#serving.add(work);
    void work.then(() => this.#serving.delete(work));
  }

  async #serve(namespace: Namespace, mapKey: string, queue: Reader[]): Promise<void> {
    while (queue.length > 0) {
      if (this.#store.isRemote === true) await gatherCalls(() => queue.length);
      // Readers that arrive from here on wait for the next batch. They may know of a later
      // acknowledged commit, so they need a later snapshot.
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
    this.#released.delete(mapKey);
  }

  /** Returns the namespace at the last durable commit. */
  async #bringUp(
    namespace: Namespace,
    mapKey: string,
    throwIfUnwanted: () => void,
  ): Promise<HotNamespace> {
    const scope = scopeOf(namespace);
    const inRam = this.#hot.get(mapKey);
    if (inRam !== undefined) this.#meter("indexHits", 1);
    const kept = inRam ?? (await this.#fromImage(namespace));
    if (kept !== undefined && (await this.#follow(kept, scope))) return kept;
    return this.#bringUpFromStore(namespace, mapKey, kept, throwIfUnwanted);
  }

  /** Brings up a namespace by a snapshot of the store, which costs more than `#follow`. */
  async #bringUpFromStore(
    namespace: Namespace,
    mapKey: string,
    kept: HotNamespace | undefined,
    throwIfUnwanted: () => void,
  ): Promise<HotNamespace> {
    await using snapshot = await this.#store.snapshot(scopeOf(namespace));
    // A failed catch-up is not reported. If its cause persists, the load below fails too, and
    // reports it.
    if (kept !== undefined) {
      kept.isWhole = false;
      const caughtUp = catchUp(kept.index, this.#collection, this.#store, snapshot, namespace);
      kept.isWhole = await caughtUp.catch(() => false);
      if (kept.isWhole) return kept;
    }
    this.#hot.delete(mapKey);
    const owner = this.#ownerOf(namespace);
    this.#images?.drop(owner);
    throwIfUnwanted();
    // The load continues after its callers leave. Otherwise a load that takes longer than callers
    // wait would never finish.
    const load = () =>
      loadIndex(this.#parts, this.#collection, snapshot, namespace, () => {
        if (this.#isClosed) throwIfUnwanted();
      });
    const job = { kind: "LOAD_INDEX", tenant: namespace.tenant ?? "", namespace } as const;
    const index = await (this.#jobs?.run(job, load) ?? load());
    this.#graphs?.forget(namespace, index);
    this.#meter("indexLoads", 1, "records");
    this.#onLoaded?.(namespace, index.size);
    return { namespace, owner, index, graph: undefined, isWhole: true };
  }

  /** Loads the image of a namespace, which may be behind the store. */
  async #fromImage(namespace: Namespace): Promise<HotNamespace | undefined> {
    const loaded = await this.#images?.load(this.#ownerOf(namespace));
    if (loaded === undefined) return undefined;
    this.#graphs?.forget(namespace, loaded.index);
    this.#meter("indexLoads", 1, "image");
    this.#onLoaded?.(namespace, loaded.index.size);
    return loaded;
  }

  /**
   * Brings an index up to the scope's head without a snapshot. Returns false if a snapshot is
   * needed.
   */
  async #follow(hot: HotNamespace, scope: Scope): Promise<boolean> {
    const { index, namespace } = hot;
    const head = await this.#store.head(scope);
    if (haveSameHistory(head, index.head) && head.seq === index.head.seq) return true;
    const recent = this.#store.recent?.(scope, index.head.seq, head);
    if (recent === undefined) return false;
    hot.isWhole = false;
    const caughtUp = catchUpFromRecent(index, this.#collection, recent, head, namespace);
    hot.isWhole = await caughtUp.catch(() => false);
    return hot.isWhole;
  }

  /** Caches a namespace and updates its graph in the background. */
  #keep(namespace: Namespace, mapKey: string, current: HotNamespace): void {
    const { index } = current;
    if (this.#released.delete(mapKey)) {
      giveUpGraph(current);
      void this.#graphs?.forgetEmptied(namespace);
      return;
    }
    // Reads hardly change the size of an index. So if there was no commit since the cache was given
    // the size, and there is no graph to update, nothing is left to do. `#bringUp` has already
    // counted this use.
    const isSized = current.sizedAt === index.head && this.#hot.peek(mapKey) === current;
    if (isSized && current.graph === undefined) return;
    current.sizedAt = index.head;
    current.graph = this.#graphs?.attend(namespace, index, current.graph, this.#maxBytes);
    this.#hot.set(mapKey, current, index.bytes + (current.graph?.bytes ?? 0));
    const tended = index.tendNear(() => this.#isClosed || this.#hot.peek(mapKey) !== current);
    if (tended !== undefined) this.#track(tended);
  }
}

/** Releases the graph of an evicted namespace. */
export function giveUpGraph(namespace: HotNamespace): void {
  namespace.graph?.close();
  namespace.graph = undefined;
}

/** Returns the rows that the graph found; `undefined` if the graph was replaced since. */
function nearestRows(
  { graph }: HotNamespace,
  found: NearestLabels | undefined,
): Int32Array | undefined {
  return found !== undefined && found.from === graph ? found.from.nearestRows(found) : undefined;
}
