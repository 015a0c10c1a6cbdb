import type { Namespace } from "../core/namespace.js";
import type { Change, Snapshot, Store, VectorProfile } from "../core/store.js";
import { touchedKeys } from "../core/touched-keys.js";
import { profileKey, vectorTableOf } from "../core/vectors.js";
import { HotNamespaceIndex, type IndexParts } from "./namespace-index.js";
import { createPause } from "./pause.js";

/** Builds a namespace's index from all its records. Every few milliseconds other work gets its turn; what `afterPause` throws then ends the loading. */
export async function loadIndex(
  parts: IndexParts,
  snapshot: Snapshot,
  namespace: Namespace,
  afterPause: () => void,
): Promise<HotNamespaceIndex> {
  const pause = createPause(afterPause);
  const profile = await snapshot.get("profiles", namespace, profileKey);
  const index = new HotNamespaceIndex(parts, snapshot.head, profile);
  for await (const [, memory] of snapshot.scan("memories", namespace)) {
    index.put(memory, undefined);
    await pause();
  }
  await loadVectors(index, snapshot, namespace, pause);
  return index;
}

async function loadVectors(index: HotNamespaceIndex, snapshot: Snapshot, namespace: Namespace, pause: () => Promise<void>): Promise<void> {
  for await (const [id, vector] of snapshot.scan(vectorTableOf(index.profile), namespace)) {
    index.setVector(id, vector);
    await pause();
  }
}

/**
 * Brings an index from its head to the snapshot's by the change log. Returns false if that is not possible: the index must then be loaded anew.
 * It must be after an error too, since changes may be half applied; so this is not stopped when nobody waits for it any more, which the length of the log bounds.
 */
export async function catchUp(index: HotNamespaceIndex, store: Store, snapshot: Snapshot, namespace: Namespace): Promise<boolean> {
  const { epoch, seq } = index.head;
  if (epoch !== snapshot.head.epoch) return false;
  if (seq === snapshot.head.seq) return true;
  const changes = await store.changes(snapshot, seq);
  if (changes === undefined || !areNext(changes, seq, snapshot.head.seq)) return false;
  if (changes.some(({ cleared }) => cleared.includes(namespace.agentId))) return false;
  if (touchedKeys(changes, "profiles", namespace).size > 0) {
    const profile = await snapshot.get("profiles", namespace, profileKey);
    if (!areSameProfiles(profile, index.profile)) {
      // A graph is made of the vectors that it began with.
      if (profile === undefined || index.profile === undefined || index.labels !== undefined) return false;
      index.takeProfile(profile);
      await loadVectors(index, snapshot, namespace, createPause());
      index.contentSeq = snapshot.head.seq;
    }
  }
  const ids = touchedKeys(changes, "memories", namespace);
  if (ids.size > 0) {
    const vectors = vectorTableOf(index.profile);
    const pause = createPause();
    for (const id of ids) {
      const [memory, vector] = await Promise.all([snapshot.get("memories", namespace, id), snapshot.get(vectors, namespace, id)]);
      if (memory === undefined) index.remove(id);
      else index.put(memory, vector);
      await pause();
    }
    index.contentSeq = snapshot.head.seq;
  }
  index.head = snapshot.head;
  return true;
}

/** Whether the changes are those after `seq` up to `lastSeq`, without a gap. */
function areNext(changes: readonly Change[], seq: number, lastSeq: number): boolean {
  return seq + changes.length === lastSeq && changes.every((change, i) => change.seq === seq + 1 + i);
}

function areSameProfiles(a: VectorProfile | undefined, b: VectorProfile | undefined): boolean {
  return a?.modelId === b?.modelId && a?.dimension === b?.dimension && vectorTableOf(a) === vectorTableOf(b);
}
