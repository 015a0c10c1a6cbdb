import { LRUCache } from "lru-cache";
import type { Table } from "../../../core/ports/store.js";
import { checksumOf, unseal } from "../../codec/envelope.js";
import { tableCodes } from "../../codec/table-codes.js";
import { damagedRecord } from "../../errors.js";
import {
  type Database,
  type DatabaseSnapshot,
  type Entry,
  scanChunks,
} from "../folder/database.js";
import { noTotals, replaceInTotals, type Totals } from "../format/heads.js";
import { type OwnerState, totalsOf } from "./owner-state.js";

/**
 * Number of owners whose tables are remembered as verified. Beyond it, the least recently used
 * owners are verified again at their next use.
 */
const maxKnownOwners = 100_000;

const tables = Object.keys(tableCodes) as Table[];

/** A bit for each table. */
const bits = new Map(tables.map((table, index) => [table, 1 << index]));

const allBits = -1;

/**
 * Remembers which tables have been verified since the store was opened.
 *
 * A checksum shows that a record is damaged. It cannot show that a record is missing, or that an
 * older version of a record has come back. So before the first read of a table, its records are
 * summed up and compared with the head.
 */
export interface TableVerification {
  /**
   * Whether a table counts as verified. The tables of an owner without a head do: the owner has no
   * records, because opening has checked that no head is missing.
   */
  isKnown(state: OwnerState, table: Table): boolean;
  /** Call it when an owner gets its first head. From then on, its tables count as verified. */
  begin(state: OwnerState): void;
  /**
   * Compares the totals of a complete scan with the head.
   *
   * @throws DATA_LOSS (DAMAGED_RECORD) when they differ
   */
  conclude(state: OwnerState, table: Table, found: Totals): void;
  /**
   * Scans a table and compares it with the head. Requires: the snapshot was taken at this state.
   *
   * @throws DATA_LOSS (DAMAGED_RECORD) when the table is damaged
   */
  verify(state: OwnerState, table: Table, snapshot: DatabaseSnapshot): Promise<void>;
}

export function createTableVerification(database: Database): TableVerification {
  // Bits of tables, because sets of their names would take more RAM.
  const known = new LRUCache<string, number>({
    // Unlike `max`, `maxSize` reserves no memory for future entries.
    maxSize: maxKnownOwners,
    sizeCalculation: () => 1,
  });

  function conclude(state: OwnerState, table: Table, found: Totals): void {
    const expected = totalsOf(state, table);
    if (found.count !== expected.count || found.digest !== expected.digest) {
      const difference =
        found.count === expected.count
          ? "right in number but wrong in content"
          : `${found.count} instead of ${expected.count}`;
      throw damagedRecord(`the records of ${table} in a scope or namespace are ${difference}`);
    }
    const { id } = state.slot;
    known.set(id, (known.get(id) ?? 0) | bitOf(table));
  }

  return {
    isKnown(state, table) {
      if (state.slot.storedChecksum === undefined) return true;
      return ((known.get(state.slot.id) ?? 0) & bitOf(table)) !== 0;
    },
    begin(state) {
      known.set(state.slot.id, allBits);
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
    throw damagedRecord(`a record of ${table} is damaged: its checksum is wrong`);
  return replaceInTotals(totals, undefined, checksumOf(value));
}

function bitOf(table: Table): number {
  return bits.get(table) ?? 0;
}
