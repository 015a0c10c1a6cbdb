import type { Namespace, Scope } from "../../../core/model/namespace.js";
import type {
  Change,
  Head,
  LoggedTable,
  PlaceOf,
  ScanRange,
  Table,
  Transaction,
  ValueOf,
} from "../../../core/ports/store.js";
import { changeLogLength, isLogged } from "../../change-log.js";
import { agentOfPlace } from "../../place.js";
import { type Operation, readPayload, readSealed, requirePayload } from "../folder/database.js";
import { changeLogEntry, encodeChange, readChanges } from "../format/change-records.js";
import { checksumOf, seal } from "../format/envelope.js";
import { holdsSomething, replaceInTotals, type TableTotals } from "../format/heads.js";
import { changeKey, type KeyRange, recordKey, sweepKey } from "../format/keys.js";
import { codecOf } from "../format/table-codecs.js";
import { type PendingRecord, PendingRecords } from "./pending-records.js";
import {
  changeNamespacePlace,
  changeScopePlace,
  clearNamespacePlace,
  type NamespacePlace,
  type Place,
  totalsOf,
} from "./places.js";
import { entryRange, readRecord, scanWithPending, type TableRecord } from "./record-reader.js";
import type { ScopeState } from "./scope-state.js";
import type { TransactionOutcome } from "./transaction-outcome.js";

/** A transaction on the state of a scope that all earlier ones have led to, durable or not. Only `apply` changes that state. */
export class LevelTransaction implements Transaction {
  readonly head: Head;
  readonly #records = new PendingRecords();
  /** Namespaces that it wrote to. */
  readonly #namespaces = new Map<string, NamespacePlace>();
  #scopeTables: TableTotals;
  #lastTimeMs: number;
  readonly #touched = new Map<
    string,
    { readonly table: LoggedTable; readonly agentId: string; readonly key: string }
  >();
  /** Generations that were cleared, by agent. */
  readonly #cleared = new Map<string, number>();
  #wrote = false;
  /** Bytes of values that are put less those of values that they replace or that are deleted. */
  #growthBytes = 0;
  #ended = false;

  constructor(
    private readonly scope: Scope,
    private readonly state: ScopeState,
  ) {
    this.head = { epoch: state.epoch, seq: state.place.seq };
    this.#scopeTables = state.place.tables;
    this.#lastTimeMs = state.place.lastTimeMs;
  }

  async get<T extends Table>(
    table: T,
    place: PlaceOf<T>,
    key: string,
  ): Promise<ValueOf<T> | undefined> {
    const agentId = agentOfPlace(this.scope, place);
    await this.state.verify(agentId, table);
    const range = this.#place(agentId).range(table);
    const pending = this.#records.get(range, key) ?? this.state.pending.get(range, key);
    if (pending === undefined) return readRecord(this.state.database, table, range, key);
    // What is pending in a table was put there as its type by `put`.
    return pending.sealed === undefined ? undefined : (pending.value as ValueOf<T>);
  }

  async *scan<T extends Table>(
    table: T,
    place: PlaceOf<T>,
    scanRange: ScanRange = {},
  ): AsyncIterable<TableRecord<T>> {
    const agentId = agentOfPlace(this.scope, place);
    await this.state.verify(agentId, table);
    const range = this.#place(agentId).range(table);
    const pending = new Map([...this.state.pending.of(range), ...this.#records.of(range)]);
    yield* scanWithPending(this.state.database, table, entryRange(range, scanRange), [...pending]);
  }

  async count<T extends Table>(table: T, place: PlaceOf<T>): Promise<number> {
    return totalsOf(this.#place(agentOfPlace(this.scope, place)), table).count;
  }

  changes(afterSeq: number): readonly Change[] | undefined {
    const { database, scopePart, pending, changeLog } = this.state;
    return readChanges(afterSeq, this.head.seq, (seq) => {
      const waiting = pending.get(changeLog, String(seq));
      const key = changeKey(scopePart, seq);
      return waiting?.sealed === undefined
        ? readPayload(database, key, changeLogEntry)
        : requirePayload(key, waiting.sealed, changeLogEntry);
    });
  }

  put<T extends Table>(table: T, place: PlaceOf<T>, key: string, value: ValueOf<T>): void {
    this.#requireRunning();
    const agentId = agentOfPlace(this.scope, place);
    const range = this.#place(agentId).range(table);
    const keyBytes = recordKey(range, key);
    const sealed = seal(keyBytes, codecOf(table).encode(value));
    this.#replace(table, agentId, key, { keyBytes, sealed, value });
  }

  delete<T extends Table>(table: T, place: PlaceOf<T>, key: string): void {
    this.#requireRunning();
    const agentId = agentOfPlace(this.scope, place);
    const keyBytes = recordKey(this.#place(agentId).range(table), key);
    this.#replace(table, agentId, key, { keyBytes, sealed: undefined, value: undefined });
  }

  clear(namespace: Namespace): void {
    this.#requireRunning();
    agentOfPlace(this.scope, namespace);
    const { agentId } = namespace;
    const place = this.#namespace(agentId);
    if (!holdsSomething(place.tables)) return;
    for (const table of place.tables.keys()) this.#records.dropRange(place.range(table));
    for (const [id, entry] of this.#touched)
      if (entry.agentId === agentId) this.#touched.delete(id);
    if (this.#cleared.has(agentId)) {
      // Nothing of the new generation has left this transaction.
      this.#namespaces.set(agentId, changeNamespacePlace(place, new Map()));
    } else {
      this.#cleared.set(agentId, place.generation);
      this.#namespaces.set(agentId, clearNamespacePlace(place, this.state.scopePart));
    }
    // Nobody counts what is cleared, and clearing must work while the disk is full.
    this.#growthBytes = Number.NEGATIVE_INFINITY;
    this.#wrote = true;
  }

  commitTimeMs(clockMs: number): number {
    this.#lastTimeMs = Math.max(this.#lastTimeMs, clockMs);
    return this.#lastTimeMs;
  }

  /** Ends it. Returns what it came to; `undefined` if it wrote nothing. */
  end(): TransactionOutcome | undefined {
    this.#ended = true;
    if (!this.#wrote) return undefined;
    const { scopePart, place } = this.state;
    const seq = place.seq + 1;
    const scopePlace = changeScopePlace(place, {
      seq,
      lastTimeMs: this.#lastTimeMs,
      tables: this.#scopeTables,
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
        places: [scopePlace, ...this.#namespaces.values()],
      },
      grows: this.#growthBytes > 0,
      clears: this.#cleared.size > 0,
      scopePlace,
      namespaces: this.#namespaces,
      records: this.#records,
    };
  }

  /** The next transaction must see the entry, as it must see the records. */
  #noteChange(seq: number, payload: Buffer): void {
    const { scopePart, changeLog } = this.state;
    const keyBytes = changeKey(scopePart, seq);
    this.#records.set(changeLog, String(seq), {
      keyBytes,
      sealed: seal(keyBytes, payload),
      value: undefined,
    });
  }

  #requireRunning(): void {
    if (this.#ended) throw new Error("a transaction was written to after its function had ended");
  }

  /** Puts or deletes a record in the transaction. Deleting one that is not there changes nothing. */
  #replace(table: Table, agentId: string | undefined, key: string, record: PendingRecord): void {
    const place = this.#place(agentId);
    const range = place.range(table);
    const before = this.#current(range, key, record.keyBytes);
    if (before === undefined && record.sealed === undefined) return;
    this.#wrote = true;
    if (agentId !== undefined && isLogged(table)) {
      this.#touched.set(`${table}/${agentId.length}:${agentId}${key}`, { table, agentId, key });
    }
    if (before !== undefined && record.sealed?.equals(before) === true) return;
    if (!passing.has(table))
      this.#growthBytes += (record.sealed?.length ?? 0) - (before?.length ?? 0);
    const totals = replaceInTotals(
      totalsOf(place, table),
      checksumIn(before),
      checksumIn(record.sealed),
    );
    const tables = new Map(place.tables).set(table, totals);
    if (agentId === undefined) this.#scopeTables = tables;
    else this.#namespaces.set(agentId, changeNamespacePlace(this.#namespace(agentId), tables));
    this.#records.set(range, key, record);
  }

  /** The value of a record as it is at this point of the transaction. */
  #current(range: KeyRange, key: string, keyBytes: Buffer): Buffer | undefined {
    const pending = this.#records.get(range, key) ?? this.state.pending.get(range, key);
    if (pending !== undefined) return pending.sealed;
    const sealed = readSealed(this.state.database, keyBytes);
    if (sealed !== undefined) requirePayload(keyBytes, sealed, "the record to replace");
    return sealed;
  }

  #place(agentId: string | undefined): Place {
    return agentId === undefined
      ? { ...this.state.place, tables: this.#scopeTables }
      : this.#namespace(agentId);
  }

  #namespace(agentId: string): NamespacePlace {
    return this.#namespaces.get(agentId) ?? this.state.namespace(agentId);
  }
}

/** Tables that deletions write to, so that a write to them alone passes while the disk is full. */
const passing: ReadonlySet<Table> = new Set<Table>([
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

function checksumIn(sealed: Buffer | undefined): number | undefined {
  return sealed === undefined ? undefined : checksumOf(sealed);
}
