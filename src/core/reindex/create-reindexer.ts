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
  RefusedMemory,
  ReindexEvent,
  Reindexer,
  ReindexProgress,
  ReindexTarget,
} from "./reindex.js";
import {
  type NamespaceProgress,
  type NamespaceReindexParts,
  reindexNamespace,
  removeOldVectors,
} from "./reindex-namespace.js";

/** What reindexing needs of the world. */
export interface ReindexerParts {
  readonly store: Store;
  readonly embedders: Embedders;
  /** The one that the writers heed. */
  readonly gate: WriteGate;
  /** How long the embedder may take while writers are held back, in milliseconds. Default 1000. */
  readonly gatedMaxMs?: number;
}

/** How many memories a summary names. */
const namedRefusedMax = 10;

const defaultGatedMaxMs = 1000;

/** Sums over namespaces. */
interface Counts {
  changed: number;
  unchanged: number;
  embedded: number;
  refused: number;
  readonly firstRefused: RefusedMemory[];
}

export function createReindexer({
  store,
  embedders,
  gate,
  gatedMaxMs = defaultGatedMaxMs,
}: ReindexerParts): Reindexer {
  /** Namespaces that are being reindexed. */
  const running = new Set<string>();
  let stopped = false;

  async function* reindexOne(
    namespace: Namespace,
    collections: readonly Collection[],
    embedder: Embedder,
    counts: Counts,
    call: Call,
  ): AsyncGenerator<ReindexProgress> {
    for (const collection of collections) {
      const { embedded, refused } = yield* told(
        namespace,
        collection,
        reindexNamespace(partsFor(collection, embedder, call), namespace, call),
      );
      counts.embedded += embedded;
      counts.refused += refused.length;
      const named = refused.slice(0, namedRefusedMax - counts.firstRefused.length);
      counts.firstRefused.push(
        ...named.map((id) => ({ namespace, collection: collection.table, id })),
      );
    }
    counts.changed += 1;
  }

  async function* reindexAll(
    embedder: Embedder,
    counts: Counts,
    call: Call,
  ): AsyncGenerator<ReindexProgress> {
    for await (const namespace of store.namespaces()) {
      const outdated = await collectionsIn(
        store,
        namespace,
        async (...held) => (await stateOf(...held, embedder)) === "outdated",
      );
      if (outdated.length > 0)
        yield* alone(running, namespace, reindexOne(namespace, outdated, embedder, counts, call));
      else counts.unchanged += 1;
      const leftovers = await collectionsIn(
        store,
        namespace,
        async (...held) => (await stateOf(...held, embedder)) === "old vectors left",
      );
      for (const collection of leftovers) {
        const steps = removeOldVectors(partsFor(collection, embedder, call), namespace, call);
        yield* alone(running, namespace, told(namespace, collection, steps));
      }
    }
  }

  async function* reindexWhole(
    namespace: Namespace,
    embedder: Embedder,
    counts: Counts,
    call: Call,
  ): AsyncGenerator<ReindexProgress> {
    const held = await collectionsIn(
      store,
      namespace,
      async (snapshot, { table }) => (await snapshot.count(table, namespace)) > 0,
    );
    if (held.length > 0)
      yield* alone(running, namespace, reindexOne(namespace, held, embedder, counts, call));
  }

  function partsFor(collection: Collection, embedder: Embedder, call: Call): NamespaceReindexParts {
    return {
      store,
      gate,
      gatedMaxMs,
      embedder,
      collection,
      throwIfEnded: () => throwIfEnded(call),
    };
  }

  function throwIfEnded(call: Call): void {
    call.throwIfEnded();
    if (stopped) throw serverStopping();
  }

  return {
    async *reindex(target: ReindexTarget, call: Call): AsyncGenerator<ReindexEvent> {
      const embedder = embedders.configured;
      if (embedder === undefined) throw noEmbedder();
      const counts: Counts = {
        changed: 0,
        unchanged: 0,
        embedded: 0,
        refused: 0,
        firstRefused: [],
      };
      if (target === "all") yield* reindexAll(embedder, counts, call);
      else yield* reindexWhole(target, embedder, counts, call);
      yield summaryOf(embedder, counts);
    },
    stop() {
      stopped = true;
    },
  };
}

function summaryOf({ modelId }: Embedder, counts: Counts): ReindexEvent {
  return {
    kind: "summary",
    modelId,
    namespacesChanged: counts.changed,
    namespacesUnchanged: counts.unchanged,
    memoriesEmbedded: counts.embedded,
    memoriesRefused: counts.refused,
    firstRefused: counts.firstRefused,
  };
}

/** Takes the steps, as the only one that reindexes the namespace: `running` has those that are being reindexed. */
async function* alone(
  running: Set<string>,
  namespace: Namespace,
  steps: AsyncGenerator<ReindexProgress>,
): AsyncGenerator<ReindexProgress> {
  const mapKey = namespaceMapKey(namespace);
  if (running.has(mapKey)) throw alreadyRunning(namespace);
  running.add(mapKey);
  try {
    yield* steps;
  } finally {
    running.delete(mapKey);
  }
}

/** Tells of a namespace's collection how far the steps are. */
async function* told<T>(
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

/** The collections of a namespace of which something is true. */
async function collectionsIn(
  store: Store,
  namespace: Namespace,
  isTrue: (snapshot: Snapshot, collection: Collection, namespace: Namespace) => Promise<boolean>,
): Promise<Collection[]> {
  await using snapshot = await store.snapshot(scopeOf(namespace));
  const found: Collection[] = [];
  for (const collection of [memoryCollection, skillCollection]) {
    if (await isTrue(snapshot, collection, namespace)) found.push(collection);
  }
  return found;
}

/** What there is to do for a collection of a namespace. */
type CollectionState = "current" | "old vectors left" | "outdated";

/** Outdated: of another model, or with records that have no vector. A Reindex that was cut short behind the exchange leaves old vectors. A collection with callers' vectors is left as it is. */
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
    "this server makes no vectors (--embedder none), so there is none to change to; start it with the embedder that the namespaces shall have",
  );
}

function alreadyRunning({ userId, agentId }: Namespace): VademecumError {
  return new VademecumError(
    "ABORTED",
    "REINDEX_RUNNING",
    `user '${userId}', agent '${agentId}' is being reindexed by another call; repeat this one when that has ended: what is done by then is not done again`,
  );
}

function serverStopping(): VademecumError {
  return new VademecumError(
    "UNAVAILABLE",
    "SERVER_STOPPING",
    "the server is being stopped; the namespaces that were done stay done, repeat the call for the others once it runs again",
    { retryAfterMs: 1000 },
  );
}
