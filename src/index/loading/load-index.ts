import type { Memory } from "../../core/model/memory.js";
import type { Namespace } from "../../core/model/namespace.js";
import { haveSameHistory } from "../../core/ports/commit-history.js";
import type {
  Change,
  Head,
  Reader,
  RecentCommits,
  Snapshot,
  Store,
  VectorProfile,
} from "../../core/ports/store.js";

import { createPause } from "../../core/requests/pause.js";
import { touchedKeys } from "../../core/requests/touched-keys.js";
import { type Collection, vectorTableOf } from "../../core/vectors/collection.js";
import { HotNamespaceIndex } from "../namespace-index.js";
import { type IndexParts, sameVector } from "../rows/index-rows.js";

/**
 * Builds the index of a namespace from all records of a collection. Yields to other work every few
 * milliseconds and then calls `afterPause`, whose error stops the load.
 */
export async function loadIndex(
  parts: IndexParts,
  collection: Collection,
  snapshot: Snapshot,
  namespace: Namespace,
  afterPause: () => void,
): Promise<HotNamespaceIndex> {
  const pause = createPause(afterPause);
  const profile = await snapshot.get("profiles", namespace, collection.profileKey);
  const index = new HotNamespaceIndex(parts, snapshot.head, profile);
  for await (const [id, record] of collection.scan(snapshot, namespace))
    await index.apply(id, record, undefined, pause);
  await loadVectors(index, collection, snapshot, namespace, pause);
  return index;
}

async function loadVectors(
  index: HotNamespaceIndex,
  collection: Collection,
  snapshot: Snapshot,
  namespace: Namespace,
  pause: () => Promise<void>,
): Promise<void> {
  for await (const [id, vector] of snapshot.scan(
    vectorTableOf(index.profile, collection),
    namespace,
  )) {
    index.setVector(id, vector);
    await pause();
  }
}

/**
 * Brings an index up to the snapshot with the commits in the change log. Returns false if that is
 * impossible. Then the index must be loaded anew.
 *
 * After an error the index must be loaded anew too, because changes may be half applied. A catch-up
 * therefore does not stop when its callers leave. The length of the change log bounds its duration.
 */
export async function catchUp(
  index: HotNamespaceIndex,
  collection: Collection,
  store: Store,
  snapshot: Snapshot,
  namespace: Namespace,
): Promise<boolean> {
  const { seq } = index.head;
  if (!haveSameHistory(index.head, snapshot.head)) return false;
  if (seq === snapshot.head.seq) return true;
  const changes = await store.changes(snapshot, seq);
  if (changes === undefined || !canFollow(changes, seq, snapshot.head.seq, namespace)) return false;
  if (touchedKeys(changes, "profiles", namespace).has(collection.profileKey)) {
    const profile = await snapshot.get("profiles", namespace, collection.profileKey);
    if (!areSameProfiles(profile, index.profile, collection)) {
      if (profile === undefined || index.profile === undefined) return false;
      if (!index.rows.canReplaceVectors(profile)) return false;
      index.switchProfile(profile);
      await loadVectors(index, collection, snapshot, namespace, createPause());
      index.contentSeq = snapshot.head.seq;
    }
  }
  const ids = touchedKeys(changes, collection.table, namespace);
  if (ids.size > 0) {
    const vectors = vectorTableOf(index.profile, collection);
    const pause = createPause();
    const peek: Reader["get"] = (table, owner, key) =>
      snapshot.peek?.(table, owner, key) ?? snapshot.get(table, owner, key);
    for (const id of ids) {
      const [record, vector] = await Promise.all([
        collection.get({ get: peek }, namespace, id),
        peek(vectors, namespace, id),
      ]);
      await index.apply(id, record, vector, pause);
    }
    // Another number means that a record is missing. The load then reports it.
    if (index.size !== (await snapshot.count(collection.table, namespace))) return false;
    index.contentSeq = snapshot.head.seq;
  }
  index.head = snapshot.head;
  return true;
}

/**
 * Brings an index up to `head` with the commits that the store has in RAM, without reading from the
 * store. Returns false, and leaves the index unchanged, if these commits do not suffice. After an
 * error, the caller calls `catchUp`, which applies the same commits again.
 */
export async function catchUpFromRecent(
  index: HotNamespaceIndex,
  collection: Collection,
  recent: RecentCommits,
  head: Head,
  namespace: Namespace,
): Promise<boolean> {
  const { changes } = recent;
  if (!haveSameHistory(index.head, head)) return false;
  if (!canFollow(changes, index.head.seq, head.seq, namespace)) return false;
  if (touchedKeys(changes, "profiles", namespace).has(collection.profileKey)) {
    const profile = recent.get("profiles", namespace, collection.profileKey);
    if (profile === "unknown" || profile === "deleted") return false;
    if (!areSameProfiles(profile.value, index.profile, collection)) return false;
  }
  const pause = createPause();
  const updates: RowUpdate[] = [];
  for (const id of touchedKeys(changes, collection.table, namespace)) {
    const update = rowUpdate(index, collection, recent, namespace, id);
    if (update === undefined) return false;
    updates.push(update);
    await pause();
  }
  for (const { id, memory, vector } of updates) await index.apply(id, memory, vector, pause);
  if (updates.length > 0) index.contentSeq = head.seq;
  index.head = head;
  return true;
}

/** A change of a row. */
interface RowUpdate {
  readonly id: string;
  /** `undefined`: the memory was deleted. */
  readonly memory: Memory | undefined;
  readonly vector: Float32Array | undefined | typeof sameVector;
}

/**
 * Returns the change that commits made to a row. Returns `undefined` if the commits do not contain
 * the memory, or do not show which vector it has.
 */
function rowUpdate(
  index: HotNamespaceIndex,
  collection: Collection,
  recent: RecentCommits,
  namespace: Namespace,
  id: string,
): RowUpdate | undefined {
  const record = collection.recent(recent, namespace, id);
  if (record === "unknown") return undefined;
  if (record === "deleted") return { id, memory: undefined, vector: undefined };
  const memory = record.value;
  const vector = recent.get(vectorTableOf(index.profile, collection), namespace, id);
  if (vector === "deleted") return { id, memory, vector: undefined };
  if (vector !== "unknown") return { id, memory, vector: vector.value };
  // None of the commits wrote the vector, so the memory keeps its vector. A new memory has none.
  if (index.rowOf(id) === undefined) return { id, memory, vector: undefined };
  return index.rows.keepsRow(memory) ? { id, memory, vector: sameVector } : undefined;
}

/**
 * Whether `changes` has every commit after `seq` up to `lastSeq`, and no commit clears the
 * namespace.
 */
function canFollow(
  changes: readonly Change[],
  seq: number,
  lastSeq: number,
  { agentId }: Namespace,
): boolean {
  return (
    seq + changes.length === lastSeq &&
    changes.every((change, i) => change.seq === seq + 1 + i && !change.cleared.includes(agentId))
  );
}

function areSameProfiles(
  a: VectorProfile | undefined,
  b: VectorProfile | undefined,
  collection: Collection,
): boolean {
  const isSameTable = vectorTableOf(a, collection) === vectorTableOf(b, collection);
  return a?.modelId === b?.modelId && a?.dimension === b?.dimension && isSameTable;
}
