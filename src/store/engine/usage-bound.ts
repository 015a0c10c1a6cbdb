import type { Table } from "../../core/ports/store.js";
import type { Usage } from "../../core/ports/usage.js";
import { changeUsage } from "../usage.js";
import type { Base } from "./base.js";
import type { PendingRecord } from "./pending-records.js";

/**
 * Upper bounds of what a scope holds, including writes that are not committed yet. A written record
 * that no transaction has read counts as new, unless the store knows whether the record existed. If
 * the store always knows, the bounds are exact.
 */
export class UsageBound<P> {
  #usage: Usage;
  #growth = 0;
  /** Upper bound of the records that pending writes add to a table, by place. */
  readonly #more = new Map<P, Map<Table, number>>();

  constructor(usage: Usage) {
    this.#usage = usage;
  }

  get usage(): Usage {
    return this.#usage;
  }

  /** Upper bound of the bytes that pending writes add, see `storedBytes`. */
  get growth(): number {
    return this.#growth;
  }

  copy(): UsageBound<P> {
    const copy = new UsageBound<P>(this.#usage);
    copy.#growth = this.#growth;
    for (const [place, tables] of this.#more) copy.#more.set(place, new Map(tables));
    return copy;
  }

  /** Returns an upper bound of the number of records that pending writes add to a table. */
  more(place: P, table: Table): number {
    return this.#more.get(place)?.get(table) ?? 0;
  }

  /** Counts a put or a deletion instead of the write that was pending under the same key. */
  replace(
    before: PendingRecord<P> | undefined,
    { slot: { place, table }, growth }: PendingRecord<P>,
  ): void {
    const records = growth.records - (before?.growth.records ?? 0);
    const bytes = growth.bytes - (before?.growth.bytes ?? 0);
    this.#growth += growth.storedBytes - (before?.growth.storedBytes ?? 0);
    let tables = this.#more.get(place);
    if (tables === undefined) {
      tables = new Map();
      this.#more.set(place, tables);
    }
    tables.set(table, (tables.get(table) ?? 0) + records);
    this.#usage = changeUsage(this.#usage, table === "memories" ? records : 0, bytes);
  }

  /** Removes a cleared place, with the records that are pending in it. */
  clear(base: Base<P>, place: P, pending: readonly PendingRecord<P>[]): void {
    let memories = base.count(place, "memories");
    let bytes = base.bytes(place);
    for (const { slot, growth } of pending) {
      if (slot.table === "memories") memories += growth.records;
      bytes += growth.bytes;
    }
    this.#usage = changeUsage(this.#usage, -memories, -bytes);
    // Namespaces have no records that do not count towards the usage.
    this.#growth -= bytes;
  }
}
