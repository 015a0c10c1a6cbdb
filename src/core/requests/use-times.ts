import { compareInstants, type Instant, instantOfMillis } from "../model/instant.js";
import { type Namespace, namespaceMapKey, scopeOf } from "../model/namespace.js";
import type { Store, Transaction } from "../ports/store.js";
import type { Timer } from "../ports/timer.js";

/** Time for which the use times of a namespace are collected before a write, in milliseconds. */
const collectMs = 1000;

/** The dependencies of recording use times. */
export interface UseTimesParts {
  readonly store: Store;
  readonly timer: Timer;
  /** Stores when a record was last used. Ignores records that do not exist. */
  readonly write: (
    tx: Transaction,
    namespace: Namespace,
    id: string,
    time: Instant,
  ) => Promise<void>;
  /** Receives the error of a failed write. The times of that write are lost. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Records when skills, or memories, were used.
 *
 * A use is a read, so its reply must not wait for the disk. The recorder collects the times of a
 * namespace for a second and then writes them in one transaction. No index reads the tables of
 * times. A crash loses about the times of the last second. The loss does little harm: callers see
 * the times, and pruning uses them to find skills that nobody used for 90 days.
 */
export interface UseTimes {
  /** Records that records were used at `timeMs`. Does not wait for the write. */
  note(namespace: Namespace, ids: readonly string[], timeMs: number): void;
  /**
   * Resolves when the store has all times of the namespace that were noted before this call, except
   * the times of failed writes. Call it before a read.
   */
  flush(namespace: Namespace): Promise<void>;
  /** Writes all times. Resolves when the store has them. */
  close(): Promise<void>;
}

/** The times of a namespace that are not written yet. */
interface PendingTimes {
  readonly namespace: Namespace;
  readonly timeById: Map<string, Instant>;
  readonly cancel: () => void;
}

/** Creates a recorder of use times. */
export function createUseTimes(parts: UseTimesParts): UseTimes {
  const { timer, onFailure } = parts;
  const pending = new Map<string, PendingTimes>();
  /** The last unfinished write of each namespace. */
  const writing = new Map<string, Promise<void>>();

  function write(mapKey: string): void {
    const taken = pending.get(mapKey);
    if (taken === undefined) return;
    pending.delete(mapKey);
    taken.cancel();
    const written = writeTimes(parts, taken).catch(onFailure);
    writing.set(mapKey, written);
    void written.then(() => {
      if (writing.get(mapKey) === written) writing.delete(mapKey);
    });
  }

  return {
    note(namespace, ids, timeMs) {
      const mapKey = namespaceMapKey(namespace);
      let { timeById } = pending.get(mapKey) ?? {};
      if (timeById === undefined) {
        timeById = new Map();
        pending.set(mapKey, {
          namespace,
          timeById,
          cancel: timer.after(collectMs, () => write(mapKey)),
        });
      }
      for (const id of ids) timeById.set(id, instantOfMillis(timeMs));
    },
    async flush(namespace) {
      const mapKey = namespaceMapKey(namespace);
      write(mapKey);
      // Transactions of a scope run in order, so the last write also ends last.
      await writing.get(mapKey);
    },
    async close() {
      for (const mapKey of [...pending.keys()]) write(mapKey);
      await Promise.all(writing.values());
    },
  };
}

async function writeTimes(
  { store, write }: UseTimesParts,
  { namespace, timeById }: PendingTimes,
): Promise<void> {
  await store.update(scopeOf(namespace), async (tx) => {
    for (const [id, time] of timeById) await write(tx, namespace, id, time);
  });
}

/** Returns the later of two instants. A clock that goes back does not make a record look unused. */
export function laterOf(a: Instant, b: Instant): Instant {
  return compareInstants(a, b) < 0 ? b : a;
}
