import { LRUCache } from "lru-cache";
import type { Table } from "../../../core/ports/store.js";
import { damagedRecord } from "../../errors.js";
import {
  type Database,
  type DatabaseSnapshot,
  type Entry,
  scanChunks,
} from "../folder/database.js";
import { checksumOf, unseal } from "../format/envelope.js";
import { noTotals, replaceInTotals, type Totals } from "../format/heads.js";
import { tableCodes } from "../format/keys.js";
import { type OwnerState, totalsOf } from "./owner-state.js";

/** Places whose tables are known to be whole. Beyond that the ones not used for longest are verified again at their next use. */
const maxKnownOwners = 100_000;

const allTables = Object.keys(tableCodes) as Table[];

/**
 * Knows which tables were found to be whole since the store was opened.
 * A checksum tells that a record is wrong, but not that one is missing or that an older one has come back. So before a table is first read, its records are summed up and compared with the head.
 */
export interface TableVerification {
  /** Nothing was ever written to a place without a head, as all heads were found when the store was opened: its tables are known. */
  isKnown(state: OwnerState, table: Table): boolean;
  /** Notes that a place gets its first head, so that its tables stay known. */
  begin(state: OwnerState): void;
  /** Compares what a complete scan found; throws DATA_LOSS if it differs. */
  conclude(state: OwnerState, table: Table, found: Totals): void;
  /** Scans a table that is not known yet. Throws DATA_LOSS if it is damaged. REQUIRES: place and snapshot are of the same state. */
  verify(state: OwnerState, table: Table, snapshot: DatabaseSnapshot): Promise<void>;
}

export function createTableVerification(database: Database): TableVerification {
  const known = new LRUCache<string, Set<Table>>({ max: maxKnownOwners });

  function conclude(state: OwnerState, table: Table, found: Totals): void {
    const expected = totalsOf(state, table);
    if (found.count !== expected.count || found.digest !== expected.digest) {
      const difference =
        found.count === expected.count
          ? "older than they should be"
          : `${found.count} instead of ${expected.count}`;
      throw damagedRecord(`the records of ${table} of a scope or namespace are ${difference}`);
    }
    const tables = known.get(state.slot.id) ?? new Set<Table>();
    known.set(state.slot.id, tables.add(table));
  }

  return {
    isKnown(state, table) {
      if (state.slot.storedChecksum === undefined) return true;
      return known.get(state.slot.id)?.has(table) === true;
    },
    begin(state) {
      known.set(state.slot.id, new Set(allTables));
    },
    conclude,
    async verify(state, table, snapshot) {
      let found = noTotals;
      for await (const entries of scanChunks(database, { ...state.range(table), snapshot })) {
        for (const entry of entries) found = addEntry(found, entry, table);
      }
      conclude(state, table, found);
    },
  };
}

function addEntry(totals: Totals, [key, value]: Entry, table: Table): Totals {
  if (unseal(key, value) === undefined)
    throw damagedRecord(`a record of ${table} is damaged: its checksum does not hold`);
  return replaceInTotals(totals, undefined, checksumOf(value));
}
