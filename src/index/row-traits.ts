import { type Memory, memoryTypes } from "../core/memory.js";

/** The bits above those of the types: the memory has an expiry or a successor; tools may not read it. */
const hideable = 1 << memoryTypes.length;
const restrictedBit = hideable << 1;

/** A byte a row with what is asked of nearly every row of a query: memories lie far apart, and each costs a wait for the processor's cache. */
export class RowTraits {
  #bytes = new Uint8Array(64);

  get bytes(): number {
    return this.#bytes.byteLength;
  }

  set(row: number, { memoryType, expireTime, supersededBy, restricted }: Memory): void {
    if (row >= this.#bytes.length) {
      const grown = new Uint8Array(Math.ceil((row + 1) * 1.25));
      grown.set(this.#bytes);
      this.#bytes = grown;
    }
    const canBeHidden = expireTime !== undefined || supersededBy !== undefined;
    this.#bytes[row] = (1 << memoryTypes.indexOf(memoryType)) | (canBeHidden ? hideable : 0) | (restricted ? restrictedBit : 0);
  }

  /** Takes note that a row holds no memory: it is of no type. */
  clear(row: number): void {
    this.#bytes[row] = 0;
  }

  /** See `NamespaceIndex.canBeHidden`. */
  canBeHidden(row: number): boolean {
    return ((this.#bytes[row] as number) & hideable) !== 0;
  }

  /** See `NamespaceIndex.isRestricted`. */
  isRestricted(row: number): boolean {
    return ((this.#bytes[row] as number) & restrictedBit) !== 0;
  }

  /** See `NamespaceIndex.isOfType`. */
  isOfType(row: number, types: number): boolean {
    return ((this.#bytes[row] as number) & types) !== 0;
  }

  /** The rows below `rowCount` of one of the types; `undefined` if there are more than `most`. */
  rowsOfType(types: number, rowCount: number, most: number): Int32Array | undefined {
    const rows: number[] = [];
    for (let row = 0; row < rowCount; row++) {
      if (!this.isOfType(row, types)) continue;
      if (rows.length >= most) return undefined;
      rows.push(row);
    }
    return Int32Array.from(rows);
  }

  /** Row i takes the traits of row `kept[i]`. REQUIRES: `kept` ascends. */
  compact(kept: Int32Array): void {
    for (const [to, from] of kept.entries()) this.#bytes[to] = this.#bytes[from] as number;
  }
}
