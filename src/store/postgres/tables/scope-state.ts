import { type CommitHistory, haveSameHistory } from "../../../core/ports/commit-history.js";
import type { Table } from "../../../core/ports/store.js";
import type { Usage } from "../../../core/ports/usage.js";
import { tableCodes } from "../../codec/table-codes.js";
import type { StoredBytes } from "../../engine/stored-bytes.js";
import type { ScopeRow } from "./scope-row.js";

/** Numbers of records by table, in the order of `countIndex`. */
export type Counts = readonly number[];

/** The row of a scope's head. */
export interface HeadRow {
  readonly epoch: string;
  readonly tenant: Buffer;
  readonly kind: number;
  readonly id: Buffer;
  readonly seq: number;
  readonly last_time_ms: number;
  readonly place: number;
  readonly next_place: number;
  readonly counts: Counts;
  readonly memories: number;
  readonly bytes: number;
  readonly accounts: readonly string[];
  /** Bytes by the position of the account in `accounts`. */
  readonly stored: readonly number[];
}

/** The place of a namespace (see `TableAt`), with the counts of its records. */
export interface Place {
  /** Part of the keys of the records. Clearing the namespace gives it another place. */
  readonly place: number;
  readonly counts: Counts;
  /** Bytes of the records, as `Usage` counts them. */
  readonly bytes: number;
}

/** The row of a place. */
export interface PlaceRow extends Place {
  readonly agent: Buffer;
}

/** A scope after one commit. Immutable. */
export interface ScopeState extends CommitHistory {
  readonly seq: number;
  readonly lastTimeMs: number;
  /** The place of the records that belong to the whole scope. */
  readonly place: number;
  /** The next free place. */
  readonly nextPlace: number;
  /** Counts of the records of the whole scope. */
  readonly counts: Counts;
  readonly usage: Usage;
  readonly stored: StoredBytes;
  /** Places by agent. */
  readonly places: ReadonlyMap<string, Place>;
}

/**
 * Returns the state of a scope from the row of its head. `timeline` is PostgreSQL's timeline at the
 * read.
 */
export function scopeState(
  head: HeadRow,
  timeline: string | undefined,
  places: ReadonlyMap<string, Place>,
): ScopeState {
  const { epoch, seq, last_time_ms, place, next_place, counts, memories, bytes } = head;
  const stored = new Map(head.accounts.map((account, at) => [account, head.stored[at] ?? 0]));
  return {
    epoch,
    timeline,
    seq,
    lastTimeMs: last_time_ms,
    place,
    nextPlace: next_place,
    counts,
    usage: { memories, bytes },
    stored,
    places,
  };
}

/**
 * Whether a known state of a scope has the same places as a head that was just read, so that they
 * need not be read again. `timeline` is PostgreSQL's timeline when the head was read. Compares
 * `place` too: a restore may keep the epoch and the sequence number, but moves the records to new
 * places.
 */
export function isStateOf(
  state: ScopeState,
  { epoch, seq, place }: HeadRow,
  timeline: string | undefined,
): boolean {
  return haveSameHistory(state, { epoch, timeline }) && state.seq === seq && state.place === place;
}

/** Returns places by agent. */
export function placesOf(rows: readonly PlaceRow[]): ReadonlyMap<string, Place> {
  return new Map(
    rows.map(({ agent, place, counts, bytes }) => [agent.toString(), { place, counts, bytes }]),
  );
}

/** Throws if the row belongs to another scope, whose SHA-256 has the same first 16 bytes. */
export function requireSameScope(scope: ScopeRow, row: HeadRow): void {
  const isSame =
    row.kind === scope.kind && row.tenant.equals(scope.tenant) && row.id.equals(scope.id);
  if (!isSame) throw new Error(`two scopes share the scope id ${scope.uuid}`);
}

/**
 * The position of a table in `Counts`. A table of namespaces and a table of scopes may have the
 * same position, because the two kinds never share one `Counts`.
 */
function countIndex(table: Table): number {
  return tableCodes[table] & 0x3f;
}

export function countOf(counts: Counts, table: Table): number {
  return counts[countIndex(table)] ?? 0;
}

/** Returns counts after adding `more` to a table. `more` may be negative. */
export function addToCounts(counts: Counts, table: Table, more: number): Counts {
  const index = countIndex(table);
  const changed = Array.from(
    { length: Math.max(counts.length, index + 1) },
    (_, i) => counts[i] ?? 0,
  );
  changed[index] = (changed[index] ?? 0) + more;
  return changed;
}

/** Returns the number of namespaces that hold a record. */
export function countNamespaces({ places }: ScopeState): number {
  let count = 0;
  for (const { counts } of places.values()) if (holdsRecords(counts)) count += 1;
  return count;
}

/** Whether any table has a record. */
export function holdsRecords(counts: Counts): boolean {
  return counts.some((count) => count > 0);
}
