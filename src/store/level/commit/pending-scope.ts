import type { Scope } from "../../../core/model/namespace.js";
import type { Change, Head, Table, ValueOf } from "../../../core/ports/store.js";
import { PendingRecords } from "../../engine/pending-records.js";
import { type Database, takeSnapshot } from "../folder/database.js";
import { epochOf } from "../format/heads.js";
import { changeLogRange, type KeyRange, scopePart } from "../format/keys.js";
import { GreatestKeys } from "./greatest-keys.js";
import {
  changeScopeState,
  loadNamespaceState,
  loadScopeState,
  type NamespaceState,
  type OwnerState,
  type ScopeState,
} from "./owner-state.js";
import { readRecord } from "./record-reader.js";
import type { TableVerification } from "./table-verification.js";
import type { TransactionOutcome } from "./transaction-outcome.js";

/** Tables with a few small records that nearly every transaction reads. They stay in RAM. */
const keptTables: ReadonlySet<Table> = new Set<Table>(["profiles"]);

/**
 * The state of a scope after all of its transactions so far, durable or not.
 *
 * Requires: there is only one `PendingScope` of a scope at a time.
 */
export class PendingScope {
  readonly scopePart: Buffer;
  /** The range of the scope's change log. */
  readonly changeLog: KeyRange;
  /**
   * The records that are not on disk yet, with their sealed values. Their places are the ranges of
   * `OwnerState.range`, which later states of the owner share.
   */
  readonly pending = new PendingRecords<KeyRange>();
  /** The commits that are not on disk yet, by sequence number. */
  readonly changes = new Map<number, Change>();
  readonly greatestKeys = new GreatestKeys();
  /** Values of `keptTables` by key, as far as they are known. `undefined`: there is no record. */
  readonly #kept = new WeakMap<KeyRange, Map<string, unknown>>();
  readonly #namespaces = new Map<string, NamespaceState>();
  #state: ScopeState | undefined;

  constructor(
    readonly scope: Scope,
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

  /** Prepares the next transaction. Requires: no transaction of the scope is running. */
  async prepare(): Promise<void> {
    if (this.greatestKeys.wantsRead) await this.greatestKeys.read(this.database, this.pending);
  }

  /** Makes the outcome of a transaction the state for the next transaction. */
  apply({ scopeState, namespaces, records, commit }: TransactionOutcome): void {
    for (const state of [scopeState, ...namespaces.values()])
      if (state.slot.storedChecksum === undefined) this.verification.begin(state);
    this.#state = scopeState;
    for (const [agentId, state] of namespaces) this.#namespaces.set(agentId, state);
    if (commit !== undefined) this.changes.set(commit.change.seq, commit.change);
    for (const record of records) {
      const { slot, payload, value } = record;
      this.pending.set(record);
      if (payload !== undefined) this.greatestKeys.raise(slot.place, slot.keyBytes);
      if (keptTables.has(slot.table)) this.#keptOf(slot.place).set(slot.key, value);
    }
  }

  /**
   * Sets when pruning next finds something to do (`ScopeHead.dueMs`), and returns the new state.
   * Does nothing if the scope has another head.
   */
  settleDue({ epoch, seq }: Head, dueMs: number): ScopeState | undefined {
    const { state } = this;
    if (state.seq !== seq || epochOf(state, this.epoch) !== epoch || state.dueMs === dueMs)
      return undefined;
    this.#state = changeScopeState(state, { ...state, dueMs });
    return this.#state;
  }

  /** Forgets the outcome of a transaction that is on disk. */
  forget({ records, commit }: TransactionOutcome): void {
    if (commit !== undefined) this.changes.delete(commit.change.seq);
    for (const record of records) this.pending.forget(record);
  }

  /** Reads a record that is not pending. Requires: the table was verified. */
  read<T extends Table>(table: T, range: KeyRange, key: string): ValueOf<T> | undefined {
    if (!keptTables.has(table)) return readRecord(this.database, table, range, key);
    const kept = this.#keptOf(range);
    // `apply` and this function store values of the table only.
    if (kept.has(key)) return kept.get(key) as ValueOf<T> | undefined;
    const value = readRecord(this.database, table, range, key);
    kept.set(key, value);
    return value;
  }

  #keptOf(range: KeyRange): Map<string, unknown> {
    const known = this.#kept.get(range);
    if (known !== undefined) return known;
    const kept = new Map<string, unknown>();
    this.#kept.set(range, kept);
    return kept;
  }

  /** Whether a table is verified. If it is not, call `verify` before reading it. */
  isVerified(owner: OwnerState, table: Table): boolean {
    return this.verification.isKnown(owner, table);
  }

  /**
   * Verifies a table on disk. Requires: `isVerified` is false.
   *
   * @throws DATA_LOSS (DAMAGED_RECORD) when the table is damaged
   */
  async verify(owner: OwnerState, table: Table): Promise<void> {
    const snapshot = takeSnapshot(this.database);
    try {
      const durable: OwnerState =
        "agentId" in owner
          ? loadNamespaceState(this.database, this.scopePart, owner.agentId as string, snapshot)
          : loadScopeState(this.database, this.scopePart, snapshot);
      await this.verification.verify(durable, table, snapshot);
    } finally {
      await snapshot.close();
    }
  }
}
