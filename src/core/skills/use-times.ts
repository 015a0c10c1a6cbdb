import { compareInstants, type Instant, instantOfMillis } from "../model/instant.js";
import { type Namespace, namespaceMapKey, scopeOf } from "../model/namespace.js";
import type { Store } from "../ports/store.js";
import type { Timer } from "../ports/timer.js";

/** How long what was noted of a namespace is gathered before it is written. */
const gatheringMs = 1000;

/** What noting needs of the world. */
export interface UseTimesParts {
  readonly store: Store;
  readonly timer: Timer;
  /** Told when times could not be written; they are given up then. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Notes when skills were used. A retrieval is a read: its reply does not wait for the disk, and does not make a commit of its own for others to catch up with.
 * So the times of a namespace are gathered for a second and written in one transaction, which no index follows. A crash costs at most that second of them; they decide about pruning after 90 days, nothing else.
 */
export interface UseTimes {
  note(namespace: Namespace, ids: readonly string[], timeMs: number): void;
  /** Resolves when all that was noted of the namespace before is in the store: for those who read the times. */
  written(namespace: Namespace): Promise<void>;
  /** Resolves when all is written. */
  close(): Promise<void>;
}

/** What is to be written of a namespace. */
interface Gathered {
  readonly namespace: Namespace;
  readonly timeById: Map<string, Instant>;
  readonly cancel: () => void;
}

export function createUseTimes({ store, timer, onFailure }: UseTimesParts): UseTimes {
  const gathered = new Map<string, Gathered>();
  /** The last write of a namespace that is under way. */
  const writing = new Map<string, Promise<void>>();

  function write(mapKey: string): void {
    const taken = gathered.get(mapKey);
    if (taken === undefined) return;
    gathered.delete(mapKey);
    taken.cancel();
    const written = writeTimes(store, taken).catch(onFailure);
    writing.set(mapKey, written);
    void written.then(() => {
      if (writing.get(mapKey) === written) writing.delete(mapKey);
    });
  }

  return {
    note(namespace, ids, timeMs) {
      const mapKey = namespaceMapKey(namespace);
      let { timeById } = gathered.get(mapKey) ?? {};
      if (timeById === undefined) {
        timeById = new Map();
        gathered.set(mapKey, {
          namespace,
          timeById,
          cancel: timer.after(gatheringMs, () => write(mapKey)),
        });
      }
      for (const id of ids) timeById.set(id, instantOfMillis(timeMs));
    },
    async written(namespace) {
      const mapKey = namespaceMapKey(namespace);
      write(mapKey);
      // Transactions of a scope run in order: the last one under way ends behind those before it.
      await writing.get(mapKey);
    },
    async close() {
      for (const mapKey of [...gathered.keys()]) write(mapKey);
      await Promise.all(writing.values());
    },
  };
}

async function writeTimes(store: Store, { namespace, timeById }: Gathered): Promise<void> {
  await store.update(scopeOf(namespace), async (tx) => {
    for (const [id, time] of timeById) {
      const use = await tx.get("skillUses", namespace, id);
      if (use === undefined) continue;
      tx.put("skillUses", namespace, id, { ...use, lastUsedTime: laterOf(use.lastUsedTime, time) });
    }
  });
}

/** The later one of two instants: a clock that goes back makes nothing unused. */
export function laterOf(a: Instant, b: Instant): Instant {
  return compareInstants(a, b) < 0 ? b : a;
}
