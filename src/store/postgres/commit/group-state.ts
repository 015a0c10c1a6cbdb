import type { Change, Head, LoggedTable, Table, Usage } from "../../../core/ports/store.js";
import { changeUsage, isCounted } from "../../usage.js";
import {
  addToCounts,
  type Counts,
  countOf,
  holdsRecords,
  type Place,
  type ScopeState,
} from "../tables/scope-state.js";
import type { BaseRecords } from "./base-records.js";
import {
  type Growth,
  type PendingRecord,
  PendingRecords,
  type RecordSlot,
} from "./pending-records.js";
import { UsageBound } from "./usage-bound.js";

/** A record of a logged table that a transaction put or deleted. */
export interface TouchedRecord {
  readonly table: LoggedTable;
  readonly agentId: string;
  readonly key: string;
  /**
   * The slot of a deleted record, if it is not known yet whether the record existed before the
   * group. If it did not exist, the deletion does not count.
   */
  readonly ifExisted: RecordSlot | undefined;
}

/** A transaction that wrote something. */
export interface GroupCommit {
  readonly seq: number;
  readonly touched: readonly TouchedRecord[];
  readonly cleared: readonly string[];
}

/** The writes of a transaction, for its group. */
export interface GroupWrites {
  readonly records: PendingRecords;
  /** The new places of namespaces that the transaction has cleared or created. */
  readonly places: ReadonlyMap<string, Place>;
  /** The places that the transaction has cleared. */
  readonly clearedPlaces: ReadonlySet<number>;
  readonly nextPlace: number;
  readonly lastTimeMs: number;
  readonly touched: readonly TouchedRecord[];
  readonly cleared: readonly string[];
  readonly bound: UsageBound;
}

/** Counts and usage of a scope, and the places of its namespaces. */
export type Totals = Pick<ScopeState, "counts" | "usage" | "places">;

/**
 * The state of a scope after the transactions of a group so far. PostgreSQL has none of their
 * writes yet.
 */
export class GroupState {
  readonly pending = new PendingRecords();
  readonly commits: GroupCommit[] = [];
  /** Places that the group has cleared and that may hold records in the tables. */
  readonly sweeps = new Set<number>();
  /** Slots that a transaction has assumed to hold no record. */
  readonly #assumedFree: RecordSlot[] = [];
  readonly #places: Map<string, Place>;
  #nextPlace: number;
  #lastTimeMs: number;
  #bound: UsageBound;

  constructor(
    /** The scope before the group. */
    readonly before: ScopeState,
    readonly base: BaseRecords,
    /** Whether transactions may assume that the slots of new keys hold no record. */
    private readonly assumesFree = true,
  ) {
    this.#places = new Map(before.places);
    this.#nextPlace = before.nextPlace;
    this.#lastTimeMs = before.lastTimeMs;
    this.#bound = new UsageBound(before.usage);
  }

  get head(): Head {
    const { epoch, timeline, seq } = this.before;
    return { epoch, timeline, seq: seq + this.commits.length };
  }

  get nextPlace(): number {
    return this.#nextPlace;
  }

  get lastTimeMs(): number {
    return this.#lastTimeMs;
  }

  get places(): ReadonlyMap<string, Place> {
    return this.#places;
  }

  get bound(): UsageBound {
    return this.#bound;
  }

  /**
   * Whether a slot held no record before the group. May assume that it held none; `look` checks the
   * assumption later.
   */
  async isFree(slot: RecordSlot): Promise<boolean> {
    if (!this.base.isKnown(slot)) {
      if (this.assumesFree) {
        this.#assumedFree.push(slot);
        return true;
      }
      await this.base.learn([slot]);
    }
    return !this.base.existed(slot);
  }

  /**
   * Asks PostgreSQL, in one query, which records existed in the slots that the group writes or has
   * assumed to be empty. Returns whether all assumptions were right.
   */
  async look(): Promise<boolean> {
    const written = this.commits.length === 0 ? [] : [...this.pending].map(({ slot }) => slot);
    await this.base.learn([...written, ...this.#assumedFree]);
    return this.#assumedFree.every((slot) => !this.base.existed(slot));
  }

  /** Adds a transaction, and returns the head after it. */
  apply(writes: GroupWrites): Head {
    for (const place of writes.clearedPlaces) {
      this.pending.removePlace(place);
      if (place < this.before.nextPlace) this.sweeps.add(place);
    }
    for (const record of writes.records) this.pending.set(record);
    for (const [agentId, place] of writes.places) this.#places.set(agentId, place);
    this.#nextPlace = writes.nextPlace;
    this.#lastTimeMs = writes.lastTimeMs;
    this.#bound = writes.bound;
    const seq = this.head.seq + 1;
    this.commits.push({ seq, touched: writes.touched, cleared: writes.cleared });
    return this.head;
  }

  /** Returns the commits of the group. Asks PostgreSQL which deleted records existed. */
  async changes(): Promise<readonly Change[]> {
    const doubtful = this.commits.flatMap(({ touched }) =>
      touched.flatMap(({ ifExisted }) => ifExisted ?? []),
    );
    await this.base.learn(doubtful);
    return this.commits.map(({ seq, touched, cleared }) => ({
      seq,
      touched: touched
        .filter(({ ifExisted }) => ifExisted === undefined || this.base.existed(ifExisted))
        .map(({ table, agentId, key }) => ({ table, agentId, key })),
      cleared,
    }));
  }
}

/**
 * Returns the totals as they are once the pending records are written. Requires: `base` knows each
 * pending record.
 *
 * @param places the places in use after the group, with counts and bytes that do not include the
 *   pending records
 */
export function totalsAfter(
  before: ScopeState,
  base: BaseRecords,
  pending: Iterable<PendingRecord>,
  places: ReadonlyMap<string, Place>,
): Totals {
  const changed = new Map(places);
  let { counts } = before;
  let usage = usageWithout(before, places);
  for (const { slot, agentId, payload } of pending) {
    const { records: more, bytes } = growthOf(slot, payload, base.payloadBytes(slot));
    usage = changeUsage(usage, slot.table === "memories" ? more : 0, bytes);
    if (agentId === undefined) {
      if (more !== 0) counts = addToCounts(counts, slot.table, more);
      continue;
    }
    const place = changed.get(agentId);
    if (place === undefined) throw new Error("a pending record lies in no place");
    changed.set(agentId, {
      place: place.place,
      counts: more === 0 ? place.counts : addToCounts(place.counts, slot.table, more),
      bytes: Math.max(0, place.bytes + bytes),
    });
  }
  return { counts, usage, places: changed };
}

/**
 * Returns the number of records of a table in one place once the pending records are written.
 * Requires: `base` knows each pending record, and all of them lie in this table and place.
 */
export function countAfter(
  stored: Counts,
  base: BaseRecords,
  pending: Iterable<PendingRecord>,
  table: Table,
): number {
  let count = countOf(stored, table);
  for (const { slot, payload } of pending)
    count += Number(payload !== undefined) - Number(base.existed(slot));
  return count;
}

/** Returns the usage without the records of places that are not in use any more. */
function usageWithout({ usage, places }: ScopeState, current: ReadonlyMap<string, Place>): Usage {
  let rest = usage;
  for (const [agentId, { place, counts, bytes }] of places) {
    if (current.get(agentId)?.place === place || !holdsRecords(counts)) continue;
    rest = changeUsage(rest, -countOf(counts, "memories"), -bytes);
  }
  return rest;
}

/**
 * Returns the records and bytes that a write adds to its table. `payload` is the new encoded value,
 * `undefined` for a deletion. `wasBytes` is the length of the replaced value, `undefined` if there
 * is none.
 */
export function growthOf(
  slot: RecordSlot,
  payload: Uint8Array | undefined,
  wasBytes: number | undefined,
): Growth {
  return {
    records: Number(payload !== undefined) - Number(wasBytes !== undefined),
    bytes: countedBytes(slot, payload?.length) - countedBytes(slot, wasBytes),
  };
}

function countedBytes({ table, keyBytes }: RecordSlot, payloadBytes: number | undefined): number {
  return payloadBytes === undefined || !isCounted(table) ? 0 : keyBytes.length + payloadBytes;
}
