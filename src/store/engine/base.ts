import type { ScanRange } from "../../core/ports/scan-range.js";
import type { Change, Head, Table, ValueOf } from "../../core/ports/store.js";
import type { Usage } from "../../core/ports/usage.js";

/**
 * The position of a record. A place is where the records of one owner are stored: of a namespace,
 * or of a whole scope. Clearing a namespace gives it a new place, which hides all records in one
 * step. `P` is what a store identifies places by; equal places are identical values.
 */
export interface RecordSlot<P, T extends Table = Table> {
  readonly place: P;
  readonly table: T;
  readonly key: string;
  /** Slots of one table of one place are in the order of these bytes. */
  readonly keyBytes: Buffer;
}

/** A record that is not decoded yet. */
export interface StoredRecord<T extends Table> {
  readonly key: string;
  readonly keyBytes: Buffer;
  /** Decodes the value. @throws DATA_LOSS (DAMAGED_RECORD) when its checksum is wrong */
  open(): ValueOf<T>;
}

/**
 * A scope before the transactions of a group, as its store brings it. Nothing changes it while the
 * group runs. A store may answer at once whether a record exists, or learn it later.
 */
export interface Base<P> {
  readonly head: Head;
  readonly usage: Usage;
  readonly lastTimeMs: number;
  /** The time of all commits of the group. Absent: the clock of each caller decides. */
  readonly commitTimeMs?: number | undefined;
  /**
   * Returns the place of an owner; `undefined` if the owner never had a record.
   *
   * @param agentId the agent of a namespace; `undefined` for the whole scope, which always has a
   *   place
   */
  placeOf(agentId: string | undefined): P | undefined;
  /** Returns a place without records for a namespace. If it is never used, it leaves no trace. */
  newPlace(agentId: string): P;
  /** @throws INVALID_ARGUMENT (INVALID_TEXT, ID_TOO_LONG) for keys that cannot be stored */
  slotOf<T extends Table>(place: P, table: T, key: string): RecordSlot<P, T>;
  /** Returns the number of records of a table; 0 for a new place. */
  count(place: P, table: Table): number;
  /** Returns the number of records of all tables; 0 for a new place. */
  countAll(place: P): number;
  /** Returns the bytes of the records of a place, as `Usage` counts them. */
  bytes(place: P): number;
  read<T extends Table>(slot: RecordSlot<P, T>): Promise<ValueOf<T> | undefined>;
  scan<T extends Table>(
    place: P,
    table: T,
    range: ScanRange,
  ): AsyncIterable<readonly StoredRecord<T>[]>;
  /** Whether a slot holds no record. May assume it, if the store checks the assumption later. */
  isFree(slot: RecordSlot<P>): Promise<boolean>;
  /** Whether `payloadBytes` can answer for a slot. Always true after `learn`. */
  isKnown(slot: RecordSlot<P>): boolean;
  /** Bytes of a record's encoded value; `undefined` without a record, or if it is not known. */
  payloadBytes(slot: RecordSlot<P>): number | undefined;
  /** Looks up all slots that are not known yet. */
  learn(slots: Iterable<RecordSlot<P>>): Promise<void>;
  /**
   * Returns the commits after `afterSeq` up to `head`, oldest first; `undefined` if the change log
   * no longer has all of them.
   */
  changes(afterSeq: number): Promise<readonly Change[] | undefined>;
}
