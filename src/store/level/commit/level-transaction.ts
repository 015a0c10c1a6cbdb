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
import { agentOfOwner } from "../../table-owner.js";
import { changeUsage, isCounted, noUsage } from "../../usage.js";
import { type Operation, readPayload, readSealed, requirePayload } from "../folder/database.js";
import { epochOf, holdsSomething, replaceInTotals, type TableTotals } from "../format/heads.js";
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
import { entryRange, readRecord, scanWithPending, type TableRecord } from "./record-reader.js";
import type { TransactionOutcome } from "./transaction-outcome.js";

/**
 * A transaction on the state that all earlier transactions of the scope have made, durable or not.
 * Only `PendingScope.apply` changes that state.
 */
export class LevelTransaction implements Transaction {
  readonly head: Head;
  readonly #records = new PendingRecords();
  /** Namespaces with writes of this transaction. */
  readonly #namespaces = new Map<string, NamespaceState>();
  #scopeTables: TableTotals;
  #usage: Usage;
  #lastTimeMs: number;
  readonly #touched = new Map<
    string,
    { readonly table: LoggedTable; readonly agentId: string; readonly key: string }
  >();
  /** Cleared generations, by agent. */
  readonly #cleared = new Map<string, number>();
  #wrote = false;
  /** Bytes of values put, minus bytes of values replaced or deleted. */
  #growthBytes = 0;
  #ended = false;

  constructor(
    private readonly scope: Scope,
    private readonly current: PendingScope,
  ) {
    this.head = { epoch: epochOf(current.state, current.epoch), seq: current.state.seq };
    this.#scopeTables = current.state.tables;
    this.#usage = current.state.usage ?? noUsage;
    this.#lastTimeMs = current.state.lastTimeMs;
  }

  async get<T extends Table>(
    table: T,
    owner: OwnerOf<T>,
    key: string,
  ): Promise<ValueOf<T> | undefined> {
    const agentId = agentOfOwner(this.scope, owner);
    await this.current.verify(agentId, table);
    const range = this.#stateOf(agentId).range(table);
    const pending = this.#records.get(range, key) ?? this.current.pending.get(range, key);
    if (pending === undefined) return readRecord(this.current.database, table, range, key);
    // `put` stored the value in this table with this type.
    return pending.sealed === undefined ? undefined : (pending.value as ValueOf<T>);
  }

  async *scan<T extends Table>(
    table: T,
    owner: OwnerOf<T>,
    scanRange: ScanRange = {},
  ): AsyncIterable<TableRecord<T>> {
    const agentId = agentOfOwner(this.scope, owner);
    await this.current.verify(agentId, table);
    const range = this.#stateOf(agentId).range(table);
    const pending = new Map([...this.current.pending.of(range), ...this.#records.of(range)]);
    yield* scanWithPending(this.current.database, table, entryRange(range, scanRange), [
      ...pending,
    ]);
  }

  async count<T extends Table>(table: T, owner: OwnerOf<T>): Promise<number> {
    return this.countAtMost(table, owner);
  }

  countAtMost<T extends Table>(table: T, owner: OwnerOf<T>): number {
    return totalsOf(this.#stateOf(agentOfOwner(this.scope, owner)), table).count;
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
    return this.current.state.usage ?? noUsage;
  }

  usageAtMost(): Usage {
    return this.#usage;
  }

  async isUnused<T extends Table>(table: T, owner: OwnerOf<T>, key: string): Promise<boolean> {
    return (await this.get(table, owner, key)) === undefined;
  }

  put<T extends Table>(table: T, owner: OwnerOf<T>, key: string, value: ValueOf<T>): void {
    this.#requireRunning();
    const agentId = agentOfOwner(this.scope, owner);
    const range = this.#stateOf(agentId).range(table);
    const keyBytes = recordKey(range, key);
    const sealed = seal(keyBytes, codecOf(table).encode(value));
    this.#replace(table, agentId, key, { keyBytes, sealed, value });
  }

  delete<T extends Table>(table: T, owner: OwnerOf<T>, key: string): void {
    this.#requireRunning();
    const agentId = agentOfOwner(this.scope, owner);
    const keyBytes = recordKey(this.#stateOf(agentId).range(table), key);
    this.#replace(table, agentId, key, { keyBytes, sealed: undefined, value: undefined });
  }

  clear(namespace: Namespace): void {
    this.#requireRunning();
    agentOfOwner(this.scope, namespace);
    const { agentId } = namespace;
    const state = this.#namespace(agentId);
    if (!holdsSomething(state.tables)) return;
    for (const table of state.tables.keys()) this.#records.dropRange(state.range(table));
    this.#usage = changeUsage(this.#usage, -totalsOf(state, "memories").count, -(state.bytes ?? 0));
    for (const [id, entry] of this.#touched)
      if (entry.agentId === agentId) this.#touched.delete(id);
    if (this.#cleared.has(agentId)) {
      // The new generation exists in this transaction only.
      this.#namespaces.set(agentId, changeNamespaceState(state, { tables: new Map(), bytes: 0 }));
    } else {
      this.#cleared.set(agentId, state.generation);
      this.#namespaces.set(
        agentId,
        clearNamespaceState(this.current.database, state, this.current.scopePart),
      );
    }
    // A transaction that clears never counts as growth, so it passes while the disk is full.
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
    const seq = state.seq + 1;
    const scopeState = changeScopeState(state, {
      seq,
      lastTimeMs: this.#lastTimeMs,
      tables: this.#scopeTables,
      usage: this.#usage,
    });
    const change = { touched: [...this.#touched.values()], cleared: [...this.#cleared.keys()] };
    this.#noteChange(seq, encodeChange(change));
    const operations: Operation[] = [];
    for (const [, , { keyBytes, sealed }] of this.#records) {
      operations.push(
        sealed === undefined
          ? { type: "del", key: keyBytes }
          : { type: "put", key: keyBytes, value: sealed },
      );
    }
    for (const [agentId, generation] of this.#cleared)
      operations.push(putOperation(sweepKey(scopePart, agentId, generation), noPayload));
    if (seq > changeLogLength)
      operations.push({ type: "del", key: changeKey(scopePart, seq - changeLogLength) });
    return {
      request: {
        operations,
        bytes: bytesOf(operations),
        states: [scopeState, ...this.current.counted, ...this.#namespaces.values()],
      },
      grows: this.#growthBytes > 0,
      clears: this.#cleared.size > 0,
      scopeState,
      namespaces: this.#namespaces,
      records: this.#records,
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
    });
  }

  #requireRunning(): void {
    if (this.#ended)
      throw new Error("a write came after the function of its transaction had ended");
  }

  /** Puts or deletes a record in the transaction. Deleting a missing record changes nothing. */
  #replace(table: Table, agentId: string | undefined, key: string, record: PendingRecord): void {
    const state = this.#stateOf(agentId);
    const range = state.range(table);
    const before = this.#current(range, key, record.keyBytes);
    if (before === undefined && record.sealed === undefined) return;
    this.#wrote = true;
    if (agentId !== undefined && isLogged(table)) {
      this.#touched.set(`${table}/${agentId.length}:${agentId}${key}`, { table, agentId, key });
    }
    if (before !== undefined && record.sealed?.equals(before) === true) return;
    if (!deletionTables.has(table))
      this.#growthBytes += (record.sealed?.length ?? 0) - (before?.length ?? 0);
    const totals = replaceInTotals(
      totalsOf(state, table),
      checksumIn(before),
      checksumIn(record.sealed),
    );
    const tables = new Map(state.tables).set(table, totals);
    const bytesMore = isCounted(table)
      ? countedBytes(range, record.keyBytes, record.sealed) -
        countedBytes(range, record.keyBytes, before)
      : 0;
    const memoriesMore = table === "memories" ? totals.count - totalsOf(state, table).count : 0;
    this.#usage = changeUsage(this.#usage, memoriesMore, bytesMore);
    if (agentId === undefined) this.#scopeTables = tables;
    else {
      const namespace = this.#namespace(agentId);
      const bytes = Math.max(0, (namespace.bytes ?? 0) + bytesMore);
      this.#namespaces.set(agentId, changeNamespaceState(namespace, { tables, bytes }));
    }
    this.#records.set(range, key, record);
  }

  /** Returns the sealed value of a record at this point of the transaction. */
  #current(range: KeyRange, key: string, keyBytes: Buffer): Buffer | undefined {
    const pending = this.#records.get(range, key) ?? this.current.pending.get(range, key);
    if (pending !== undefined) return pending.sealed;
    const sealed = readSealed(this.current.database, keyBytes);
    if (sealed !== undefined) requirePayload(keyBytes, sealed, "the record to replace");
    return sealed;
  }

  #stateOf(agentId: string | undefined): OwnerState {
    return agentId === undefined
      ? { ...this.current.state, tables: this.#scopeTables }
      : this.#namespace(agentId);
  }

  #namespace(agentId: string): NamespaceState {
    return this.#namespaces.get(agentId) ?? this.current.namespace(agentId);
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
