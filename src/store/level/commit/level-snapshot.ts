import type { Namespace, Scope } from "../../../core/model/namespace.js";
import type { ScanRange } from "../../../core/ports/scan-range.js";
import type { Change, Head, OwnerOf, Snapshot, Table, ValueOf } from "../../../core/ports/store.js";
import { changeLogEntry, decodeChange, readChanges } from "../../codec/change-records.js";
import { checksumOf } from "../../codec/envelope.js";
import { agentOfOwner } from "../../table-owner.js";
import {
  type Database,
  type DatabaseSnapshot,
  type EntryRange,
  readPayload,
  scanChunks,
  takeSnapshot,
} from "../folder/database.js";
import { epochOf, noTotals, replaceInTotals } from "../format/heads.js";
import { changeKey, scopePart } from "../format/keys.js";
import {
  loadNamespaceState,
  loadScopeState,
  type NamespaceState,
  type OwnerState,
  type ScopeState,
  totalsOf,
} from "./owner-state.js";
import { decodeEntry, entryRange, readRecord, type TableRecord } from "./record-reader.js";
import type { TableVerification } from "./table-verification.js";

/** Dependencies of a snapshot. */
export interface SnapshotParts {
  readonly epoch: string;
  readonly database: Database;
  readonly verification: TableVerification;
}

/**
 * Takes a snapshot of a scope.
 *
 * @throws DATA_LOSS (DAMAGED_RECORD) when the head of the scope is damaged
 * @throws UNAVAILABLE (STORE_UNAVAILABLE) when the LevelDB is closed
 */
export async function openLevelSnapshot(
  scope: Scope,
  parts: SnapshotParts,
): Promise<LevelSnapshot> {
  const snapshot = takeSnapshot(parts.database);
  try {
    return new LevelSnapshot(scope, parts, snapshot);
  } catch (error) {
    await snapshot.close();
    throw error;
  }
}

/** Reads a scope in a snapshot of LevelDB. */
export class LevelSnapshot implements Snapshot {
  readonly head: Head;
  readonly #database: Database;
  readonly #verification: TableVerification;
  readonly #scopePart: Buffer;
  readonly #scopeState: ScopeState;
  readonly #namespaces = new Map<string, NamespaceState>();

  constructor(
    private readonly scope: Scope,
    { epoch, database, verification }: SnapshotParts,
    private readonly snapshot: DatabaseSnapshot,
  ) {
    this.#database = database;
    this.#verification = verification;
    this.#scopePart = scopePart(scope);
    this.#scopeState = loadScopeState(database, this.#scopePart, snapshot);
    this.head = { epoch: epochOf(this.#scopeState, epoch), seq: this.#scopeState.seq };
  }

  async get<T extends Table>(
    table: T,
    owner: OwnerOf<T>,
    key: string,
  ): Promise<ValueOf<T> | undefined> {
    const state = this.#stateOf(owner);
    if (!this.#verification.isKnown(state, table))
      await this.#verification.verify(state, table, this.snapshot);
    return readRecord(this.#database, table, state.range(table), key, this.snapshot);
  }

  async peek<T extends Table>(
    table: T,
    owner: OwnerOf<T>,
    key: string,
  ): Promise<ValueOf<T> | undefined> {
    const range = this.#stateOf(owner).range(table);
    return readRecord(this.#database, table, range, key, this.snapshot);
  }

  async *scan<T extends Table>(
    table: T,
    owner: OwnerOf<T>,
    scanRange: ScanRange = {},
  ): AsyncIterable<TableRecord<T>> {
    const state = this.#stateOf(owner);
    const range = entryRange(state.range(table), scanRange, this.snapshot);
    const known = this.#verification.isKnown(state, table);
    if (!known && scanRange.after === undefined && scanRange.reverse !== true) {
      yield* this.#scanVerifying(table, state, range);
      return;
    }
    if (!known) await this.#verification.verify(state, table, this.snapshot);
    for await (const entries of scanChunks(this.#database, range))
      for (const entry of entries) yield decodeEntry(table, range, entry);
  }

  /**
   * Scans a table from its first record, and verifies it on the way, so that the table is read
   * once. If the caller stops early, verifies the whole table before the caller goes on.
   */
  async *#scanVerifying<T extends Table>(
    table: T,
    state: OwnerState,
    range: EntryRange,
  ): AsyncIterable<TableRecord<T>> {
    let found = noTotals;
    let isWithCaller = false;
    try {
      for await (const entries of scanChunks(this.#database, range)) {
        for (const entry of entries) {
          const record = decodeEntry(table, range, entry);
          isWithCaller = true;
          yield record;
          isWithCaller = false;
          found = replaceInTotals(found, undefined, checksumOf(entry[1]));
        }
      }
    } finally {
      if (isWithCaller) await this.#verification.verify(state, table, this.snapshot);
    }
    this.#verification.conclude(state, table, found);
  }

  async count<T extends Table>(table: T, owner: OwnerOf<T>): Promise<number> {
    return totalsOf(this.#stateOf(owner), table).count;
  }

  /** See `Store.changes`. */
  changes(afterSeq: number, untilSeq: number = this.head.seq): readonly Change[] | undefined {
    return readChanges(afterSeq, untilSeq, (seq) => {
      const key = changeKey(this.#scopePart, seq);
      const payload = readPayload(this.#database, key, changeLogEntry, this.snapshot);
      return payload && decodeChange(seq, payload);
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.snapshot.close();
  }

  #stateOf(owner: Namespace | Scope): OwnerState {
    const agentId = agentOfOwner(this.scope, owner);
    if (agentId === undefined) return this.#scopeState;
    const known = this.#namespaces.get(agentId);
    if (known !== undefined) return known;
    const loaded = loadNamespaceState(this.#database, this.#scopePart, agentId, this.snapshot);
    this.#namespaces.set(agentId, loaded);
    return loaded;
  }
}
