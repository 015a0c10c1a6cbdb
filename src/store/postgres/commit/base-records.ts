import type { ScanRange, Table, ValueOf } from "../../../core/ports/store.js";
import { payloadLength } from "../../codec/envelope.js";
import { tableCodes, tableOfCode } from "../../codec/table-codes.js";
import type { Session } from "../session/connection.js";
import { openRecord, type TableAt } from "../tables/record-codec.js";
import { firstPageRecords, readPages, type StoredRecord } from "../tables/record-pages.js";
import type { ScopeRow } from "../tables/scope-row.js";
import { countOf, type ScopeState } from "../tables/scope-state.js";
import { scopeStatements } from "../tables/statements.js";
import { type RecordSlot, rangeName } from "./pending-records.js";

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
 * The records of a scope as they were before a group of transactions. No other server changes them
 * while the group has the head locked, so each record is read once.
 */
export class BaseRecords {
  readonly #counts = new Map<number, readonly number[]>();
  readonly #found = new Map<string, Map<string, Found>>();
  readonly #values = new Map<string, Map<string, unknown>>();
  /** The first pages of whole tables, by `rangeName` and direction. */
  readonly #firstPages = new Map<string, readonly StoredRecord<Table>[]>();

  constructor(
    private readonly session: Session,
    private readonly scope: ScopeRow,
    state: ScopeState,
  ) {
    this.#counts.set(state.place, state.counts);
    for (const { place, counts } of state.places.values()) this.#counts.set(place, counts);
  }

  /** Reads a record. A second read of the same record does not ask PostgreSQL again. */
  async read<T extends Table>(
    slot: RecordSlot & { readonly table: T },
  ): Promise<ValueOf<T> | undefined> {
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
  ): AsyncGenerator<readonly StoredRecord<T>[]> {
    if (this.#isEmpty(place, table)) return;
    const name = `${rangeName(place, table)} ${range.reverse === true}`;
    let after = range.after;
    const first = after === undefined ? this.#firstPages.get(name) : undefined;
    if (first !== undefined) {
      // The codec of this table made the page, further below.
      yield first as readonly StoredRecord<T>[];
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

  /** Whether `existed` and `payloadBytes` can answer for a record. */
  isKnown({ place, table, key }: Omit<RecordSlot, "keyBytes">): boolean {
    if (this.#isEmpty(place, table)) return true;
    return this.#found.get(rangeName(place, table))?.has(key) === true;
  }

  /** Whether a record existed. Requires: `isKnown`. */
  existed(slot: Omit<RecordSlot, "keyBytes">): boolean {
    return this.payloadBytes(slot) !== undefined;
  }

  /**
   * Bytes of a record's encoded value; `undefined` if the record did not exist. Requires:
   * `isKnown`.
   */
  payloadBytes({ place, table, key }: Omit<RecordSlot, "keyBytes">): number | undefined {
    return this.#found.get(rangeName(place, table))?.get(key)?.payloadBytes;
  }

  /** Looks up, in one query, the slots that are not known yet. */
  async learn(slots: Iterable<RecordSlot>): Promise<void> {
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
    return countOf(this.#counts.get(place) ?? [], table) === 0;
  }

  #note(slot: Omit<RecordSlot, "keyBytes">, sealed: Buffer | undefined): void {
    const found = sealed && { payloadBytes: payloadLength(sealed) };
    mapIn(this.#found, slot).set(slot.key, found);
  }

  #at<T extends Table>(place: number, table: T): TableAt & { readonly table: T } {
    return { scope: this.scope, place, table };
  }
}

function mapIn<V>(
  maps: Map<string, Map<string, V>>,
  { place, table }: Pick<RecordSlot, "place" | "table">,
): Map<string, V> {
  const name = rangeName(place, table);
  const map = maps.get(name) ?? new Map<string, V>();
  maps.set(name, map);
  return map;
}
