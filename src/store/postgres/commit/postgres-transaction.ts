import type { Namespace, Scope } from "../../../core/model/namespace.js";
import type {
  Change,
  Head,
  OwnerOf,
  ScanRange,
  Table,
  Transaction,
  Usage,
  ValueOf,
} from "../../../core/ports/store.js";
import { isLogged } from "../../change-log.js";
import { codecOf } from "../../codec/table-codecs.js";
import { agentOfOwner } from "../../table-owner.js";
import { keyBytes } from "../tables/record-codec.js";
import type { StoredRecord } from "../tables/record-pages.js";
import { holdsRecords, type Place } from "../tables/scope-state.js";
import {
  countAfter,
  type GroupState,
  type GroupWrites,
  growthOf,
  type TouchedRecord,
  totalsAfter,
} from "./group-state.js";
import { type PendingRecord, PendingRecords, type RecordSlot, slotOf } from "./pending-records.js";
import type { UsageBound } from "./usage-bound.js";

/** Reads the commits that are in the tables already. */
export type StoredChanges = (
  afterSeq: number,
  lastSeq: number,
) => Promise<readonly Change[] | undefined>;

/** A clearing of a namespace whose records may all have been deleted already. */
interface DoubtfulClear {
  readonly agentId: string;
  readonly cleared: Place;
  /** Deletions in the place. Some of the deleted records may never have existed. */
  readonly deleted: readonly PendingRecord[];
  /** Entries of `#touched` that count only if the clearing had nothing to clear. */
  readonly touched: readonly (readonly [string, TouchedRecord])[];
}

/** A transaction of a group. It changes the group only when the group applies its writes. */
export class PostgresTransaction implements Transaction {
  readonly head: Head;
  readonly #records = new PendingRecords();
  readonly #places = new Map<string, Place>();
  readonly #clearedPlaces = new Set<number>();
  readonly #touched = new Map<string, TouchedRecord>();
  readonly #cleared = new Set<string>();
  readonly #doubtfulClears: DoubtfulClear[] = [];
  /** Deletions that write something only if the record existed. */
  readonly #doubtfulDeletions: RecordSlot[] = [];
  readonly #bound: UsageBound;
  #nextPlace: number;
  #lastTimeMs: number;
  #wrote = false;
  #ended = false;
  #bytes = 0;

  constructor(
    private readonly scope: Scope,
    private readonly group: GroupState,
    private readonly storedChanges: StoredChanges,
  ) {
    this.head = group.head;
    this.#nextPlace = group.nextPlace;
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
    const place = this.#placeOf(agentOfOwner(this.scope, owner));
    if (place === undefined) return undefined;
    const slot = { ...slotOf(place.place, table, key), table };
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
    const pending = this.#pendingOf(place.place, table);
    const pages = this.group.base.scan(place.place, table, range);
    yield* mergedWithPending(pages, pending, range);
  }

  async count<T extends Table>(table: T, owner: OwnerOf<T>): Promise<number> {
    const place = this.#placeOf(agentOfOwner(this.scope, owner));
    if (place === undefined) return 0;
    const pending = [...this.#pendingOf(place.place, table).values()];
    await this.group.base.learn(pending.map(({ slot }) => slot));
    return countAfter(place.counts, this.group.base, pending, table);
  }

  countAtMost<T extends Table>(table: T, owner: OwnerOf<T>): number {
    const place = this.#placeOf(agentOfOwner(this.scope, owner));
    return place === undefined ? 0 : this.#bound.count(place, table);
  }

  async usage(): Promise<Usage> {
    return this.#usageWith(
      [...this.#allPending()],
      new Map([...this.group.places, ...this.#places]),
    );
  }

  async usageBefore(): Promise<Usage> {
    return this.#usageWith([...this.group.pending], this.group.places);
  }

  usageAtMost(): Usage {
    return this.#bound.usage;
  }

  async changes(afterSeq: number): Promise<readonly Change[] | undefined> {
    const { before } = this.group;
    const stored = await this.storedChanges(afterSeq, before.seq);
    if (stored === undefined) return undefined;
    const own = await this.group.changes();
    return [...stored, ...own.filter(({ seq }) => seq > afterSeq)];
  }

  async isUnused<T extends Table>(table: T, owner: OwnerOf<T>, key: string): Promise<boolean> {
    const place = this.#placeOf(agentOfOwner(this.scope, owner));
    if (place === undefined) return true;
    const slot = slotOf(place.place, table, key);
    const pending = this.#pending(slot);
    return pending === undefined ? this.group.isFree(slot) : pending.payload === undefined;
  }

  put<T extends Table>(table: T, owner: OwnerOf<T>, key: string, value: ValueOf<T>): void {
    this.#requireRunning();
    const agentId = agentOfOwner(this.scope, owner);
    const slot = slotOf(this.#placeToWrite(agentId).place, table, key);
    const payload = codecOf(table).encode(value);
    this.#replace(slot, agentId, value, payload);
    this.#bytes += payload.length;
    this.#wrote = true;
    this.#note(slot, agentId, undefined);
  }

  delete<T extends Table>(table: T, owner: OwnerOf<T>, key: string): void {
    this.#requireRunning();
    const agentId = agentOfOwner(this.scope, owner);
    const place = this.#placeOf(agentId);
    if (place === undefined) return;
    const slot = slotOf(place.place, table, key);
    const pending = this.#pending(slot);
    const { base } = this.group;
    const isKnown = pending !== undefined || base.isKnown(slot);
    const existed = pending === undefined ? base.existed(slot) : pending.payload !== undefined;
    if (isKnown && !existed) return;
    this.#replace(slot, agentId, undefined, undefined);
    if (isKnown) this.#wrote = true;
    else this.#doubtfulDeletions.push(slot);
    this.#note(slot, agentId, isKnown ? undefined : slot);
  }

  clear(namespace: Namespace): void {
    this.#requireRunning();
    agentOfOwner(this.scope, namespace);
    const { agentId } = namespace;
    const cleared = this.#placeOf(agentId);
    if (cleared === undefined) return;
    const pending = [...this.#allPending()].filter(({ slot }) => slot.place === cleared.place);
    const holdsPending = pending.some(({ payload }) => payload !== undefined);
    if (!holdsPending && !holdsRecords(cleared.counts)) return;
    const touched = [...this.#touched].filter(([, record]) => record.agentId === agentId);
    for (const [name] of touched) this.#touched.delete(name);
    this.#bound.clear(cleared, pending);
    this.#records.removePlace(cleared.place);
    this.#clearedPlaces.add(cleared.place);
    this.#places.set(agentId, { place: this.#nextPlace++, counts: [], bytes: 0 });
    if (holdsPending || pending.length === 0) {
      this.#cleared.add(agentId);
      this.#wrote = true;
    } else {
      this.#doubtfulClears.push({ agentId, cleared, deleted: pending, touched });
    }
  }

  commitTimeMs(clockMs: number): number {
    this.#lastTimeMs = Math.max(this.#lastTimeMs, clockMs);
    return this.#lastTimeMs;
  }

  /** Ends the transaction. Returns its writes; `undefined` if it wrote nothing. */
  async end(): Promise<GroupWrites | undefined> {
    this.#ended = true;
    for (const clear of this.#doubtfulClears) await this.#decide(clear);
    if (!this.#wrote) await this.#lookForDeletions();
    if (!this.#wrote) return undefined;
    return {
      records: this.#records,
      places: this.#places,
      clearedPlaces: this.#clearedPlaces,
      nextPlace: this.#nextPlace,
      lastTimeMs: this.#lastTimeMs,
      touched: [...this.#touched.values()],
      cleared: [...this.#cleared],
      bound: this.#bound,
    };
  }

  /** Decides whether a clearing had anything left to clear. */
  async #decide({ agentId, cleared, deleted, touched }: DoubtfulClear): Promise<void> {
    const { base } = this.group;
    await base.learn(deleted.map(({ slot }) => slot));
    const gone = deleted.filter(({ slot }) => base.existed(slot)).length;
    const held = cleared.counts.reduce((sum, count) => sum + count, 0);
    if (held > gone) {
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
    this.#wrote = this.#doubtfulDeletions.some((slot) => base.existed(slot));
  }

  #requireRunning(): void {
    if (this.#ended)
      throw new Error("a write came after the function of its transaction had ended");
  }

  /** Puts a record among the pending ones. A record without `payload` is a deletion. */
  #replace(
    slot: RecordSlot,
    agentId: string | undefined,
    value: unknown,
    payload: Uint8Array | undefined,
  ): void {
    const growth = growthOf(slot, payload, this.group.base.payloadBytes(slot));
    const record = { slot, agentId, value, payload, growth };
    this.#bound.replace(this.#pending(slot), record);
    this.#records.set(record);
  }

  async #usageWith(
    pending: readonly PendingRecord[],
    places: ReadonlyMap<string, Place>,
  ): Promise<Usage> {
    const { before, base } = this.group;
    await base.learn(pending.map(({ slot }) => slot));
    return totalsAfter(before, base, pending, places).usage;
  }

  #note(slot: RecordSlot, agentId: string | undefined, ifExisted: RecordSlot | undefined): void {
    const { table, key } = slot;
    if (agentId === undefined || !isLogged(table)) return;
    const name = `${table}/${agentId.length}:${agentId}${key}`;
    const known = this.#touched.get(name);
    // A record that was put, or certainly deleted, stays touched. Later writes do not change that.
    if (known !== undefined && known.ifExisted === undefined) return;
    this.#touched.set(name, { table, agentId, key, ifExisted });
  }

  /** Returns the place of the records of an owner; `undefined` if the owner never had a record. */
  #placeOf(agentId: string | undefined): Place | undefined {
    if (agentId === undefined)
      return { place: this.group.before.place, counts: this.group.before.counts, bytes: 0 };
    return this.#places.get(agentId) ?? this.group.places.get(agentId);
  }

  #placeToWrite(agentId: string | undefined): Place {
    const known = this.#placeOf(agentId);
    if (known !== undefined || agentId === undefined) return known as Place;
    keyBytes(agentId);
    const place = { place: this.#nextPlace++, counts: [], bytes: 0 };
    this.#places.set(agentId, place);
    return place;
  }

  #pending(slot: RecordSlot): PendingRecord | undefined {
    const own = this.#records.get(slot);
    if (own !== undefined || this.#clearedPlaces.has(slot.place)) return own;
    return this.group.pending.get(slot);
  }

  #pendingOf(place: number, table: Table): ReadonlyMap<string, PendingRecord> {
    return new Map([...this.group.pending.of(place, table), ...this.#records.of(place, table)]);
  }

  *#allPending(): Generator<PendingRecord> {
    for (const record of this.group.pending)
      if (
        !this.#clearedPlaces.has(record.slot.place) &&
        this.#records.get(record.slot) === undefined
      )
        yield record;
    yield* this.#records;
  }
}

/** Merges pending records into the pages of stored records. */
async function* mergedWithPending<T extends Table>(
  pages: AsyncIterable<readonly StoredRecord<T>[]>,
  pending: ReadonlyMap<string, PendingRecord>,
  { after, reverse = false }: ScanRange,
): AsyncGenerator<readonly [string, ValueOf<T>]> {
  const direction = reverse ? -1 : 1;
  const from = after === undefined ? undefined : keyBytes(after);
  const ordered = [...pending.values()]
    .filter(({ slot }) => from === undefined || slot.keyBytes.compare(from) * direction > 0)
    .toSorted((a, b) => a.slot.keyBytes.compare(b.slot.keyBytes) * direction);
  let next = 0;

  function* pendingBefore(key: Buffer | undefined): Generator<readonly [string, ValueOf<T>]> {
    for (let record = ordered[next]; record !== undefined; record = ordered[++next]) {
      const { slot, value, payload } = record;
      if (key !== undefined && slot.keyBytes.compare(key) * direction >= 0) return;
      // `put` stored the value in this table with this type.
      if (payload !== undefined) yield [slot.key, value as ValueOf<T>];
    }
  }

  for await (const page of pages) {
    for (const record of page) {
      yield* pendingBefore(record.keyBytes);
      if (!pending.has(record.key)) yield [record.key, record.open()];
    }
  }
  yield* pendingBefore(undefined);
}
