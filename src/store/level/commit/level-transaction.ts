import type { Namespace, Scope } from "../../../core/model/namespace.js";
import type {
  Change,
  Head,
  LoggedTable,
  OwnerOf,
  ScanRange,
  Table,
  Transaction,
  Usage,
  ValueOf,
} from "../../../core/ports/store.js";
import { changeLogLength, isLogged } from "../../change-log.js";
import { changeLogEntry, encodeChange, readChanges } from "../../codec/change-records.js";
import { checksumOf, payloadLength, seal } from "../../codec/envelope.js";
import { codecOf } from "../../codec/table-codecs.js";
import { type CommittedRecord, isIndexed } from "../../recent-commits.js";
import { agentOfOwner } from "../../table-owner.js";
import { changeUsage, isCounted } from "../../usage.js";
import { type Operation, readPayload, readSealed, requirePayload } from "../folder/database.js";
import {
  epochOf,
  holdsSomething,
  noTotals,
  replaceInTotals,
  type Totals,
} from "../format/heads.js";
import { changeKey, type KeyRange, recordKey, sweepKey } from "../format/keys.js";
import {
  changeNamespaceState,
  changeScopeState,
  clearNamespaceState,
  type NamespaceState,
  type OwnerState,
  totalsOf,
} from "./owner-state.js";
import { type PendingRecord, PendingRecords } from "./pending-records.js";
import type { PendingScope } from "./pending-scope.js";
import { entryRange, scanWithPending, type TableRecord } from "./record-reader.js";
import type { TransactionOutcome } from "./transaction-outcome.js";

/** The tables of an owner that a transaction writes to. */
interface WrittenOwner<State extends OwnerState> {
  /** The owner before the first write, or after the last clearing. */
  readonly before: State;
  /** Totals after the writes so far. */
  readonly tables: Map<Table, Totals>;
  bytes: number;
}

/**
 * A transaction on the state after all earlier transactions of the scope, durable or not. Only
 * `PendingScope.apply` changes that state.
 */
export class LevelTransaction implements Transaction {
  readonly head: Head;
  readonly #records = new PendingRecords();
  /** Namespaces with writes of this transaction, by agent. */
  readonly #namespaces = new Map<string, WrittenOwner<NamespaceState>>();
  /** The tables of the whole scope. Absent: the transaction has not written to them. */
  #scopeTables: WrittenOwner<OwnerState> | undefined;
  #usage: Usage;
  #lastTimeMs: number;
  /** Keys that this transaction has looked up and that are not on disk. */
  readonly #absent = new Map<KeyRange, Set<string>>();
  readonly #touched = new Map<
    string,
    { readonly table: LoggedTable; readonly agentId: string; readonly key: string }
  >();
  /** The cleared generation of each namespace that this transaction clears, by agent. */
  readonly #cleared = new Map<string, number>();
  #wrote = false;
  /**
   * Bytes of values put, minus bytes of values replaced or deleted. Values in `deletionTables` do
   * not count.
   */
  #growthBytes = 0;
  #ended = false;

  constructor(
    private readonly scope: Scope,
    private readonly current: PendingScope,
  ) {
    this.head = { epoch: epochOf(current.state, current.epoch), seq: current.state.seq };
    this.#usage = current.state.usage;
    this.#lastTimeMs = current.state.lastTimeMs;
  }

  async get<T extends Table>(
    table: T,
    owner: OwnerOf<T>,
    key: string,
  ): Promise<ValueOf<T> | undefined> {
    const agentId = agentOfOwner(this.scope, owner);
    if (!this.current.isVerified(agentId, table)) await this.current.verify(agentId, table);
    const range = this.#range(agentId, table);
    const pending = this.#records.get(range, key) ?? this.current.pending.get(range, key);
    if (pending === undefined) return this.current.read(table, range, key);
    // `put` stored the value in this table with this type.
    return pending.sealed === undefined ? undefined : (pending.value as ValueOf<T>);
  }

  async *scan<T extends Table>(
    table: T,
    owner: OwnerOf<T>,
    scanRange: ScanRange = {},
  ): AsyncIterable<TableRecord<T>> {
    const agentId = agentOfOwner(this.scope, owner);
    if (!this.current.isVerified(agentId, table)) await this.current.verify(agentId, table);
    const range = this.#range(agentId, table);
    const pending = new Map([...this.current.pending.of(range), ...this.#records.of(range)]);
    yield* scanWithPending(this.current.database, table, entryRange(range, scanRange), [
      ...pending,
    ]);
  }

  async count<T extends Table>(table: T, owner: OwnerOf<T>): Promise<number> {
    return this.countAtMost(table, owner);
  }

  countAtMost<T extends Table>(table: T, owner: OwnerOf<T>): number {
    return this.#totals(agentOfOwner(this.scope, owner), table).count;
  }

  async changes(afterSeq: number): Promise<readonly Change[] | undefined> {
    const { database, scopePart, pending, changeLog } = this.current;
    return readChanges(afterSeq, this.head.seq, (seq) => {
      const waiting = pending.get(changeLog, String(seq));
      const key = changeKey(scopePart, seq);
      return waiting?.sealed === undefined
        ? readPayload(database, key, changeLogEntry)
        : requirePayload(key, waiting.sealed, changeLogEntry);
    });
  }

  async usage(): Promise<Usage> {
    return this.#usage;
  }

  async usageBefore(): Promise<Usage> {
    return this.current.state.usage;
  }

  usageAtMost(): Usage {
    return this.#usage;
  }

  async isUnused<T extends Table>(table: T, owner: OwnerOf<T>, key: string): Promise<boolean> {
    const agentId = agentOfOwner(this.scope, owner);
    if (!this.current.isVerified(agentId, table)) await this.current.verify(agentId, table);
    const range = this.#range(agentId, table);
    return this.#current(table, agentId, range, key, recordKey(range, key)) === undefined;
  }

  put<T extends Table>(table: T, owner: OwnerOf<T>, key: string, value: ValueOf<T>): void {
    this.#requireRunning();
    const agentId = agentOfOwner(this.scope, owner);
    const range = this.#range(agentId, table);
    const keyBytes = recordKey(range, key);
    const sealed = seal(keyBytes, codecOf(table).encode(value));
    this.#replace(table, agentId, key, { keyBytes, sealed, value, table, agentId });
  }

  delete<T extends Table>(table: T, owner: OwnerOf<T>, key: string): void {
    this.#requireRunning();
    const agentId = agentOfOwner(this.scope, owner);
    const keyBytes = recordKey(this.#range(agentId, table), key);
    const record = { keyBytes, sealed: undefined, value: undefined, table, agentId };
    this.#replace(table, agentId, key, record);
  }

  clear(namespace: Namespace): void {
    this.#requireRunning();
    agentOfOwner(this.scope, namespace);
    const { agentId } = namespace;
    if (!holdsSomething((this.#namespaces.get(agentId) ?? this.current.namespace(agentId)).tables))
      return;
    const written = this.#written(agentId);
    const { before, tables, bytes } = written;
    for (const table of tables.keys()) this.#records.dropRange(before.range(table));
    this.#usage = changeUsage(this.#usage, -(tables.get("memories")?.count ?? 0), -bytes);
    for (const [id, entry] of this.#touched)
      if (entry.agentId === agentId) this.#touched.delete(id);
    if (this.#cleared.has(agentId)) {
      // The new generation exists in this transaction only.
      tables.clear();
      written.bytes = 0;
    } else {
      this.#cleared.set(agentId, before.generation);
      const { database, scopePart } = this.current;
      const cleared = clearNamespaceState(database, before, scopePart);
      this.#namespaces.set(agentId, { before: cleared, tables: new Map(), bytes: 0 });
    }
    // A transaction that clears a namespace never counts as growth, so it passes while the disk is
    // full.
    this.#growthBytes = Number.NEGATIVE_INFINITY;
    this.#wrote = true;
  }

  commitTimeMs(clockMs: number): number {
    this.#lastTimeMs = Math.max(this.#lastTimeMs, clockMs);
    return this.#lastTimeMs;
  }

  /** Ends the transaction. Returns its outcome; `undefined` if it wrote nothing. */
  end(): TransactionOutcome | undefined {
    this.#ended = true;
    if (!this.#wrote) return undefined;
    const { scopePart, state } = this.current;
    const namespaces = new Map<string, NamespaceState>();
    for (const [agentId, { before, tables, bytes }] of this.#namespaces)
      namespaces.set(agentId, changeNamespaceState(before, { tables, bytes }));
    const seq = state.seq + 1;
    const scopeState = changeScopeState(state, {
      seq,
      lastTimeMs: this.#lastTimeMs,
      tables: this.#scopeTables?.tables ?? state.tables,
      usage: this.#usage,
    });
    const change = {
      seq,
      touched: [...this.#touched.values()],
      cleared: [...this.#cleared.keys()],
    };
    this.#noteChange(seq, encodeChange(change));
    const operations: Operation[] = [];
    const indexed: CommittedRecord[] = [];
    this.#records.forEach((_, key, record) => {
      operations.push(operationOf(record));
      if (record.table !== undefined && isIndexed(record.table))
        indexed.push(committedRecord(record.table, key, record));
    });
    for (const [agentId, generation] of this.#cleared)
      operations.push(putOperation(sweepKey(scopePart, agentId, generation), noPayload));
    if (seq > changeLogLength)
      operations.push({ type: "del", key: changeKey(scopePart, seq - changeLogLength) });
    return {
      request: {
        operations,
        bytes: bytesOf(operations),
        states: [scopeState, ...namespaces.values()],
      },
      grows: this.#growthBytes > 0,
      clears: this.#cleared.size > 0,
      scopeState,
      namespaces,
      records: this.#records,
      commit: { change, records: indexed },
    };
  }

  /**
   * Puts an entry of the change log among the pending records, so that the next transaction sees
   * it.
   */
  #noteChange(seq: number, payload: Buffer): void {
    const { scopePart, changeLog } = this.current;
    const keyBytes = changeKey(scopePart, seq);
    this.#records.set(changeLog, String(seq), {
      keyBytes,
      sealed: seal(keyBytes, payload),
      value: undefined,
      table: undefined,
      agentId: undefined,
    });
  }

  #requireRunning(): void {
    if (this.#ended)
      throw new Error("a write came after the function of its transaction had ended");
  }

  /** Puts or deletes a record in the transaction. Deleting a missing record changes nothing. */
  #replace(table: Table, agentId: string | undefined, key: string, record: PendingRecord): void {
    const range = this.#range(agentId, table);
    const before = this.#current(table, agentId, range, key, record.keyBytes);
    if (record.sealed !== undefined) this.current.greatestKeys.raise(range, record.keyBytes);
    if (before === undefined && record.sealed === undefined) return;
    this.#wrote = true;
    if (agentId !== undefined && isLogged(table)) {
      this.#touched.set(`${table}/${agentId.length}:${agentId}${key}`, { table, agentId, key });
    }
    if (before !== undefined && record.sealed?.equals(before) === true) return;
    if (!deletionTables.has(table))
      this.#growthBytes += (record.sealed?.length ?? 0) - (before?.length ?? 0);
    const written = this.#written(agentId);
    const totalsBefore = written.tables.get(table) ?? noTotals;
    const totals = replaceInTotals(totalsBefore, checksumIn(before), checksumIn(record.sealed));
    written.tables.set(table, totals);
    const bytesMore = isCounted(table)
      ? countedBytes(range, record.keyBytes, record.sealed) -
        countedBytes(range, record.keyBytes, before)
      : 0;
    written.bytes = Math.max(0, written.bytes + bytesMore);
    const memoriesMore = table === "memories" ? totals.count - totalsBefore.count : 0;
    this.#usage = changeUsage(this.#usage, memoriesMore, bytesMore);
    this.#records.set(range, key, record);
  }

  /** Returns the sealed value of a record at this point of the transaction. */
  #current(
    table: Table,
    agentId: string | undefined,
    range: KeyRange,
    key: string,
    keyBytes: Buffer,
  ): Buffer | undefined {
    const pending = this.#records.get(range, key) ?? this.current.pending.get(range, key);
    if (pending !== undefined) return pending.sealed;
    const owner = agentId === undefined ? this.current.state : this.current.namespace(agentId);
    const isEmpty = owner.range(table) === range && totalsOf(owner, table).count === 0;
    if (this.current.greatestKeys.isAbove(range, keyBytes, isEmpty)) return undefined;
    if (this.#absent.get(range)?.has(key) === true) return undefined;
    const sealed = readSealed(this.current.database, keyBytes);
    if (sealed !== undefined) requirePayload(keyBytes, sealed, "the record to replace");
    else this.#absent.set(range, (this.#absent.get(range) ?? new Set()).add(key));
    return sealed;
  }

  #range(agentId: string | undefined, table: Table): KeyRange {
    const { state } = this.current;
    const owner =
      agentId === undefined
        ? state
        : (this.#namespaces.get(agentId)?.before ?? this.current.namespace(agentId));
    return owner.range(table);
  }

  #totals(agentId: string | undefined, table: Table): Totals {
    const written = agentId === undefined ? this.#scopeTables : this.#namespaces.get(agentId);
    if (written !== undefined) return written.tables.get(table) ?? noTotals;
    const { state } = this.current;
    return totalsOf(agentId === undefined ? state : this.current.namespace(agentId), table);
  }

  /** Returns the tables of an owner, to be changed. */
  #written(agentId: string): WrittenOwner<NamespaceState>;
  #written(agentId: string | undefined): WrittenOwner<OwnerState>;
  #written(agentId: string | undefined): WrittenOwner<OwnerState> {
    if (agentId === undefined) {
      const { state: before } = this.current;
      this.#scopeTables ??= { before, tables: new Map(before.tables), bytes: 0 };
      return this.#scopeTables;
    }
    const known = this.#namespaces.get(agentId);
    if (known !== undefined) return known;
    const before = this.current.namespace(agentId);
    const written = { before, tables: new Map(before.tables), bytes: before.bytes };
    this.#namespaces.set(agentId, written);
    return written;
  }
}

/**
 * Tables that deletions write to. A transaction that writes only to these tables passes while the
 * disk is full.
 */
const deletionTables: ReadonlySet<Table> = new Set<Table>([
  "replies",
  "replyExpiries",
  "proposalsByTarget",
]);

const noPayload = new Uint8Array(0);

function operationOf({ keyBytes, sealed }: PendingRecord): Operation {
  return sealed === undefined
    ? { type: "del", key: keyBytes }
    : { type: "put", key: keyBytes, value: sealed };
}

function committedRecord(
  table: Table,
  key: string,
  { keyBytes, sealed, value, agentId }: PendingRecord,
): CommittedRecord {
  const bytes = keyBytes.length + (sealed?.length ?? 0);
  return { table, agentId, key, value, isDeleted: sealed === undefined, bytes };
}

function putOperation(key: Buffer, payload: Uint8Array): Operation {
  return { type: "put", key, value: seal(key, payload) };
}

function bytesOf(operations: readonly Operation[]): number {
  return operations.reduce(
    (sum, operation) =>
      sum + operation.key.length + (operation.type === "put" ? operation.value.length : 0),
    0,
  );
}

/** Returns the bytes that a record adds to the usage; 0 for no record. */
function countedBytes({ prefix }: KeyRange, keyBytes: Buffer, sealed: Buffer | undefined): number {
  return sealed === undefined ? 0 : keyBytes.length - prefix.length + payloadLength(sealed);
}

function checksumIn(sealed: Buffer | undefined): number | undefined {
  return sealed === undefined ? undefined : checksumOf(sealed);
}
