import type { RemovalState } from "../../../core/ports/removal.js";
import type { Head, Table } from "../../../core/ports/store.js";
import type { Usage } from "../../../core/ports/usage.js";
import { checksumOf } from "../../codec/envelope.js";
import type { StoredBytes } from "../../engine/stored-bytes.js";
import {
  type Database,
  type DatabaseSnapshot,
  readSealed,
  requirePayload,
} from "../folder/database.js";
import {
  type BroughtEpoch,
  decodeNamespaceHead,
  decodeScopeHead,
  encodeNamespaceHead,
  encodeScopeHead,
  epochOf,
  type NamespaceHead,
  noNamespaceHead,
  noScopeHead,
  noTotals,
  type ScopeHead,
  type TableTotals,
  type Totals,
} from "../format/heads.js";
import {
  type KeyRange,
  namespaceHeadKey,
  namespaceTableRange,
  scopeHeadKey,
  scopeTableRange,
  sweepKey,
} from "../format/keys.js";

/** The location of a head on disk. */
export interface HeadSlot {
  readonly key: Buffer;
  /** A unique string for each head, for the keys of a `Map`. */
  readonly id: string;
  /**
   * Checksum of the head that was last written or queued for writing; `undefined`: no head exists.
   */
  storedChecksum: number | undefined;
}

/** One state of the tables of a namespace, or of a whole scope. */
export interface OwnerState {
  readonly slot: HeadSlot;
  readonly tables: TableTotals;
  /** Returns the payload of the head. `undefined`: the owner has no records, and loses its head. */
  encode(): Buffer | undefined;
  /**
   * Returns the key range of a table. Returns the same object for the same table each time, until
   * the owner gets another place.
   */
  readonly range: (table: Table) => KeyRange;
}

/** One state of a namespace. */
export interface NamespaceState extends OwnerState {
  readonly agentId: string;
  readonly place: number;
  /** See `NamespaceHead.bytes`. */
  readonly bytes: number;
  /** See `RemovalState.removalSeq`. */
  readonly removalSeq: number;
}

/** One state of a scope. */
export interface ScopeState extends OwnerState {
  readonly seq: number;
  readonly lastTimeMs: number;
  /** See `ScopeHead.usage`. */
  readonly usage: Usage;
  /** See `ScopeHead.stored`. */
  readonly stored: StoredBytes;
  /** See `ScopeHead.broughtEpoch`. */
  readonly broughtEpoch: BroughtEpoch | undefined;
  readonly place: number;
  /** See `ScopeHead.dueMs`. */
  readonly dueMs: number;
}

/** Returns the totals of a table. */
export function totalsOf(state: OwnerState, table: Table): Totals {
  return state.tables.get(table) ?? noTotals;
}

/**
 * Reads the head of a scope.
 *
 * @throws DATA_LOSS (DAMAGED_RECORD) when the head is damaged
 */
export function loadScopeState(
  database: Database,
  scope: Buffer,
  snapshot?: DatabaseSnapshot,
): ScopeState {
  const { slot, payload } = loadHead(database, scopeHeadKey(scope), snapshot);
  const head = payload === undefined ? noScopeHead : decodeScopeHead(payload);
  return scopeState(slot, scopeRanges(scope, head.place), head);
}

/**
 * Reads the epoch and the commit sequence number of a scope.
 *
 * @param storeEpoch the epoch of the store
 * @throws DATA_LOSS (DAMAGED_RECORD) when the head is damaged
 */
export function readHead(database: Database, scope: Buffer, storeEpoch: string): Head {
  const { payload } = loadHead(database, scopeHeadKey(scope), undefined);
  const head = payload === undefined ? noScopeHead : decodeScopeHead(payload);
  return { epoch: epochOf(head, storeEpoch), seq: head.seq };
}

/**
 * Reads what `Store.removalState` returns.
 *
 * @param storeEpoch the epoch of the store
 * @throws DATA_LOSS (DAMAGED_RECORD) when a head is damaged
 */
export function readRemovalState(
  database: Database,
  scope: Buffer,
  agentId: string,
  storeEpoch: string,
): RemovalState {
  const { slot, removalSeq } = loadNamespaceState(database, scope, agentId);
  const head = readHead(database, scope, storeEpoch);
  // A namespace without a head may have lost it when its records were erased.
  return { ...head, removalSeq: slot.storedChecksum === undefined ? head.seq : removalSeq };
}

/** Returns the scope after a commit. */
export function changeScopeState(
  state: ScopeState,
  head: Omit<ScopeHead, "broughtEpoch" | "place">,
): ScopeState {
  const { slot, range, broughtEpoch, place } = state;
  return scopeState(slot, range, { ...head, broughtEpoch, place });
}

/** Returns the scope with the records of another place. */
export function replaceScopeState(state: ScopeState, scope: Buffer, head: ScopeHead): ScopeState {
  return scopeState(state.slot, scopeRanges(scope, head.place), head);
}

/**
 * Reads the head of a namespace.
 *
 * @throws DATA_LOSS (DAMAGED_RECORD) when the head is damaged
 */
export function loadNamespaceState(
  database: Database,
  scope: Buffer,
  agentId: string,
  snapshot?: DatabaseSnapshot,
): NamespaceState {
  const { slot, payload } = loadHead(database, namespaceHeadKey(scope, agentId), snapshot);
  const head =
    payload === undefined
      ? { ...noNamespaceHead, place: freePlace(database, scope, agentId, -1, snapshot) }
      : decodeNamespaceHead(payload);
  return namespaceState(slot, agentId, namespaceRanges(scope, agentId, head.place), head);
}

/** Returns the namespace with other totals. */
export function changeNamespaceState(
  state: NamespaceState,
  { tables, bytes, removalSeq }: Omit<NamespaceHead, "place">,
): NamespaceState {
  const { slot, agentId, range, place } = state;
  return namespaceState(slot, agentId, range, { tables, bytes, place, removalSeq });
}

/** Returns the namespace with the records of another place. */
export function replaceNamespaceState(
  { slot, agentId }: NamespaceState,
  scope: Buffer,
  head: NamespaceHead,
): NamespaceState {
  return namespaceState(slot, agentId, namespaceRanges(scope, agentId, head.place), head);
}

/**
 * Returns the namespace without records and without a head, so that nothing names its agent.
 *
 * @param place a place without records
 */
export function headlessNamespaceState(
  state: NamespaceState,
  scope: Buffer,
  place: number,
): NamespaceState {
  const head = { ...noNamespaceHead, place };
  return { ...replaceNamespaceState(state, scope, head), encode: () => undefined };
}

/** Returns the namespace without records, in its next place. */
export function clearNamespaceState(
  database: Database,
  state: NamespaceState,
  scope: Buffer,
): NamespaceState {
  const place = freePlace(database, scope, state.agentId, state.place);
  const { removalSeq } = state;
  return replaceNamespaceState(state, scope, { place, tables: new Map(), bytes: 0, removalSeq });
}

/**
 * Returns the next place without records. A failed restore leaves records in later
 * places. A note names each of these places until the sweeper has removed its records.
 *
 * @param agentId the agent of a namespace; `undefined` for the records of the whole scope
 * @param current the present place; -1: there is none
 */
export function freePlace(
  database: Database,
  scope: Buffer,
  agentId: string | undefined,
  current: number,
  snapshot?: DatabaseSnapshot,
): number {
  let place = current + 1;
  while (readSealed(database, sweepKey(scope, agentId, place), snapshot) !== undefined) place++;
  return place;
}

function scopeState(slot: HeadSlot, range: OwnerState["range"], head: ScopeHead): ScopeState {
  return { ...head, slot, range, encode: () => encodeScopeHead(head) };
}

function namespaceState(
  slot: HeadSlot,
  agentId: string,
  range: OwnerState["range"],
  head: NamespaceHead,
): NamespaceState {
  const { tables, bytes, place, removalSeq } = head;
  const encode = () => encodeNamespaceHead(head);
  return { tables, bytes, place, removalSeq, slot, agentId, range, encode };
}

/** Returns the ranges of the tables of one place of a whole scope. */
export function scopeRanges(scope: Buffer, place: number): OwnerState["range"] {
  return createRanges((table) => scopeTableRange(scope, place, table));
}

/** Returns the ranges of the tables of one place of a namespace. */
export function namespaceRanges(
  scope: Buffer,
  agentId: string,
  place: number,
): OwnerState["range"] {
  return createRanges((table) => namespaceTableRange(scope, agentId, place, table));
}

function createRanges(rangeOf: (table: Table) => KeyRange): OwnerState["range"] {
  const ranges = new Map<Table, KeyRange>();
  return (table) => {
    const known = ranges.get(table);
    if (known !== undefined) return known;
    const range = rangeOf(table);
    ranges.set(table, range);
    return range;
  };
}

function loadHead(
  database: Database,
  key: Buffer,
  snapshot: DatabaseSnapshot | undefined,
): { slot: HeadSlot; payload: Buffer | undefined } {
  const value = readSealed(database, key, snapshot);
  const slot: HeadSlot = {
    key,
    id: key.toString("latin1"),
    storedChecksum: value === undefined ? undefined : checksumOf(value),
  };
  return {
    slot,
    payload:
      value === undefined
        ? undefined
        : requirePayload(key, value, "the head of a scope or namespace"),
  };
}
