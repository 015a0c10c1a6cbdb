import { randomUUID } from "node:crypto";
import type { Namespace, Scope } from "../../core/model/namespace.js";
import type { Change, Committed, Snapshot, Store, Transaction } from "../../core/ports/store.js";
import { storeUnavailable } from "../errors.js";
import { scopeMapKey } from "../table-owner.js";
import { InMemoryTransaction } from "./in-memory-transaction.js";
import { changesAfter, createReader, holdsSomething, type ScopeVersion } from "./scope-version.js";

interface ScopeEntry {
  readonly scope: Scope;
  state: ScopeVersion;
  /** Settles when all transactions begun so far have ended. Never rejects. */
  idle: Promise<unknown>;
}

/** A store in this process' memory: everything is gone with it, so "durable" means committed here. `epoch`: see `Head`. */
export function createInMemoryStore(epoch: string = randomUUID()): Store {
  const entries = new Map<string, ScopeEntry>();
  const statesOfSnapshots = new WeakMap<Snapshot, ScopeVersion>();
  let closed = false;

  function requireOpen(): void {
    if (closed) throw storeUnavailable("is closed");
  }

  function entryOf(scope: Scope): ScopeEntry {
    const mapKey = scopeMapKey(scope);
    const found = entries.get(mapKey);
    if (found !== undefined) return found;
    const state = { head: { epoch, seq: 0 }, lastTimeMs: 0, tablesByAgent: new Map(), changes: [] };
    const entry = { scope, state, idle: Promise.resolve() };
    entries.set(mapKey, entry);
    return entry;
  }

  return {
    async update<T>(
      scope: Scope,
      transact: (tx: Transaction) => Promise<T>,
    ): Promise<Committed<T>> {
      requireOpen();
      const entry = entryOf(scope);
      const committed = entry.idle.then(async () => {
        const transaction = new InMemoryTransaction(entry.scope, entry.state);
        const result = await transact(transaction);
        entry.state = transaction.end();
        return { result, head: entry.state.head };
      });
      entry.idle = committed.catch(() => undefined);
      return committed;
    },

    async snapshot(scope: Scope): Promise<Snapshot> {
      requireOpen();
      const { state } = entryOf(scope);
      const snapshot = {
        ...createReader(scope, () => state.tablesByAgent),
        head: state.head,
        [Symbol.asyncDispose]: async () => undefined,
      };
      statesOfSnapshots.set(snapshot, state);
      return snapshot;
    },

    async changes(snapshot: Snapshot, afterSeq: number): Promise<readonly Change[] | undefined> {
      requireOpen();
      const state = statesOfSnapshots.get(snapshot);
      if (state === undefined)
        throw new Error("changes were asked for a snapshot of another store");
      return changesAfter(state, afterSeq);
    },

    async *namespaces(): AsyncIterable<Namespace> {
      requireOpen();
      for (const { scope, state } of [...entries.values()]) {
        if (scope.kind !== "user") continue;
        for (const [agentId, tables] of state.tablesByAgent) {
          if (agentId !== undefined && holdsSomething(tables))
            yield { userId: scope.userId, agentId };
        }
      }
    },

    async *scopes(): AsyncIterable<Scope> {
      requireOpen();
      for (const { scope, state } of [...entries.values()])
        if (holdsSomething(state.tablesByAgent.get(undefined))) yield scope;
    },

    async close(): Promise<void> {
      closed = true;
      await Promise.all([...entries.values()].map((entry) => entry.idle));
    },
  };
}
