import type { Namespace, Scope } from "../../../src/core/model/namespace.js";
import type { ScanRange } from "../../../src/core/ports/scan-range.js";
import type {
  Committed,
  OwnerOf,
  Reader,
  Snapshot,
  Store,
  Table,
  ValueOf,
} from "../../../src/core/ports/store.js";

export const kim: Scope = { kind: "user", userId: "kim" };
export const notes: Namespace = { userId: "kim", agentId: "notes" };
export const tasks: Namespace = { userId: "kim", agentId: "tasks" };

/** The store under test, with helpers for its most frequent uses. */
export interface StoreContext {
  readonly store: Store;
  /** Takes a snapshot, passes it to `use` and closes it. */
  read<T>(scope: Scope, use: (snapshot: Snapshot) => Promise<T>): Promise<T>;
  /** Commits empty timeline records under the keys. */
  putKeys(namespace: Namespace, ...keys: string[]): Promise<Committed<void>>;
}

export function createContext(currentStore: () => Store): StoreContext {
  return {
    get store() {
      return currentStore();
    },
    async read(scope, use) {
      await using snapshot = await currentStore().snapshot(scope);
      return await use(snapshot);
    },
    putKeys(namespace, ...keys) {
      return currentStore().update({ kind: "user", userId: namespace.userId }, async (tx) => {
        for (const key of keys) tx.put("timeline", namespace, key, null);
      });
    },
  };
}

export async function collect<T>(iterable: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of iterable) items.push(item);
  return items;
}

export async function keysOf<T extends Table>(
  reader: Reader,
  table: T,
  owner: OwnerOf<T>,
  range?: ScanRange,
): Promise<string[]> {
  const entries: (readonly [string, ValueOf<T>])[] = await collect(
    reader.scan(table, owner, range),
  );
  return entries.map(([key]) => key);
}
