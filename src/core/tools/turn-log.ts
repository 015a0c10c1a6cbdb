import { millisOfInstant } from "../model/instant.js";
import { type Namespace, namespaceMapKey, scopeOf } from "../model/namespace.js";
import type { TurnEntry } from "../model/turn-entry.js";
import type { IdSource } from "../ports/clock.js";
import type { Store, Transaction } from "../ports/store.js";
import type { ToolLog } from "./parts.js";

/** Requests whose entries may wait to be written; who appends beyond waits for its own. */
const waitingMax = 256;

/** Writes traces behind the calls that they tell of, so that no query waits for the disk. */
export interface TurnLog {
  /** Takes over entries; resolves at once unless many are waiting. Never rejects. */
  append(namespace: Namespace, entries: readonly TurnEntry[]): Promise<void>;
  /** Resolves when all that was appended to a namespace before can be read. */
  written(namespace: Namespace): Promise<void>;
  /** Resolves when nothing is waiting. */
  close(): Promise<void>;
}

/** What the log stands on. */
export interface TurnLogParts {
  readonly store: Store;
  readonly ids: IdSource;
  readonly log: Pick<ToolLog, "traceLost">;
}

export function createTurnLog({ store, ids, log }: TurnLogParts): TurnLog {
  const waiting = new Map<string, Set<Promise<void>>>();
  let count = 0;
  const writtenAll = async (writes: Iterable<Promise<void>>): Promise<void> => {
    await Promise.all(writes);
  };

  const write = async (namespace: Namespace, entries: readonly TurnEntry[]): Promise<void> => {
    const keyed = entries.map((entry) => [ids.next(millisOfInstant(entry.time)), entry] as const);
    try {
      await store.update(scopeOf(namespace), async (tx) => {
        for (const [id, entry] of keyed) putTurnEntry(tx, namespace, id, entry);
      });
    } catch (error) {
      log.traceLost(error);
    }
  };

  return {
    async append(namespace, entries) {
      if (entries.length === 0) return;
      const mapKey = namespaceMapKey(namespace);
      const writes = waiting.get(mapKey) ?? new Set();
      waiting.set(mapKey, writes);
      const written = write(namespace, entries).finally(() => {
        count -= 1;
        writes.delete(written);
        if (writes.size === 0 && waiting.get(mapKey) === writes) waiting.delete(mapKey);
      });
      count += 1;
      writes.add(written);
      if (count > waitingMax) await written;
    },
    written: (namespace) => writtenAll(waiting.get(namespaceMapKey(namespace)) ?? []),
    close: () => writtenAll([...waiting.values()].flatMap((writes) => [...writes])),
  };
}

function putTurnEntry(tx: Transaction, namespace: Namespace, id: string, entry: TurnEntry): void {
  tx.put("turnEntries", namespace, id, entry);
  tx.put("turnsByRequest", namespace, turnPrefix(entry.requestId) + id, null);
  if (entry.taskId !== "") tx.put("turnsByTask", namespace, turnPrefix(entry.taskId) + id, null);
}

/** Removes an entry with all that leads to it. */
export function deleteTurnEntry(
  tx: Transaction,
  namespace: Namespace,
  id: string,
  { requestId, taskId }: TurnEntry,
): void {
  tx.delete("turnEntries", namespace, id);
  tx.delete("turnsByRequest", namespace, turnPrefix(requestId) + id);
  if (taskId !== "") tx.delete("turnsByTask", namespace, turnPrefix(taskId) + id);
}

/** What the keys of a request's, or a task's, entries begin with, and no others: its length in UTF-16 units, then its name. The entry's id follows. */
export function turnPrefix(requestOrTaskId: string): string {
  return `${requestOrTaskId.length.toString(16).padStart(4, "0")}${requestOrTaskId}`;
}
