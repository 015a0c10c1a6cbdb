import type { Call } from "../call.js";
import type { Embedder, Embedders } from "../embedder.js";
import { VademecumError } from "../errors.js";
import { type Namespace, namespaceMapKey, scopeOf } from "../namespace.js";
import type { Store } from "../store.js";
import { callerModelId, otherVectorTable, profileKey, vectorTableOf } from "../vectors.js";
import type { WriteGate } from "../write-gate.js";
import type { RefusedMemory, ReindexEvent, Reindexer, ReindexProgress, ReindexTarget } from "./reindex.js";
import { type NamespaceProgress, type NamespaceReindexParts, reindexNamespace, removeOldVectors } from "./reindex-namespace.js";

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

  async function* reindexOne(namespace: Namespace, embedder: Embedder, counts: Counts, call: Call): AsyncGenerator<ReindexProgress> {
    const { embedded, refused } = yield* alone(namespace, reindexNamespace(partsFor(embedder, call), namespace, call), call);
    counts.embedded += embedded;
    counts.refused += refused.length;
    for (const id of refused.slice(0, namedRefusedMax - counts.firstRefused.length)) counts.firstRefused.push({ namespace, id });
    counts.changed += 1;
  }

  async function* reindexAll(embedder: Embedder, counts: Counts, call: Call): AsyncGenerator<ReindexProgress> {
    for await (const namespace of store.namespaces()) {
      const state = await stateOf(store, namespace, embedder);
      if (state === "outdated") {
        yield* reindexOne(namespace, embedder, counts, call);
        continue;
      }
      if (state === "old vectors left") yield* alone(namespace, removeOldVectors(partsFor(embedder, call), namespace, call), call);
      counts.unchanged += 1;
    }
  }

  /** Takes the steps, as the only one that reindexes the namespace. */
  async function* alone<T>(
    namespace: Namespace,
    steps: AsyncGenerator<NamespaceProgress, T>,
    call: Call,
  ): AsyncGenerator<ReindexProgress, T> {
    throwIfEnded(call);
    const mapKey = namespaceMapKey(namespace);
    if (running.has(mapKey)) throw alreadyRunning(namespace);
    running.add(mapKey);
    try {
      let step = await steps.next();
      while (step.done !== true) {
        yield { kind: "progress", namespace, ...step.value };
        step = await steps.next();
      }
      return step.value;
    } finally {
      running.delete(mapKey);
    }
  }

  function partsFor(embedder: Embedder, call: Call): NamespaceReindexParts {
    return { store, gate, gatedMaxMs, embedder, throwIfEnded: () => throwIfEnded(call) };
  }

  function throwIfEnded(call: Call): void {
    call.throwIfEnded();
    if (stopped) throw serverStopping();
  }

  return {
    async *reindex(target: ReindexTarget, call: Call): AsyncGenerator<ReindexEvent> {
      const embedder = embedders.configured;
      if (embedder === undefined) throw noEmbedder();
      const counts: Counts = { changed: 0, unchanged: 0, embedded: 0, refused: 0, firstRefused: [] };
      if (target === "all") yield* reindexAll(embedder, counts, call);
      else if (await holdsMemories(store, target)) yield* reindexOne(target, embedder, counts, call);
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

/** What there is to do for a namespace. */
type NamespaceState = "current" | "old vectors left" | "outdated";

/** Outdated: of another model, or with memories that have no vector. A Reindex that was cut short behind the exchange leaves old vectors. A namespace of callers' vectors is left as it is. */
async function stateOf(store: Store, namespace: Namespace, embedder: Embedder): Promise<NamespaceState> {
  const snapshot = await store.snapshot(scopeOf(namespace));
  try {
    const profile = await snapshot.get("profiles", namespace, profileKey);
    if (profile?.modelId === callerModelId) return "current";
    const memories = await snapshot.count("memories", namespace);
    if (profile === undefined) return memories === 0 ? "current" : "outdated";
    const [vectors, others] = await Promise.all(
      ([vectorTableOf(profile), otherVectorTable(profile)] as const).map((table) => snapshot.count(table, namespace)),
    );
    if (profile.modelId !== embedder.modelId || vectors !== memories) return "outdated";
    return others === 0 ? "current" : "old vectors left";
  } finally {
    await snapshot.close();
  }
}

async function holdsMemories(store: Store, namespace: Namespace): Promise<boolean> {
  const snapshot = await store.snapshot(scopeOf(namespace));
  try {
    return (await snapshot.count("memories", namespace)) > 0;
  } finally {
    await snapshot.close();
  }
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
