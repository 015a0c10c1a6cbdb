import type { Table, Usage } from "../../../core/ports/store.js";
import { changeUsage } from "../../usage.js";
import { countOf, type Place } from "../tables/scope-state.js";
import { type Growth, type PendingRecord, rangeName } from "./pending-records.js";

/**
 * Upper bounds of what a scope holds, including writes that are not committed yet. A written record
 * that no transaction has read counts as new, because it is not known whether the record existed.
 */
export class UsageBound {
  #usage: Usage;
  /** Upper bound of the records that pending writes add to a table, by `rangeName`. */
  readonly #more: Map<string, number>;

  constructor(usage: Usage, more: ReadonlyMap<string, number> = new Map<string, number>()) {
    this.#usage = usage;
    this.#more = new Map(more);
  }

  get usage(): Usage {
    return this.#usage;
  }

  copy(): UsageBound {
    return new UsageBound(this.#usage, this.#more);
  }

  /** Returns an upper bound of the number of records of a table in a place. */
  count({ place, counts }: Place, table: Table): number {
    return countOf(counts, table) + (this.#more.get(rangeName(place, table)) ?? 0);
  }

  /** Counts a put or a deletion instead of the write that was pending under the same key. */
  replace(before: PendingRecord | undefined, { slot, growth }: PendingRecord): void {
    const more: Growth = {
      records: growth.records - (before?.growth.records ?? 0),
      bytes: growth.bytes - (before?.growth.bytes ?? 0),
    };
    const { place, table } = slot;
    const name = rangeName(place, table);
    this.#more.set(name, (this.#more.get(name) ?? 0) + more.records);
    this.#usage = changeUsage(this.#usage, table === "memories" ? more.records : 0, more.bytes);
  }

  /** Removes a cleared place, with the records that are pending in it. */
  clear({ counts, bytes }: Place, pending: readonly PendingRecord[]): void {
    let memories = countOf(counts, "memories");
    let cleared = bytes;
    for (const { slot, growth } of pending) {
      if (slot.table === "memories") memories += growth.records;
      cleared += growth.bytes;
    }
    this.#usage = changeUsage(this.#usage, -memories, -cleared);
  }
}
