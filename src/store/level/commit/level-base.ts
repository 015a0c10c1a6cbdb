import type { ScanRange } from "../../../core/ports/scan-range.js";
import type { Change, Head, Table, ValueOf } from "../../../core/ports/store.js";
import type { Usage } from "../../../core/ports/usage.js";
import { changeLogEntry, decodeChange, readChanges } from "../../codec/change-records.js";
import { checksumOf, payloadLength } from "../../codec/envelope.js";
import { codecOf } from "../../codec/table-codecs.js";
import type { Base, RecordSlot, StoredRecord } from "../../engine/base.js";
import { mergePending } from "../../engine/pending-records.js";
import {
  type EntryRange,
  readPayload,
  readSealed,
  requirePayload,
  scanChunks,
} from "../folder/database.js";
import { epochOf } from "../format/heads.js";
import { changeKey, type KeyRange, recordKey, textOfRecordKey } from "../format/keys.js";
import {
  clearNamespaceState,
  type NamespaceState,
  type OwnerState,
  totalsOf,
} from "./owner-state.js";
import type { PendingScope } from "./pending-scope.js";
import { entryRange } from "./record-reader.js";

/** What a transaction keeps of a record that it replaces or deletes. Not its value, to save RAM. */
export interface FoundRecord {
  readonly sealedBytes: number;
  readonly payloadBytes: number;
  readonly checksum: number;
}

/**
 * A scope after all earlier transactions, durable or not, as a base. An owner's state stands for
 * its place: the state has the place's number. Reads are synchronous, so this base knows every
 * record.
 */
export class LevelBase implements Base<OwnerState> {
  readonly head: Head;
  readonly usage: Usage;
  readonly lastTimeMs: number;
  /** The new places of namespaces that the transaction has cleared. */
  readonly #cleared = new Set<OwnerState>();
  /** Records that have been looked up; `undefined`: there is none. */
  readonly #found = new Map<KeyRange, Map<string, FoundRecord | undefined>>();

  constructor(private readonly current: PendingScope) {
    const { state, epoch } = current;
    this.head = { epoch: epochOf(state, epoch), seq: state.seq };
    this.usage = state.usage;
    this.lastTimeMs = state.lastTimeMs;
  }

  placeOf(agentId: string | undefined): OwnerState {
    return agentId === undefined ? this.current.state : this.current.namespace(agentId);
  }

  newPlace(agentId: string): NamespaceState {
    const { current } = this;
    const before = current.namespace(agentId);
    const place = clearNamespaceState(current.database, before, current.scopePart);
    this.#cleared.add(place);
    return place;
  }

  slotOf<T extends Table>(place: OwnerState, table: T, key: string): RecordSlot<OwnerState, T> {
    return { place, table, key, keyBytes: recordKey(place.range(table), key) };
  }

  count(place: OwnerState, table: Table): number {
    return totalsOf(place, table).count;
  }

  countAll(place: OwnerState): number {
    let sum = 0;
    for (const { count } of place.tables.values()) sum += count;
    return sum;
  }

  bytes(place: OwnerState): number {
    return "bytes" in place ? (place as NamespaceState).bytes : 0;
  }

  async read<T extends Table>(slot: RecordSlot<OwnerState, T>): Promise<ValueOf<T> | undefined> {
    const { place, table, key } = slot;
    if (this.#cleared.has(place)) return undefined;
    if (!this.current.isVerified(place, table)) await this.current.verify(place, table);
    const range = place.range(table);
    const pending = this.current.pending.get({ place: range, table, key });
    if (pending === undefined) return this.current.read(table, range, key);
    // `put` stored the value in this table with this type.
    return pending.payload === undefined ? undefined : (pending.value as ValueOf<T>);
  }

  async *scan<T extends Table>(
    place: OwnerState,
    table: T,
    scanRange: ScanRange,
  ): AsyncGenerator<readonly StoredRecord<T>[]> {
    if (this.#cleared.has(place)) return;
    if (!this.current.isVerified(place, table)) await this.current.verify(place, table);
    const range = entryRange(place.range(table), scanRange);
    // Later transactions change the pending records while the scan runs.
    const pending = new Map(this.current.pending.of(place.range(table), table));
    yield* mergePending(this.#stored(table, range), pending, scanRange, range.after);
  }

  async *#stored<T extends Table>(
    table: T,
    range: EntryRange,
  ): AsyncGenerator<readonly StoredRecord<T>[]> {
    for await (const entries of scanChunks(this.current.database, range))
      yield entries.map(([keyBytes, sealed]) => ({
        key: textOfRecordKey(range, keyBytes),
        keyBytes,
        open: () => codecOf(table).decode(requirePayload(keyBytes, sealed, `a record of ${table}`)),
      }));
  }

  async isFree(slot: RecordSlot<OwnerState>): Promise<boolean> {
    const { place, table } = slot;
    if (!this.#cleared.has(place) && !this.current.isVerified(place, table))
      await this.current.verify(place, table);
    return this.found(slot) === undefined;
  }

  isKnown(): boolean {
    return true;
  }

  payloadBytes(slot: RecordSlot<OwnerState>): number | undefined {
    return this.found(slot)?.payloadBytes;
  }

  /** Returns the record of a slot before the transaction; `undefined` without a record. */
  found(slot: RecordSlot<OwnerState>): FoundRecord | undefined {
    const { key } = slot;
    const range = slot.place.range(slot.table);
    let found = this.#found.get(range);
    if (found === undefined) {
      found = new Map();
      this.#found.set(range, found);
    }
    if (found.has(key)) return found.get(key);
    const sealed = this.#lookUp(slot);
    const record = sealed && {
      sealedBytes: sealed.length,
      payloadBytes: payloadLength(sealed),
      checksum: checksumOf(sealed),
    };
    found.set(key, record);
    return record;
  }

  /** Whether the record of a slot has this sealed value. */
  holds(slot: RecordSlot<OwnerState>, sealed: Buffer): boolean {
    const found = this.found(slot);
    const mayBeEqual =
      found?.sealedBytes === sealed.length && found.checksum === checksumOf(sealed);
    return mayBeEqual && this.#lookUp(slot)?.equals(sealed) === true;
  }

  async learn(): Promise<void> {}

  async changes(afterSeq: number): Promise<readonly Change[] | undefined> {
    const { database, scopePart, changes } = this.current;
    return readChanges(afterSeq, this.head.seq, (seq) => {
      const waiting = changes.get(seq);
      if (waiting !== undefined) return waiting;
      const payload = readPayload(database, changeKey(scopePart, seq), changeLogEntry);
      return payload && decodeChange(seq, payload);
    });
  }

  #lookUp({ place, table, key, keyBytes }: RecordSlot<OwnerState>): Buffer | undefined {
    const range = place.range(table);
    const { pending, greatestKeys, database } = this.current;
    const waiting = pending.get({ place: range, table, key });
    if (waiting !== undefined) return waiting.payload as Buffer | undefined;
    if (greatestKeys.isAbove(range, keyBytes, this.count(place, table) === 0)) return undefined;
    const sealed = readSealed(database, keyBytes);
    if (sealed !== undefined) requirePayload(keyBytes, sealed, "the record to replace");
    return sealed;
  }
}
