import { randomUUID } from "node:crypto";
import type { Namespace, Scope } from "../../core/model/namespace.js";
import type { Change, Committed, Snapshot, Store, Transaction } from "../../core/ports/store.js";
import { storeUnavailable } from "../errors.js";
import { scopeMapKey } from "../table-owner.js";
import { InMemoryTransaction } from "./in-memory-transaction.js";
import { changesAfter, createReader, holdsSomething, type ScopeVersion } from "./scope-version.js";

/**
 * Creates a store in the RAM of this process. Its records end with the process, so "durable" means
 * committed here.
 *
 * @param epoch see `Head.epoch`
 */
export function createInMemoryStore(epoch: string = randomUUID()): Store {
  return new InMemoryStore(epoch);
}

interface ScopeEntry {
  readonly scope: Scope;
  version: ScopeVersion;
  /** Settles when all transactions that have begun are done. Never rejects. */
  idle: Promise<unknown>;
}

class InMemoryStore implements Store {
  readonly #epoch: string;
  readonly #entries = new Map<string, ScopeEntry>();
  readonly #versionsOfSnapshots = new WeakMap<Snapshot, ScopeVersion>();
  #isClosed = false;

  constructor(epoch: string) {
    this.#epoch = epoch;
  }

  async update<T>(scope: Scope, transact: (tx: Transaction) => Promise<T>): Promise<Committed<T>> {
    this.#requireOpen();
    const entry = this.#entryOf(scope);
    const commit = entry.idle.then(async () => {
      const transaction = new InMemoryTransaction(entry.scope, entry.version);
      const result = await transact(transaction);
      entry.version = transaction.end();
      return { result, head: entry.version.head };
    });
    entry.idle = commit.catch(() => undefined);
    return commit;
  }

  async snapshot(scope: Scope): Promise<Snapshot> {
    this.#requireOpen();
    const { version } = this.#entryOf(scope);
    const snapshot = {
      ...createReader(scope, () => version.tablesByAgent),
      head: version.head,
      [Symbol.asyncDispose]: async () => undefined,
    };
    this.#versionsOfSnapshots.set(snapshot, version);
    return snapshot;
  }

  async changes(snapshot: Snapshot, afterSeq: number): Promise<readonly Change[] | undefined> {
    this.#requireOpen();
    const version = this.#versionsOfSnapshots.get(snapshot);
    if (version === undefined) throw new Error("the snapshot belongs to another store");
    return changesAfter(version, afterSeq);
  }

  async *namespaces(): AsyncIterable<Namespace> {
    this.#requireOpen();
    for (const { scope, version } of [...this.#entries.values()]) {
      if (scope.kind !== "user") continue;
      for (const [agentId, tables] of version.tablesByAgent) {
        if (agentId !== undefined && holdsSomething(tables))
          yield { userId: scope.userId, agentId };
      }
    }
  }

  async *scopes(): AsyncIterable<Scope> {
    this.#requireOpen();
    for (const { scope, version } of [...this.#entries.values()])
      if (holdsSomething(version.tablesByAgent.get(undefined))) yield scope;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#entries.values()].map((entry) => entry.idle));
  }

  #requireOpen(): void {
    if (this.#isClosed) throw storeUnavailable("is closed");
  }

  #entryOf(scope: Scope): ScopeEntry {
    const mapKey = scopeMapKey(scope);
    const known = this.#entries.get(mapKey);
    if (known !== undefined) return known;
    const version: ScopeVersion = {
      head: { epoch: this.#epoch, seq: 0 },
      lastTimeMs: 0,
      tablesByAgent: new Map(),
      changes: [],
    };
    const entry = { scope, version, idle: Promise.resolve() };
    this.#entries.set(mapKey, entry);
    return entry;
  }
}
