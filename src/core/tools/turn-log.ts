import type { Allowance } from "../model/allowance.js";
import { millisOfInstant } from "../model/instant.js";
import { type Namespace, namespaceMapKey, scopeOf } from "../model/namespace.js";
import { turnKey } from "../model/record-keys.js";
import type { TurnEntry } from "../model/turn-entry.js";
import type { IdSource } from "../ports/clock.js";
import type { Store, Transaction } from "../ports/store.js";
import { updateWithin } from "../requests/mutate.js";
import { withinQuota } from "../requests/within-quota.js";
import type { ToolLog } from "./service.js";

/** Maximum number of pending writes. Beyond it, `append` waits for its own write. */
const pendingMax = 256;

/** Writes traces in the background, so that no query waits for the disk. */
export interface TurnLog {
  /**
   * Queues entries. Waits for the disk only if many writes are pending. Never rejects. Entries that
   * exceed the quota of the user are lost, and the loss is logged.
   */
  append(namespace: Namespace, entries: readonly TurnEntry[], allowance: Allowance): Promise<void>;
  /** Resolves when all entries that were appended to a namespace before this call can be read. */
  flush(namespace: Namespace): Promise<void>;
  /** Resolves when no write is pending. */
  close(): Promise<void>;
}

/** The dependencies of the log. */
export interface TurnLogParts {
  readonly store: Store;
  readonly ids: IdSource;
  readonly log: Pick<ToolLog, "traceLost">;
}

/** Creates the log of turns. */
export function createTurnLog({ store, ids, log }: TurnLogParts): TurnLog {
  const pending = new Map<string, Set<Promise<void>>>();
  let count = 0;
  const waitForAll = async (writes: Iterable<Promise<void>>): Promise<void> => {
    await Promise.all(writes);
  };

  const write = async (
    namespace: Namespace,
    entries: readonly TurnEntry[],
    allowance: Allowance,
  ): Promise<void> => {
    const keyed = entries.map((entry) => [ids.next(millisOfInstant(entry.time)), entry] as const);
    try {
      const scope = scopeOf(namespace);
      await updateWithin(store, scope, allowance, false, (tx) =>
        withinQuota(tx, scope, allowance.quota ?? {}, async () => {
          for (const [id, entry] of keyed) putTurnEntry(tx, namespace, id, entry);
        }),
      );
    } catch (error) {
      log.traceLost(error);
    }
  };

  return {
    async append(namespace, entries, allowance) {
      if (entries.length === 0) return;
      const mapKey = namespaceMapKey(namespace);
      const writes = pending.get(mapKey) ?? new Set();
      pending.set(mapKey, writes);
      const written = write(namespace, entries, allowance).finally(() => {
        count -= 1;
        writes.delete(written);
        if (writes.size === 0 && pending.get(mapKey) === writes) pending.delete(mapKey);
      });
      count += 1;
      writes.add(written);
      if (count > pendingMax) await written;
    },
    flush: (namespace) => waitForAll(pending.get(namespaceMapKey(namespace)) ?? []),
    close: () => waitForAll([...pending.values()].flatMap((writes) => [...writes])),
  };
}

/** Writes an entry with its keys by request and by task. */
export function putTurnEntry(
  tx: Transaction,
  namespace: Namespace,
  id: string,
  entry: TurnEntry,
): void {
  tx.put("turnEntries", namespace, id, entry);
  tx.put("turnsByRequest", namespace, turnKey(entry.requestId, id), null);
  if (entry.taskId !== "") tx.put("turnsByTask", namespace, turnKey(entry.taskId, id), null);
}

/** Deletes an entry from all tables. */
export function deleteTurnEntry(
  tx: Transaction,
  namespace: Namespace,
  id: string,
  { requestId, taskId }: TurnEntry,
): void {
  tx.delete("turnEntries", namespace, id);
  tx.delete("turnsByRequest", namespace, turnKey(requestId, id));
  if (taskId !== "") tx.delete("turnsByTask", namespace, turnKey(taskId, id));
}
