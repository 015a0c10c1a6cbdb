import type { Scope } from "../../../core/model/namespace.js";
import type { Table } from "../../../core/ports/store.js";
import type { Database } from "../folder/database.js";
import { changeLogRange, type KeyRange, scopePart } from "../format/keys.js";
import { PendingRecords } from "./pending-records.js";
import {
  loadNamespacePlace,
  loadScopePlace,
  type NamespacePlace,
  type Place,
  type ScopePlace,
} from "./places.js";
import type { TableVerification } from "./table-verification.js";
import type { TransactionOutcome } from "./transaction-outcome.js";

/** What the transactions of a scope have led to so far, durable or not. REQUIRES: no other state of the scope is in use. */
export class ScopeState {
  readonly scopePart: Buffer;
  /** Where the scope's change log lies; entries that are not on disk yet are under their numbers in `pending`. */
  readonly changeLog: KeyRange;
  /** Records that are not on disk yet. */
  readonly pending = new PendingRecords();
  readonly #namespaces = new Map<string, NamespacePlace>();
  #place: ScopePlace | undefined;

  constructor(
    scope: Scope,
    readonly epoch: string,
    readonly database: Database,
    private readonly verification: TableVerification,
  ) {
    this.scopePart = scopePart(scope);
    this.changeLog = changeLogRange(this.scopePart);
  }

  get place(): ScopePlace {
    this.#place ??= loadScopePlace(this.database, this.scopePart);
    return this.#place;
  }

  namespace(agentId: string): NamespacePlace {
    const known = this.#namespaces.get(agentId);
    if (known !== undefined) return known;
    const loaded = loadNamespacePlace(this.database, this.scopePart, agentId);
    this.#namespaces.set(agentId, loaded);
    return loaded;
  }

  /** Makes what a transaction came to the state that the next one sees. */
  apply({ scopePlace, namespaces, records }: TransactionOutcome): void {
    for (const place of [scopePlace, ...namespaces.values()])
      if (place.slot.storedChecksum === undefined) this.verification.begin(place);
    this.#place = scopePlace;
    for (const [agentId, place] of namespaces) this.#namespaces.set(agentId, place);
    this.pending.merge(records);
  }

  /** Verifies a table on disk unless that was done before. Throws DATA_LOSS if it is damaged. */
  async verify(agentId: string | undefined, table: Table): Promise<void> {
    const current: Place = agentId === undefined ? this.place : this.namespace(agentId);
    if (this.verification.isKnown(current, table)) return;
    const snapshot = this.database.snapshot();
    try {
      const durable: Place =
        agentId === undefined
          ? loadScopePlace(this.database, this.scopePart, snapshot)
          : loadNamespacePlace(this.database, this.scopePart, agentId, snapshot);
      await this.verification.verify(durable, table, snapshot);
    } finally {
      await snapshot.close();
    }
  }
}
