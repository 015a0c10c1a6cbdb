import type { ScanRange } from "../../../core/ports/scan-range.js";
import type { Change, Head, Table, ValueOf } from "../../../core/ports/store.js";
import type { Usage } from "../../../core/ports/usage.js";
import { payloadLength } from "../../codec/envelope.js";
import { tableCodes, tableOfCode } from "../../codec/table-codes.js";
import type { Base, RecordSlot } from "../../engine/base.js";
import type { Session } from "../session/connection.js";
import { readStoredChanges } from "../tables/change-reader.js";
import { keyBytes, openRecord, type TableAt } from "../tables/record-codec.js";
import { firstPageRecords, readPages, type SealedRecord } from "../tables/record-pages.js";
import type { ScopeRow } from "../tables/scope-row.js";
import { countOf, type Place, type ScopeState } from "../tables/scope-state.js";
import { scopeStatements } from "../tables/statements.js";

/**
 * The length of a record's value before a group of transactions; `undefined`: no record existed.
 */
type Found = { readonly payloadBytes: number } | undefined;

interface FoundRow {
  readonly place: number;
  readonly tbl: number;
  readonly key: Buffer;
  readonly length: number;
}

/**
 * A scope as it was before a group of transactions. No other server changes it while the group has
 * the head locked, so each record is read once. Places are numbers, see `TableAt`.
 */
export class BaseRecords implements Base<number> {
  readonly head: Head;
  readonly usage: Usage;
  readonly lastTimeMs: number;
  /** Whether `isFree` may assume that the slots of new keys hold no record. */
  assumesFree = true;
  #nextPlace: number;
  readonly #owners = new Map<number, Omit<Place, "place">>();
  readonly #found = new Map<string, Map<string, Found>>();
  readonly #values = new Map<string, Map<string, unknown>>();
  /** The first pages of whole tables, by `rangeName` and direction. */
  readonly #firstPages = new Map<string, readonly SealedRecord<Table>[]>();
  /** Slots that a transaction has assumed to hold no record. */
  #assumedFree: RecordSlot<number>[] = [];

  constructor(
    private readonly session: Session,
    private readonly scope: ScopeRow,
    readonly state: ScopeState,
    readonly commitTimeMs?: number,
  ) {
    const { epoch, timeline, seq, usage, lastTimeMs, place, counts } = state;
    this.head = { epoch, timeline, seq };
    this.usage = usage;
    this.lastTimeMs = lastTimeMs;
    this.#nextPlace = state.nextPlace;
    this.#owners.set(place, { counts, bytes: 0 });
    for (const owner of state.places.values()) this.#owners.set(owner.place, owner);
  }

  /** The next place that no namespace has taken. */
  get nextPlace(): number {
    return this.#nextPlace;
  }

  placeOf(agentId: string | undefined): number | undefined {
    return agentId === undefined ? this.state.place : this.state.places.get(agentId)?.place;
  }

  newPlace(agentId: string): number {
    keyBytes(agentId);
    return this.#nextPlace++;
  }

  slotOf<T extends Table>(place: number, table: T, key: string): RecordSlot<number, T> {
    return { place, table, key, keyBytes: keyBytes(key) };
  }

  count(place: number, table: Table): number {
    return countOf(this.#owners.get(place)?.counts ?? [], table);
  }

  countAll(place: number): number {
    return (this.#owners.get(place)?.counts ?? []).reduce((sum, count) => sum + count, 0);
  }

  bytes(place: number): number {
    return this.#owners.get(place)?.bytes ?? 0;
  }

  changes(afterSeq: number): Promise<readonly Change[] | undefined> {
    return readStoredChanges(this.session, this.scope, afterSeq, this.head.seq);
  }

  /** Reads a record. A second read of the same record does not ask PostgreSQL again. */
  async read<T extends Table>(slot: RecordSlot<number, T>): Promise<ValueOf<T> | undefined> {
    if (this.#isEmpty(slot.place, slot.table)) return undefined;
    const values = mapIn(this.#values, slot);
    // The codec of this table made the value, further below.
    if (values.has(slot.key)) return values.get(slot.key) as ValueOf<T> | undefined;
    const { place, table, keyBytes } = slot;
    const { rows } = await this.session.query<{ value: Buffer | null }>(
      scopeStatements.readRecord,
      [this.scope.uuid, place, tableCodes[table], keyBytes],
    );
    const value = rows[0]?.value ?? undefined;
    this.#note(slot, value);
    const opened =
      value === undefined ? undefined : openRecord(this.#at(place, table), keyBytes, value);
    values.set(slot.key, opened);
    return opened;
  }

  /** Scans a table in pages. A second scan of a whole table does not read the first page again. */
  async *scan<T extends Table>(
    place: number,
    table: T,
    range: ScanRange,
  ): AsyncGenerator<readonly SealedRecord<T>[]> {
    if (this.#isEmpty(place, table)) return;
    const name = `${rangeName(place, table)} ${range.reverse === true}`;
    let after = range.after;
    const first = after === undefined ? this.#firstPages.get(name) : undefined;
    if (first !== undefined) {
      // The codec of this table made the page, further below.
      yield first as readonly SealedRecord<T>[];
      if (first.length < firstPageRecords) return;
      after = first.at(-1)?.key;
    }
    const rest = after === undefined ? range : { ...range, after };
    const pages = readPages(this.session, this.#at(place, table), rest, () => undefined);
    for await (const page of pages) {
      if (after === undefined && !this.#firstPages.has(name)) this.#firstPages.set(name, page);
      for (const { key, sealed } of page) this.#note({ place, table, key }, sealed);
      yield page;
    }
  }

  async isFree(slot: RecordSlot<number>): Promise<boolean> {
    if (!this.isKnown(slot)) {
      if (this.assumesFree) {
        this.#assumedFree.push(slot);
        return true;
      }
      await this.learn([slot]);
    }
    return this.payloadBytes(slot) === undefined;
  }

  /**
   * Asks PostgreSQL, in one query, which records existed in the written slots and in those that
   * were assumed to be empty. Returns whether all assumptions were right, and drops them.
   */
  async look(written: readonly RecordSlot<number>[]): Promise<boolean> {
    const assumed = this.#assumedFree;
    this.#assumedFree = [];
    await this.learn([...written, ...assumed]);
    return assumed.every((slot) => this.payloadBytes(slot) === undefined);
  }

  isKnown({ place, table, key }: RecordSlot<number>): boolean {
    if (this.#isEmpty(place, table)) return true;
    return this.#found.get(rangeName(place, table))?.has(key) === true;
  }

  payloadBytes({ place, table, key }: RecordSlot<number>): number | undefined {
    return this.#found.get(rangeName(place, table))?.get(key)?.payloadBytes;
  }

  /** Looks up, in one query, the slots that are not known yet. */
  async learn(slots: Iterable<RecordSlot<number>>): Promise<void> {
    const unknown = [...slots].filter((slot) => !this.isKnown(slot));
    if (unknown.length === 0) return;
    const { rows } = await this.session.query<FoundRow>(scopeStatements.findRecords, [
      this.scope.uuid,
      unknown.map(({ place }) => place),
      unknown.map(({ table }) => tableCodes[table]),
      unknown.map(({ keyBytes }) => keyBytes),
    ]);
    for (const slot of unknown) mapIn(this.#found, slot).set(slot.key, undefined);
    for (const { place, tbl, key, length } of rows) {
      const table = tableOfCode(tbl);
      if (table === undefined) throw new Error(`unknown table ${tbl} in an answer of PostgreSQL`);
      const found = { payloadBytes: payloadLength({ length }) };
      mapIn(this.#found, { place, table }).set(key.toString(), found);
    }
  }

  /** Whether a table has no records, so that no query is needed. */
  #isEmpty(place: number, table: Table): boolean {
    return this.count(place, table) === 0;
  }

  #note(slot: Omit<RecordSlot<number>, "keyBytes">, sealed: Buffer | undefined): void {
    const found = sealed && { payloadBytes: payloadLength(sealed) };
    mapIn(this.#found, slot).set(slot.key, found);
  }

  #at<T extends Table>(place: number, table: T): TableAt & { readonly table: T } {
    return { scope: this.scope, place, table };
  }
}

function mapIn<V>(
  maps: Map<string, Map<string, V>>,
  { place, table }: Pick<RecordSlot<number>, "place" | "table">,
): Map<string, V> {
  const name = rangeName(place, table);
  const map = maps.get(name) ?? new Map<string, V>();
  maps.set(name, map);
  return map;
}

/** Returns a unique string for each table of each place. */
export function rangeName(place: number, table: Table): string {
  return `${place} ${tableCodes[table]}`;
}
