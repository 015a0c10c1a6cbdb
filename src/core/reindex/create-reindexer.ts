import type { Call } from "../call.js";
import { type Collection, memoryCollection, otherVectorTable, skillCollection, vectorTableOf } from "../collection.js";
import type { Embedder, Embedders } from "../embedder.js";
import { VademecumError } from "../errors.js";
import { type Namespace, namespaceMapKey, scopeOf } from "../namespace.js";
import type { Snapshot, Store } from "../store.js";
import { callerModelId } from "../vectors.js";
import type { WriteGate } from "../write-gate.js";
import type { RefusedMemory, ReindexEvent, Reindexer, ReindexProgress, ReindexTarget } from "./reindex.js";
import { reindexNamespace } from "./reindex-namespace.js";

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

export function createReindexer({ store, embedders, gate, gatedMaxMs = defaultGatedMaxMs }: ReindexerParts): Reindexer {
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
    const throwIfEnded = (): void => {
      call.throwIfEnded();
      if (stopped) throw serverStopping();
    };
    throwIfEnded();
    const mapKey = namespaceMapKey(namespace);
    if (running.has(mapKey)) throw alreadyRunning(namespace);
    running.add(mapKey);
    try {
      for (const collection of collections) {
        const steps = reindexNamespace({ store, gate, gatedMaxMs, embedder, collection, throwIfEnded }, namespace, call);
        let step = await steps.next();
        while (step.done !== true) {
          yield { kind: "progress", namespace, collection: collection.table, ...step.value };
          step = await steps.next();
        }
        const { embedded, refused } = step.value;
        counts.embedded += embedded;
        counts.refused += refused.length;
        const named = refused.slice(0, namedRefusedMax - counts.firstRefused.length);
        counts.firstRefused.push(...named.map((id) => ({ namespace, collection: collection.table, id })));
      }
      counts.changed += 1;
    } finally {
      running.delete(mapKey);
    }
  }

  async function* reindexAll(embedder: Embedder, counts: Counts, call: Call): AsyncGenerator<ReindexProgress> {
    for await (const namespace of store.namespaces()) {
      const outdated = await collectionsOf(store, namespace, async (...found) => !(await isUpToDate(...found, embedder)));
      if (outdated.length === 0) counts.unchanged += 1;
      else yield* reindexOne(namespace, outdated, embedder, counts, call);
    }
  }

  async function* reindexWhole(namespace: Namespace, embedder: Embedder, counts: Counts, call: Call): AsyncGenerator<ReindexProgress> {
    const held = await collectionsOf(store, namespace, async (snapshot, { table }) => (await snapshot.count(table, namespace)) > 0);
    if (held.length > 0) yield* reindexOne(namespace, held, embedder, counts, call);
  }

  return {
    async *reindex(target: ReindexTarget, call: Call): AsyncGenerator<ReindexEvent> {
      const embedder = embedders.configured;
      if (embedder === undefined) throw noEmbedder();
      const counts: Counts = { changed: 0, unchanged: 0, embedded: 0, refused: 0, firstRefused: [] };
      if (target === "all") yield* reindexAll(embedder, counts, call);
      else yield* reindexWhole(target, embedder, counts, call);
      yield {
        kind: "summary",
        modelId: embedder.modelId,
        namespacesChanged: counts.changed,
        namespacesUnchanged: counts.unchanged,
        memoriesEmbedded: counts.embedded,
        memoriesRefused: counts.refused,
        firstRefused: counts.firstRefused,
      };
    },
    stop() {
      stopped = true;
    },
  };
}

/** The collections of a namespace of which something is true. */
async function collectionsOf(
  store: Store,
  namespace: Namespace,
  isTrue: (snapshot: Snapshot, collection: Collection, namespace: Namespace) => Promise<boolean>,
): Promise<Collection[]> {
  const snapshot = await store.snapshot(scopeOf(namespace));
  try {
    const found: Collection[] = [];
    for (const collection of [memoryCollection, skillCollection]) {
      if (await isTrue(snapshot, collection, namespace)) found.push(collection);
    }
    return found;
  } finally {
    await snapshot.close();
  }
}

/** Whether a collection has the model, no record is without a vector, and nothing is left of a Reindex that was cut short. One of callers' vectors is left as it is. */
async function isUpToDate(snapshot: Snapshot, collection: Collection, namespace: Namespace, embedder: Embedder): Promise<boolean> {
  const profile = await snapshot.get("profiles", namespace, collection.profileKey);
  if (profile?.modelId === callerModelId) return true;
  const tables = [collection.table, vectorTableOf(profile, collection), otherVectorTable(profile, collection)];
  const [records, vectors, others] = await Promise.all(tables.map((table) => snapshot.count(table, namespace)));
  if (profile === undefined) return records === 0;
  return profile.modelId === embedder.modelId && records === vectors && others === 0;
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
