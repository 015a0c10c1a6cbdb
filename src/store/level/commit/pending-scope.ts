import type { Scope } from "../../../core/model/namespace.js";
import type { Table } from "../../../core/ports/store.js";
import type { Database } from "../folder/database.js";
import { changeLogRange, type KeyRange, scopePart } from "../format/keys.js";
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
  /** Records that are not on disk yet. */
  readonly pending = new PendingRecords();
  readonly #namespaces = new Map<string, NamespaceState>();
  #state: ScopeState | undefined;

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

  /** Makes the outcome of a transaction the state for the next one. */
  apply({ scopeState, namespaces, records }: TransactionOutcome): void {
    for (const state of [scopeState, ...namespaces.values()])
      if (state.slot.storedChecksum === undefined) this.verification.begin(state);
    this.#state = scopeState;
    for (const [agentId, state] of namespaces) this.#namespaces.set(agentId, state);
    this.pending.merge(records);
  }

  /**
   * Verifies a table on disk unless that has been done.
   *
   * @throws DATA_LOSS (DAMAGED_RECORD) when the table is damaged
   */
  async verify(agentId: string | undefined, table: Table): Promise<void> {
    const current: OwnerState = agentId === undefined ? this.state : this.namespace(agentId);
    if (this.verification.isKnown(current, table)) return;
    const snapshot = this.database.snapshot();
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
