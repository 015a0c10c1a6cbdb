import { millisOfInstant } from "../../core/model/instant.js";
import { happenedAt, type Memory, memoryTypes } from "../../core/model/memory.js";
import type { Row, RowTraits } from "../../core/ports/search-index.js";

/**
 * Flag bits above the type bits. `hideable`: the memory has an expiry or a successor.
 * `restrictedBit`: the memory is restricted.
 */
const hideable = 1 << memoryTypes.length;
const restrictedBit = hideable << 1;

/** One column for each trait, with one entry for each row up to the capacity. */
interface Columns {
  /** One bit for the type, and the flag bits. */
  readonly flags: Uint8Array;
  readonly tokenCounts: Uint32Array;
  readonly happenedMs: Float64Array;
  readonly importance: Float64Array;
}

/**
 * Traits of rows in columns. Memories lie far apart in RAM, and reading each would miss the
 * processor's cache.
 */
export class RowTraitColumns implements RowTraits {
  #capacity = 64;
  #columns = createColumns(this.#capacity);

  get bytes(): number {
    return arraysOf(this.#columns).reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  set(row: Row, memory: Memory): void {
    if (row >= this.#capacity) this.#grow(Math.ceil((row + 1) * 1.25));
    const { flags, tokenCounts, happenedMs, importance } = this.#columns;
    const { memoryType, expireTime, supersededBy, restricted } = memory;
    const canBeHidden = expireTime !== undefined || supersededBy !== undefined;
    flags[row] =
      (1 << memoryTypes.indexOf(memoryType)) |
      (canBeHidden ? hideable : 0) |
      (restricted ? restrictedBit : 0);
    tokenCounts[row] = memory.tokenCount;
    happenedMs[row] = millisOfInstant(happenedAt(memory));
    importance[row] = memory.importance;
  }

  /** Marks a row as empty: it has no type. */
  clear(row: Row): void {
    this.#columns.flags[row] = 0;
  }

  tokenCount(row: Row): number {
    return this.#columns.tokenCounts[row] as number;
  }

  happenedMs(row: Row): number {
    return this.#columns.happenedMs[row] as number;
  }

  importance(row: Row): number {
    return this.#columns.importance[row] as number;
  }

  canBeHidden(row: Row): boolean {
    return ((this.#columns.flags[row] as number) & hideable) !== 0;
  }

  isRestricted(row: Row): boolean {
    return ((this.#columns.flags[row] as number) & restrictedBit) !== 0;
  }

  isOfType(row: Row, types: number): boolean {
    return ((this.#columns.flags[row] as number) & types) !== 0;
  }

  /**
   * Returns the rows below `rowCount` with one of the types, or `undefined` if there are more than
   * `most`.
   */
  rowsOfType(types: number, rowCount: number, most: number): Int32Array | undefined {
    const rows: number[] = [];
    for (let row = 0 as Row; row < rowCount; row++) {
      if (!this.isOfType(row, types)) continue;
      if (rows.length >= most) return undefined;
      rows.push(row);
    }
    return Int32Array.from(rows);
  }

  /** Gives row i the traits of row `kept[i]`. Requires: `kept` ascends. */
  compact(kept: Int32Array): void {
    for (const column of arraysOf(this.#columns)) {
      for (const [to, from] of kept.entries()) column[to] = column[from] as number;
    }
  }

  #grow(capacity: number): void {
    const before = arraysOf(this.#columns);
    this.#columns = createColumns(capacity);
    this.#capacity = capacity;
    for (const [at, column] of arraysOf(this.#columns).entries()) column.set(before[at] ?? []);
  }
}

function createColumns(capacity: number): Columns {
  return {
    flags: new Uint8Array(capacity),
    tokenCounts: new Uint32Array(capacity),
    happenedMs: new Float64Array(capacity),
    importance: new Float64Array(capacity),
  };
}

function arraysOf({
  flags,
  tokenCounts,
  happenedMs,
  importance,
}: Columns): readonly (Uint8Array | Uint32Array | Float64Array)[] {
  return [flags, tokenCounts, happenedMs, importance];
}
