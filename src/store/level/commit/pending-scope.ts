import type { Scope } from "../../../core/model/namespace.js";
import type { Table } from "../../../core/ports/store.js";
import { type Database, takeSnapshot } from "../folder/database.js";
import { changeLogRange, type KeyRange, scopePart } from "../format/keys.js";
import { countUsage } from "./count-usage.js";
import {
  loadNamespaceState,
  loadScopeState,
  type NamespaceState,
  type OwnerState,
  type ScopeState,
} from "./owner-state.js";
import { PendingRecords } from "./pending-records.js";
import type { TableVerification } from "./table-verification.js";
import type { TransactionOutcome } from "./transaction-outcome.js";

/**
 * The state of a scope after all of its transactions so far, durable or not.
 *
 * Requires: there is only one `PendingScope` of a scope at a time.
 */
export class PendingScope {
  readonly scopePart: Buffer;
  /** The range of the scope's change log. In `pending`, new entries are under their numbers. */
  readonly changeLog: KeyRange;
  /** The records that are not on disk yet. */
  readonly pending = new PendingRecords();
  readonly #namespaces = new Map<string, NamespaceState>();
  #state: ScopeState | undefined;
  /** Namespaces whose bytes were counted, but whose heads on disk do not have the count yet. */
  #counted: readonly NamespaceState[] = [];

  constructor(
    scope: Scope,
    readonly epoch: string,
    readonly database: Database,
    private readonly verification: TableVerification,
  ) {
    this.scopePart = scopePart(scope);
    this.changeLog = changeLogRange(this.scopePart);
  }

  get state(): ScopeState {
    this.#state ??= loadScopeState(this.database, this.scopePart);
    return this.#state;
  }

  namespace(agentId: string): NamespaceState {
    const known = this.#namespaces.get(agentId);
    if (known !== undefined) return known;
    const loaded = loadNamespaceState(this.database, this.scopePart, agentId);
    this.#namespaces.set(agentId, loaded);
    return loaded;
  }

  /** The states that the next transaction must write in addition to its own. */
  get counted(): readonly NamespaceState[] {
    return this.#counted;
  }

  /**
   * Counts what the scope holds, if an earlier build wrote its head. Requires: no transaction of
   * the scope is running or has run.
   */
  async count(): Promise<void> {
    const { state } = this;
    if (state.usage !== undefined) return;
    const counted = await countUsage(this.database, this.scopePart, state);
    for (const namespace of counted.namespaces) this.#namespaces.set(namespace.agentId, namespace);
    this.#counted = counted.namespaces;
    this.#state = counted.scope;
  }

  /** Makes the outcome of a transaction the state for the next transaction. */
  apply({ scopeState, namespaces, records }: TransactionOutcome): void {
    for (const state of [scopeState, ...namespaces.values()])
      if (state.slot.storedChecksum === undefined) this.verification.begin(state);
    this.#state = scopeState;
    this.#counted = [];
    for (const [agentId, state] of namespaces) this.#namespaces.set(agentId, state);
    this.pending.merge(records);
  }

  /**
   * Verifies a table on disk, if it was not verified before.
   *
   * @throws DATA_LOSS (DAMAGED_RECORD) when the table is damaged
   */
  async verify(agentId: string | undefined, table: Table): Promise<void> {
    const current: OwnerState = agentId === undefined ? this.state : this.namespace(agentId);
    if (this.verification.isKnown(current, table)) return;
    const snapshot = takeSnapshot(this.database);
    try {
      const durable: OwnerState =
        agentId === undefined
          ? loadScopeState(this.database, this.scopePart, snapshot)
          : loadNamespaceState(this.database, this.scopePart, agentId, snapshot);
      await this.verification.verify(durable, table, snapshot);
    } finally {
      await snapshot.close();
    }
  }
}
