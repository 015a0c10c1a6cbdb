import type { Change, Head, LoggedTable, Table } from "../../core/ports/store.js";
import type { Usage } from "../../core/ports/usage.js";
import { changeUsage } from "../usage.js";
import type { Base, RecordSlot } from "./base.js";
import { growthOf, type PendingRecord, PendingRecords } from "./pending-records.js";
import { UsageBound } from "./usage-bound.js";

/** A record of a logged table that a transaction put or deleted. */
export interface TouchedRecord<P> {
  readonly table: LoggedTable;
  readonly agentId: string;
  readonly key: string;
  /**
   * The slot of a deleted record, if it is not known yet whether the record existed before the
   * group. If it did not exist, the deletion does not count.
   */
  readonly ifExisted?: RecordSlot<P>;
}

/** The writes of a transaction that wrote something. */
export interface StagedWrites<P> {
  readonly records: PendingRecords<P>;
  /** The new places of namespaces that the transaction has cleared or created, by agent. */
  readonly places: ReadonlyMap<string, P>;
  /** The places that the transaction has cleared. */
  readonly clearedPlaces: ReadonlySet<P>;
  /** See `Transaction.storeAs`. */
  readonly account: string;
  /** The earliest `recordDueMs` of the records that the transaction has put. */
  readonly dueMs: number;
  readonly lastTimeMs: number;
  readonly touched: readonly TouchedRecord<P>[];
  readonly cleared: readonly string[];
  readonly bound: UsageBound<P>;
}

/** The state of a scope after the transactions of a group so far. The store has no write yet. */
export class GroupState<P> {
  readonly pending = new PendingRecords<P>();
  /** The new places of namespaces that the group has cleared or created, by agent. */
  readonly places = new Map<string, P>();
  /** Places that the group has cleared, each with the account that cleared it. */
  readonly clearedPlaces = new Map<P, string>();
  readonly #commits: (Pick<StagedWrites<P>, "touched" | "cleared"> & { readonly seq: number })[] =
    [];
  #lastTimeMs: number;
  #dueMs = Infinity;
  #bound: UsageBound<P>;

  constructor(
    /** The scope before the group. */
    readonly base: Base<P>,
  ) {
    this.#lastTimeMs = base.lastTimeMs;
    this.#bound = new UsageBound(base.usage);
  }

  get head(): Head {
    const { head } = this.base;
    return { ...head, seq: head.seq + this.#commits.length };
  }

  /** Whether a transaction has written something. */
  get wrote(): boolean {
    return this.#commits.length > 0;
  }

  get lastTimeMs(): number {
    return this.#lastTimeMs;
  }

  /** The earliest `recordDueMs` of the records that the group has put. */
  get dueMs(): number {
    return this.#dueMs;
  }

  get bound(): UsageBound<P> {
    return this.#bound;
  }

  /** Returns the place of an owner; `undefined` if the owner never had a record. */
  placeOf(agentId: string | undefined): P | undefined {
    const changed = agentId === undefined ? undefined : this.places.get(agentId);
    return changed ?? this.base.placeOf(agentId);
  }

  /** Adds a transaction, and returns the head after it. */
  apply(writes: StagedWrites<P>): Head {
    for (const place of writes.clearedPlaces) {
      this.pending.removePlace(place);
      this.clearedPlaces.set(place, writes.account);
    }
    writes.records.forEach((record) => {
      this.pending.set(record);
    });
    for (const [agentId, place] of writes.places) this.places.set(agentId, place);
    this.#lastTimeMs = writes.lastTimeMs;
    this.#dueMs = Math.min(this.#dueMs, writes.dueMs);
    this.#bound = writes.bound;
    const { touched, cleared } = writes;
    this.#commits.push({ seq: this.head.seq + 1, touched, cleared });
    return this.head;
  }

  /** Returns the commits of the group. Looks up whether deleted records existed. */
  async changes(): Promise<readonly Change[]> {
    await this.base.learn(
      this.#commits.flatMap(({ touched }) => touched.flatMap(({ ifExisted }) => ifExisted ?? [])),
    );
    return this.#commits.map((commit) => changeOf(this.base, commit.seq, commit));
  }
}

/** Returns a commit for the change log. Requires: `base` knows the deleted records. */
export function changeOf<P>(
  base: Base<P>,
  seq: number,
  { touched, cleared }: Pick<StagedWrites<P>, "touched" | "cleared">,
): Change {
  if (touched.every(({ ifExisted }) => ifExisted === undefined)) return { seq, touched, cleared };
  return {
    seq,
    touched: touched
      .filter(({ ifExisted }) => ifExisted === undefined || existed(base, ifExisted))
      .map(({ table, agentId, key }) => ({ table, agentId, key })),
    cleared,
  };
}

/** Whether a record existed before the group. Requires: `base` knows the slot. */
export function existed<P>(base: Base<P>, slot: RecordSlot<P>): boolean {
  return base.payloadBytes(slot) !== undefined;
}

/**
 * Returns the usage once the pending records are written. Requires: `base` knows each of them.
 *
 * @param cleared the places that will not be in use any more
 */
export function usageAfter<P>(
  base: Base<P>,
  pending: Iterable<PendingRecord<P>>,
  cleared: Iterable<P>,
): Usage {
  let { usage } = base;
  for (const place of cleared)
    usage = changeUsage(usage, -base.count(place, "memories"), -base.bytes(place));
  for (const { slot, payload } of pending) {
    const { records, bytes } = growthOf(slot, payload, base.payloadBytes(slot));
    usage = changeUsage(usage, slot.table === "memories" ? records : 0, bytes);
  }
  return usage;
}

/**
 * Returns the number of records of a table in one place once the pending records are written.
 * Requires: `base` knows each pending record, and all of them lie in this table and place.
 */
export function countAfter<P>(
  base: Base<P>,
  place: P,
  table: Table,
  pending: Iterable<PendingRecord<P>>,
): number {
  let count = base.count(place, table);
  for (const { slot, payload } of pending)
    count += Number(payload !== undefined) - Number(existed(base, slot));
  return count;
}
