import { VademecumError } from "../model/errors.js";
import { type Namespace, namespaceMapKey, scopeOf } from "../model/namespace.js";
import type { Call } from "../ports/call.js";
import type { Embedder, Embedders } from "../ports/embedder.js";
import type { Snapshot, Store } from "../ports/store.js";
import {
  type Collection,
  memoryCollection,
  otherVectorTable,
  skillCollection,
  vectorTableOf,
} from "../vectors/collection.js";
import { callerModelId } from "../vectors/vectors.js";
import type { WriteGate } from "../vectors/write-gate.js";
import type {
  RefusedRecord,
  ReindexEvent,
  Reindexer,
  ReindexProgress,
  ReindexSummary,
  ReindexTarget,
} from "./reindex.js";
import {
  type NamespaceProgress,
  type NamespaceReindexParts,
  reindexNamespace,
  removeOldVectors,
} from "./reindex-namespace.js";

/** Dependencies of a reindexer. */
export interface ReindexerParts {
  readonly store: Store;
  readonly embedders: Embedders;
  /** The gate that all writers pass. */
  readonly gate: WriteGate;
  /** Maximum time for the embedder while writers are held back, in milliseconds. Default 1000. */
  readonly gatedMaxMs?: number;
}

/** Maximum number of refused memories and skills that a summary names. */
const listedRefusedMax = 10;

const defaultGatedMaxMs = 1000;

export function createReindexer(parts: ReindexerParts): Reindexer {
  const running = new Set<string>();
  let stopped = false;
  return {
    async *reindex(target: ReindexTarget, call: Call): AsyncGenerator<ReindexEvent> {
      const embedder = parts.embedders.configured;
      if (embedder === undefined) throw noEmbedder();
      const run = new ReindexRun(parts, embedder, running, call, () => stopped);
      if (target === "all") yield* run.reindexAll();
      else yield* run.reindexWhole(target);
      yield run.summary();
    },
    stop() {
      stopped = true;
    },
  };
}

/** One call of Reindex, with its sums over namespaces. */
class ReindexRun {
  #changed = 0;
  #unchanged = 0;
  #embedded = 0;
  #refused = 0;
  readonly #firstRefused: RefusedRecord[] = [];

  /** @param running the namespaces that calls of this server reindex, by `namespaceMapKey` */
  constructor(
    private readonly parts: ReindexerParts,
    private readonly embedder: Embedder,
    private readonly running: Set<string>,
    private readonly call: Call,
    private readonly isStopped: () => boolean,
  ) {}

  /** Reindexes the outdated collections of all namespaces, and removes old vectors. */
  async *reindexAll(): AsyncGenerator<ReindexProgress> {
    for await (const namespace of this.parts.store.namespaces()) {
      const outdated = await this.#collectionsIn(namespace, "outdated");
      if (outdated.length > 0)
        yield* this.#exclusively(namespace, this.#reindexCollections(namespace, outdated));
      else this.#unchanged += 1;
      for (const collection of await this.#collectionsIn(namespace, "old vectors left")) {
        const steps = removeOldVectors(this.#partsFor(collection), namespace, this.call);
        yield* this.#exclusively(namespace, reportProgress(namespace, collection, steps));
      }
    }
  }

  /** Reindexes all collections of a namespace that have records, whatever their vectors are. */
  async *reindexWhole(namespace: Namespace): AsyncGenerator<ReindexProgress> {
    const filled = await filterCollections(
      this.parts.store,
      namespace,
      async (snapshot, { table }) => (await snapshot.count(table, namespace)) > 0,
    );
    if (filled.length > 0)
      yield* this.#exclusively(namespace, this.#reindexCollections(namespace, filled));
    else this.#unchanged += 1;
  }

  summary(): ReindexSummary {
    return {
      kind: "summary",
      modelId: this.embedder.modelId,
      namespacesChanged: this.#changed,
      namespacesUnchanged: this.#unchanged,
      memoriesEmbedded: this.#embedded,
      memoriesRefused: this.#refused,
      firstRefused: this.#firstRefused,
    };
  }

  async *#reindexCollections(
    namespace: Namespace,
    collections: readonly Collection[],
  ): AsyncGenerator<ReindexProgress> {
    for (const collection of collections) {
      const steps = reindexNamespace(this.#partsFor(collection), namespace, this.call);
      const { embedded, refused } = yield* reportProgress(namespace, collection, steps);
      this.#embedded += embedded;
      this.#refused += refused.length;
      const listed = refused.slice(0, listedRefusedMax - this.#firstRefused.length);
      this.#firstRefused.push(
        ...listed.map((id) => ({ namespace, collection: collection.table, id })),
      );
    }
    this.#changed += 1;
  }

  /**
   * Runs the steps while no other call, on any server, reindexes the namespace.
   *
   * @throws ABORTED (REINDEX_RUNNING) when another call is reindexing the namespace, or may do so
   *   because this server has lost its lock
   */
  async *#exclusively(
    namespace: Namespace,
    steps: AsyncGenerator<ReindexProgress>,
  ): AsyncGenerator<ReindexProgress> {
    const mapKey = namespaceMapKey(namespace);
    if (this.running.has(mapKey)) throw alreadyRunning(namespace);
    this.running.add(mapKey);
    try {
      const { store } = this.parts;
      await using lock = await store.tryLock?.({ reindex: namespace });
      if (lock === undefined && store.tryLock !== undefined) throw alreadyRunning(namespace);
      for await (const progress of steps) {
        if (lock?.isHeld === false) throw lockLost(namespace);
        yield progress;
      }
    } finally {
      this.running.delete(mapKey);
    }
  }

  #collectionsIn(namespace: Namespace, state: CollectionState): Promise<Collection[]> {
    return filterCollections(
      this.parts.store,
      namespace,
      async (snapshot, collection) =>
        (await stateOf(snapshot, collection, namespace, this.embedder)) === state,
    );
  }

  #partsFor(collection: Collection): NamespaceReindexParts {
    const { store, gate, gatedMaxMs = defaultGatedMaxMs } = this.parts;
    return {
      store,
      gate,
      gatedMaxMs,
      embedder: this.embedder,
      collection,
      throwIfEnded: () => {
        this.call.throwIfEnded();
        if (this.isStopped()) throw serverStopping();
      },
    };
  }
}

/** Yields the progress of the steps with the namespace and collection to which it belongs. */
async function* reportProgress<T>(
  namespace: Namespace,
  collection: Collection,
  steps: AsyncGenerator<NamespaceProgress, T>,
): AsyncGenerator<ReindexProgress, T> {
  let step = await steps.next();
  while (step.done !== true) {
    yield { kind: "progress", namespace, collection: collection.table, ...step.value };
    step = await steps.next();
  }
  return step.value;
}

/** Returns the collections of a namespace that meet a condition. */
async function filterCollections(
  store: Store,
  namespace: Namespace,
  meets: (snapshot: Snapshot, collection: Collection) => Promise<boolean>,
): Promise<Collection[]> {
  await using snapshot = await store.snapshot(scopeOf(namespace));
  const collections: Collection[] = [];
  for (const collection of [memoryCollection, skillCollection]) {
    if (await meets(snapshot, collection)) collections.push(collection);
  }
  return collections;
}

/** The work that is left for a collection of a namespace. */
type CollectionState = "current" | "old vectors left" | "outdated";

/**
 * Returns the work that is left for a collection.
 * - `outdated`: the collection has another model, or records without a vector.
 * - `old vectors left`: a Reindex ended early, after it had put the new vectors in use.
 * - `current`: there is no work. A collection with caller vectors is always current.
 */
async function stateOf(
  snapshot: Snapshot,
  collection: Collection,
  namespace: Namespace,
  embedder: Embedder,
): Promise<CollectionState> {
  const profile = await snapshot.get("profiles", namespace, collection.profileKey);
  if (profile?.modelId === callerModelId) return "current";
  const records = await snapshot.count(collection.table, namespace);
  if (profile === undefined) return records === 0 ? "current" : "outdated";
  const [vectors, others] = await Promise.all(
    [vectorTableOf(profile, collection), otherVectorTable(profile, collection)].map((table) =>
      snapshot.count(table, namespace),
    ),
  );
  if (profile.modelId !== embedder.modelId || vectors !== records) return "outdated";
  return others === 0 ? "current" : "old vectors left";
}

function noEmbedder(): VademecumError {
  return new VademecumError(
    "FAILED_PRECONDITION",
    "NO_EMBEDDER",
    "this server makes no vectors (--embedder none), so there is no model to change to; " +
      "start the server with `--embedder NAME`, the embedder that these namespaces should use",
  );
}

function alreadyRunning({ userId, agentId }: Namespace): VademecumError {
  return new VademecumError(
    "ABORTED",
    "REINDEX_RUNNING",
    `another call is reindexing user '${userId}', agent '${agentId}'; ` +
      "repeat this call when the other has ended: finished work is not repeated",
  );
}

function lockLost({ userId, agentId }: Namespace): VademecumError {
  return new VademecumError(
    "ABORTED",
    "REINDEX_RUNNING",
    `this server has lost the lock on user '${userId}', agent '${agentId}', so another server may ` +
      "reindex them; repeat this call: finished work is not repeated",
  );
}

/** Returns the error of a Reindex that ends because the server stops. */
export function serverStopping(): VademecumError {
  return new VademecumError(
    "UNAVAILABLE",
    "SERVER_STOPPING",
    "the server is stopping; finished namespaces keep their new vectors, " +
      "repeat the call for the other namespaces when the server runs again",
    { retryAfterMs: 1000 },
  );
}
