import { type Memory, memoryTypes } from "../core/memory.js";

/** The bits above those of the types: the memory has an expiry or a successor; tools may not read it. */
const hideable = 1 << memoryTypes.length;
const restrictedBit = hideable << 1;

/** What is asked of nearly every row of a query, side by side: memories lie far apart, and each costs a wait for the processor's cache. */
export class RowTraits {
  /** The type as a set of one, and the bits above. */
  #flags = new Uint8Array(64);
  #tokenCounts = new Uint32Array(64);

  get bytes(): number {
    return this.#flags.byteLength + this.#tokenCounts.byteLength;
  }

  set(row: number, { memoryType, expireTime, supersededBy, restricted, tokenCount }: Memory): void {
    if (row >= this.#flags.length) {
      const capacity = Math.ceil((row + 1) * 1.25);
      const [flags, tokenCounts] = [new Uint8Array(capacity), new Uint32Array(capacity)];
      flags.set(this.#flags);
      tokenCounts.set(this.#tokenCounts);
      this.#flags = flags;
      this.#tokenCounts = tokenCounts;
    }
    this.#tokenCounts[row] = tokenCount;
    const canBeHidden = expireTime !== undefined || supersededBy !== undefined;
    this.#flags[row] = (1 << memoryTypes.indexOf(memoryType)) | (canBeHidden ? hideable : 0) | (restricted ? restrictedBit : 0);
  }

  /** Takes note that a row holds no memory: it is of no type. */
  clear(row: number): void {
    this.#flags[row] = 0;
  }

  /** See `NamespaceIndex.tokenCountOf`. */
  tokenCountOf(row: number): number {
    return this.#tokenCounts[row] as number;
  }

  /** See `NamespaceIndex.canBeHidden`. */
  canBeHidden(row: number): boolean {
    return ((this.#flags[row] as number) & hideable) !== 0;
  }

  /** See `NamespaceIndex.isRestricted`. */
  isRestricted(row: number): boolean {
    return ((this.#flags[row] as number) & restrictedBit) !== 0;
  }

  /** See `NamespaceIndex.isOfType`. */
  isOfType(row: number, types: number): boolean {
    return ((this.#flags[row] as number) & types) !== 0;
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
    for (const [to, from] of kept.entries()) {
      this.#flags[to] = this.#flags[from] as number;
      this.#tokenCounts[to] = this.#tokenCounts[from] as number;
    }
  }
}
