import { recordDueMs } from "../../core/model/due.js";
import type { Namespace, Scope } from "../../core/model/namespace.js";
import type { ScanRange } from "../../core/ports/scan-range.js";
import type { Change, Head, OwnerOf, Table, Transaction, ValueOf } from "../../core/ports/store.js";
import type { Usage } from "../../core/ports/usage.js";
import { isLogged } from "../change-log.js";
import { codecOf } from "../codec/table-codecs.js";
import { agentOfOwner } from "../table-owner.js";
import type { RecordSlot } from "./base.js";
import {
  countAfter,
  existed,
  type GroupState,
  type StagedWrites,
  type TouchedRecord,
  usageAfter,
} from "./group-state.js";
import { growthOf, mergePending, type PendingRecord, PendingRecords } from "./pending-records.js";
import { grownBytes } from "./stored-bytes.js";
import type { UsageBound } from "./usage-bound.js";

/** A clearing of a namespace whose records may all have been deleted already. */
interface DoubtfulClear<P> {
  readonly agentId: string;
  readonly place: P;
  /** Deletions in the place. Some of the deleted records may never have existed. */
  readonly deleted: readonly PendingRecord<P>[];
  /** Entries of `#touched` that count only if the clearing had nothing to clear. */
  readonly touched: readonly (readonly [string, TouchedRecord<P>])[];
}

/**
 * A last commit time that is ahead of the clock by more than this time, in milliseconds, is wrong.
 * A server starts on such data only if an operator says that its clock is right.
 */
export const unbelievedLeadMs = 24 * 60 * 60 * 1000;

/** A transaction of a group. It changes the group only when the group applies its writes. */
export class StagedTransaction<P> implements Transaction {
  readonly head: Head;
  readonly #records = new PendingRecords<P>();
  readonly #places = new Map<string, P>();
  readonly #clearedPlaces = new Set<P>();
  readonly #touched = new Map<string, TouchedRecord<P>>();
  readonly #cleared = new Set<string>();
  readonly #doubtfulClears: DoubtfulClear<P>[] = [];
  /** Deletions that write something only if the record existed. */
  readonly #doubtfulDeletions: RecordSlot<P>[] = [];
  readonly #bound: UsageBound<P>;
  #lastTimeMs: number;
  #account = "";
  #dueMs = Infinity;
  #wrote = false;
  #ended = false;
  #bytes = 0;

  constructor(
    private readonly scope: Scope,
    private readonly group: GroupState<P>,
  ) {
    this.head = group.head;
    this.#lastTimeMs = group.lastTimeMs;
    this.#bound = group.bound.copy();
  }

  /** Bytes of the values put so far. */
  get bytes(): number {
    return this.#bytes;
  }

  async get<T extends Table>(
    table: T,
    owner: OwnerOf<T>,
    key: string,
  ): Promise<ValueOf<T> | undefined> {
    const slot = this.#slotOf(table, agentOfOwner(this.scope, owner), key);
    if (slot === undefined) return undefined;
    const pending = this.#pending(slot);
    if (pending === undefined) return this.group.base.read(slot);
    // `put` stored the value in this table with this type.
    return pending.payload === undefined ? undefined : (pending.value as ValueOf<T>);
  }

  async *scan<T extends Table>(
    table: T,
    owner: OwnerOf<T>,
    range: ScanRange = {},
  ): AsyncIterable<readonly [string, ValueOf<T>]> {
    const place = this.#placeOf(agentOfOwner(this.scope, owner));
    if (place === undefined) return;
    const { base } = this.group;
    const { after } = range;
    const from = after === undefined ? undefined : base.slotOf(place, table, after).keyBytes;
    const pages = base.scan(place, table, range);
    for await (const page of mergePending(pages, this.#pendingOf(place, table), range, from))
      for (const record of page) yield [record.key, record.open()];
  }

  async count<T extends Table>(table: T, owner: OwnerOf<T>): Promise<number> {
    const place = this.#placeOf(agentOfOwner(this.scope, owner));
    if (place === undefined) return 0;
    const pending = [...this.#pendingOf(place, table).values()];
    await this.group.base.learn(pending.map(({ slot }) => slot));
    return countAfter(this.group.base, place, table, pending);
  }

  countAtMost<T extends Table>(table: T, owner: OwnerOf<T>): number {
    const place = this.#placeOf(agentOfOwner(this.scope, owner));
    if (place === undefined) return 0;
    return this.group.base.count(place, table) + this.#bound.more(place, table);
  }

  async usage(): Promise<Usage> {
    return this.#usageWith([...this.#allPending()], this.#allCleared());
  }

  async usageBefore(): Promise<Usage> {
    return this.#usageWith([...this.group.pending], this.group.clearedPlaces.keys());
  }

  usageAtMost(): Usage {
    return this.#bound.usage;
  }

  storeAs(account: string): void {
    this.#account = account;
  }

  async growth(): Promise<number> {
    const { base, pending, clearedPlaces } = this.group;
    const after = [...this.#allPending()];
    const before = [...pending];
    await base.learn([...after, ...before].map(({ slot }) => slot));
    return (
      grownBytes(base, after, this.#allCleared()) - grownBytes(base, before, clearedPlaces.keys())
    );
  }

  growthAtMost(): number {
    return this.#bound.growth - this.group.bound.growth;
  }

  async changes(afterSeq: number): Promise<readonly Change[] | undefined> {
    const stored = await this.group.base.changes(afterSeq);
    if (stored === undefined) return undefined;
    const own = await this.group.changes();
    return [...stored, ...own.filter(({ seq }) => seq > afterSeq)];
  }

  async isUnused<T extends Table>(table: T, owner: OwnerOf<T>, key: string): Promise<boolean> {
    const slot = this.#slotOf(table, agentOfOwner(this.scope, owner), key);
    if (slot === undefined) return true;
    const pending = this.#pending(slot);
    return pending === undefined ? this.group.base.isFree(slot) : pending.payload === undefined;
  }

  put<T extends Table>(table: T, owner: OwnerOf<T>, key: string, value: ValueOf<T>): void {
    this.#requireRunning();
    const agentId = agentOfOwner(this.scope, owner);
    const slot = this.group.base.slotOf(this.#placeToWrite(agentId), table, key);
    const payload = codecOf(table).encode(value);
    this.#dueMs = Math.min(this.#dueMs, recordDueMs(table, value));
    this.#replace(slot, agentId, value, payload);
    this.#bytes += payload.length;
    this.#wrote = true;
    this.#note(slot, agentId, undefined);
  }

  delete<T extends Table>(table: T, owner: OwnerOf<T>, key: string): void {
    this.#requireRunning();
    const agentId = agentOfOwner(this.scope, owner);
    const slot = this.#slotOf(table, agentId, key);
    if (slot === undefined) return;
    const pending = this.#pending(slot);
    const { base } = this.group;
    const isKnown = pending !== undefined || base.isKnown(slot);
    if (isKnown && (pending === undefined ? !existed(base, slot) : pending.payload === undefined))
      return;
    this.#replace(slot, agentId, undefined, undefined);
    if (isKnown) this.#wrote = true;
    else this.#doubtfulDeletions.push(slot);
    this.#note(slot, agentId, isKnown ? undefined : slot);
  }

  clear(namespace: Namespace): void {
    this.#requireRunning();
    agentOfOwner(this.scope, namespace);
    const { agentId } = namespace;
    const place = this.#placeOf(agentId);
    if (place === undefined) return;
    const { base } = this.group;
    const pending = [...this.#allPending()].filter(({ slot }) => slot.place === place);
    const holdsPending = pending.some(({ payload }) => payload !== undefined);
    if (!holdsPending && base.countAll(place) === 0) return;
    const touched = [...this.#touched].filter(([, record]) => record.agentId === agentId);
    for (const [name] of touched) this.#touched.delete(name);
    this.#bound.clear(base, place, pending);
    this.#records.removePlace(place);
    this.#clearedPlaces.add(place);
    this.#places.set(agentId, base.newPlace(agentId));
    if (holdsPending || pending.length === 0) {
      this.#cleared.add(agentId);
      this.#wrote = true;
    } else {
      this.#doubtfulClears.push({ agentId, place, deleted: pending, touched });
    }
  }

  commitTimeMs(clockMs: number): number {
    const { base, lastTimeMs } = this.group;
    const { commitTimeMs: timeMs = clockMs } = base;
    this.#lastTimeMs =
      lastTimeMs - timeMs > unbelievedLeadMs ? timeMs : Math.max(this.#lastTimeMs, timeMs);
    return this.#lastTimeMs;
  }

  /** Ends the transaction. Returns its writes; `undefined` if it wrote nothing. */
  async end(): Promise<StagedWrites<P> | undefined> {
    this.#ended = true;
    for (const clear of this.#doubtfulClears) await this.#decide(clear);
    if (!this.#wrote) await this.#lookForDeletions();
    if (!this.#wrote) return undefined;
    return {
      records: this.#records,
      places: this.#places,
      clearedPlaces: this.#clearedPlaces,
      account: this.#account,
      dueMs: this.#dueMs,
      lastTimeMs: this.#lastTimeMs,
      touched: [...this.#touched.values()],
      cleared: [...this.#cleared],
      bound: this.#bound,
    };
  }

  /** Decides whether a clearing had anything left to clear. */
  async #decide({ agentId, place, deleted, touched }: DoubtfulClear<P>): Promise<void> {
    const { base } = this.group;
    await base.learn(deleted.map(({ slot }) => slot));
    const gone = deleted.filter(({ slot }) => existed(base, slot)).length;
    if (base.countAll(place) > gone) {
      this.#cleared.add(agentId);
      this.#wrote = true;
      return;
    }
    const later = [...this.#touched];
    this.#touched.clear();
    for (const [name, record] of [...touched, ...later]) this.#touched.set(name, record);
  }

  async #lookForDeletions(): Promise<void> {
    const { base } = this.group;
    await base.learn(this.#doubtfulDeletions);
    this.#wrote = this.#doubtfulDeletions.some((slot) => existed(base, slot));
  }

  #requireRunning(): void {
    if (this.#ended)
      throw new Error("a write came after the function of its transaction had ended");
  }

  /** Puts a record among the pending ones. A record without `payload` is a deletion. */
  #replace(
    slot: RecordSlot<P>,
    agentId: string | undefined,
    value: unknown,
    payload: Uint8Array | undefined,
  ): void {
    const growth = growthOf(slot, payload, this.group.base.payloadBytes(slot));
    const record = { slot, agentId, value, payload, growth, account: this.#account };
    this.#bound.replace(this.#pending(slot), record);
    this.#records.set(record);
  }

  #allCleared(): readonly P[] {
    return [...this.group.clearedPlaces.keys(), ...this.#clearedPlaces];
  }

  async #usageWith(pending: readonly PendingRecord<P>[], cleared: Iterable<P>): Promise<Usage> {
    const { base } = this.group;
    await base.learn(pending.map(({ slot }) => slot));
    return usageAfter(base, pending, cleared);
  }

  #note(
    { table, key }: RecordSlot<P>,
    agentId: string | undefined,
    ifExisted: RecordSlot<P> | undefined,
  ): void {
    if (agentId === undefined || !isLogged(table)) return;
    const name = `${table}/${agentId.length}:${agentId}${key}`;
    const known = this.#touched.get(name);
    // A record that was put, or certainly deleted, stays touched. Later writes do not change that.
    if (known !== undefined && known.ifExisted === undefined) return;
    this.#touched.set(
      name,
      ifExisted === undefined ? { table, agentId, key } : { table, agentId, key, ifExisted },
    );
  }

  /** Returns the place of the records of an owner; `undefined` if the owner never had a record. */
  #placeOf(agentId: string | undefined): P | undefined {
    const own = agentId === undefined ? undefined : this.#places.get(agentId);
    return own ?? this.group.placeOf(agentId);
  }

  #placeToWrite(agentId: string | undefined): P {
    const known = this.#placeOf(agentId);
    if (known !== undefined || agentId === undefined) return known as P;
    const place = this.group.base.newPlace(agentId);
    this.#places.set(agentId, place);
    return place;
  }

  #slotOf<T extends Table>(
    table: T,
    agentId: string | undefined,
    key: string,
  ): RecordSlot<P, T> | undefined {
    const place = this.#placeOf(agentId);
    return place === undefined ? undefined : this.group.base.slotOf(place, table, key);
  }

  #pending(slot: RecordSlot<P>): PendingRecord<P> | undefined {
    const own = this.#records.get(slot);
    if (own !== undefined || this.#clearedPlaces.has(slot.place)) return own;
    return this.group.pending.get(slot);
  }

  #pendingOf(place: P, table: Table): ReadonlyMap<string, PendingRecord<P>> {
    return new Map([...this.group.pending.of(place, table), ...this.#records.of(place, table)]);
  }

  *#allPending(): Generator<PendingRecord<P>> {
    for (const record of this.group.pending)
      if (
        !this.#clearedPlaces.has(record.slot.place) &&
        this.#records.get(record.slot) === undefined
      )
        yield record;
    yield* this.#records;
  }
}
