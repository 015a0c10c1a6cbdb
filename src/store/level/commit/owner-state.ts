import type { Table } from "../../../core/ports/store.js";
import {
  type Database,
  type DatabaseSnapshot,
  readSealed,
  requirePayload,
} from "../folder/database.js";
import { checksumOf } from "../format/envelope.js";
import {
  decodeNamespaceHead,
  decodeScopeHead,
  encodeNamespaceHead,
  encodeScopeHead,
  noNamespaceHead,
  noScopeHead,
  noTotals,
  type TableTotals,
  type Totals,
} from "../format/heads.js";
import {
  type KeyRange,
  namespaceHeadKey,
  namespaceTableRange,
  scopeHeadKey,
  scopeTableRange,
} from "../format/keys.js";

/** A head's place on disk. */
export interface HeadSlot {
  readonly key: Buffer;
  /** Equal for the same head only, for the keys of a `Map`. */
  readonly id: string;
  /** Checksum of the head as it was last written or handed over to be; `undefined` if there is none. */
  storedChecksum: number | undefined;
}

/** The tables of a namespace, or those of a scope as a whole, at one state. */
export interface OwnerState {
  readonly slot: HeadSlot;
  readonly tables: TableTotals;
  /** The head as it goes to disk. */
  encode(): Buffer;
  /** Where the records of a table lie. The same object for the same table, until the place is cleared. */
  readonly range: (table: Table) => KeyRange;
}

/** A namespace at one state. */
export interface NamespaceState extends OwnerState {
  readonly agentId: string;
  readonly generation: number;
}

/** A scope at one state. */
export interface ScopeState extends OwnerState {
  readonly seq: number;
  readonly lastTimeMs: number;
}

/** The totals of a table. */
export function totalsOf(state: OwnerState, table: Table): Totals {
  return state.tables.get(table) ?? noTotals;
}

/** Reads a scope's head. Throws DATA_LOSS if it is damaged. */
export function loadScopeState(
  database: Database,
  scope: Buffer,
  snapshot?: DatabaseSnapshot,
): ScopeState {
  const { slot, payload } = loadHead(database, scopeHeadKey(scope), snapshot);
  const ranges = createRanges((table) => scopeTableRange(scope, table));
  return scopeState(slot, ranges, payload === undefined ? noScopeHead : decodeScopeHead(payload));
}

/** The scope after a commit. */
export function changeScopeState(
  state: ScopeState,
  head: { readonly seq: number; readonly lastTimeMs: number; readonly tables: TableTotals },
): ScopeState {
  return scopeState(state.slot, state.range, head);
}

/** Reads a namespace's head. Throws DATA_LOSS if it is damaged. */
export function loadNamespaceState(
  database: Database,
  scope: Buffer,
  agentId: string,
  snapshot?: DatabaseSnapshot,
): NamespaceState {
  const { slot, payload } = loadHead(database, namespaceHeadKey(scope, agentId), snapshot);
  const { generation, tables } =
    payload === undefined ? noNamespaceHead : decodeNamespaceHead(payload);
  return namespaceState(
    slot,
    agentId,
    generation,
    tables,
    createRanges((table) => namespaceTableRange(scope, agentId, generation, table)),
  );
}

/** The namespace with other totals. */
export function changeNamespaceState(state: NamespaceState, tables: TableTotals): NamespaceState {
  return namespaceState(state.slot, state.agentId, state.generation, tables, state.range);
}

/** The namespace with nothing in it, under the next generation. */
export function clearNamespaceState(state: NamespaceState, scope: Buffer): NamespaceState {
  const { slot, agentId } = state;
  const generation = state.generation + 1;
  return namespaceState(
    slot,
    agentId,
    generation,
    new Map(),
    createRanges((table) => namespaceTableRange(scope, agentId, generation, table)),
  );
}

function scopeState(
  slot: HeadSlot,
  range: OwnerState["range"],
  {
    seq,
    lastTimeMs,
    tables,
  }: { readonly seq: number; readonly lastTimeMs: number; readonly tables: TableTotals },
): ScopeState {
  return {
    slot,
    range,
    seq,
    lastTimeMs,
    tables,
    encode: () => encodeScopeHead({ seq, lastTimeMs, tables }),
  };
}

function namespaceState(
  slot: HeadSlot,
  agentId: string,
  generation: number,
  tables: TableTotals,
  range: OwnerState["range"],
): NamespaceState {
  return {
    slot,
    agentId,
    generation,
    tables,
    range,
    encode: () => encodeNamespaceHead({ generation, tables }),
  };
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
