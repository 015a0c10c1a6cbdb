import type { RecordPage, RestoredScope } from "../../../core/ports/backup.js";
import type { Head, Table } from "../../../core/ports/store.js";
import { tableOfPage } from "../../codec/owned-tables.js";
import { tableCodes } from "../../codec/table-codes.js";
import { requireHead } from "../../errors.js";
import { changeUsage, noUsage, recordBytes, storedBytes } from "../../usage.js";
import { isTransient } from "../errors.js";
import type { HeldScopes } from "../holds/held-scopes.js";
import { allOf, type Connection, type Session } from "../session/connection.js";
import type { Pool } from "../session/pool.js";
import { retrying } from "../session/retry.js";
import { keyBytes, sealRecord } from "../tables/record-codec.js";
import type { ScopeRow } from "../tables/scope-row.js";
import {
  addToCounts,
  countOf,
  type HeadRow,
  type Place,
  type PlaceRow,
} from "../tables/scope-state.js";
import { setScope } from "../tables/set-scope.js";
import { createHead, scopeStatements } from "../tables/statements.js";

/** The parts that a restore writes through. */
export interface RestorePath {
  readonly writers: Pool;
  /** The epoch of scopes without a commit. */
  readonly newEpoch: string;
  /** Says whether the scope may be written. Absent: it may. Only for a scope of few records. */
  readonly held?: HeldScopes | undefined;
}

/**
 * Maximum number of records, and of bytes of their values, that one transaction restores. More
 * records are written in several transactions.
 */
const togetherMax = { records: 2_000, bytes: 1024 * 1024 };

/**
 * Restores a scope. A small scope is written in one transaction, and a larger one as `Staging`
 * says.
 *
 * Rejects with errors of the driver, too.
 *
 * @throws ABORTED (SCOPE_CHANGED) when the head of the scope is not `replaced`
 * @throws INVALID_ARGUMENT (INVALID_BACKUP) as `BackupTarget.restoreScope`
 */
export async function restoreScope(
  row: ScopeRow,
  path: RestorePath,
  restored: RestoredScope,
  replaced: Head,
  pages: AsyncIterable<RecordPage>,
): Promise<void> {
  const iterator = pages[Symbol.asyncIterator]();
  const { taken, isAll } = await takePages(iterator, togetherMax);
  if (isAll) return restoreTogether(row, path, { restored, replaced, pages: taken });
  const staging = new Staging(row, path);
  await staging.begin(replaced);
  for (const page of taken) await staging.write(page);
  for (let next = await iterator.next(); next.done !== true; next = await iterator.next())
    await staging.write(next.value);
  await staging.finish(restored, replaced);
}

/** Reads pages until one of the limits is exceeded. `isAll`: there are no further pages. */
async function takePages(
  pages: AsyncIterator<RecordPage>,
  max: typeof togetherMax,
): Promise<{ readonly taken: readonly RecordPage[]; readonly isAll: boolean }> {
  const taken: RecordPage[] = [];
  let records = 0;
  let bytes = 0;
  while (records <= max.records && bytes <= max.bytes) {
    const next = await pages.next();
    if (next.done === true) return { taken, isAll: true };
    taken.push(next.value);
    records += next.value.records.length;
    for (const [, payload] of next.value.records) bytes += payload.length;
  }
  return { taken, isAll: false };
}

interface SmallRestore {
  readonly restored: RestoredScope;
  readonly replaced: Head;
  readonly pages: readonly RecordPage[];
}

/** Replaces a scope by some records, in one transaction. */
async function restoreTogether(
  row: ScopeRow,
  { writers, newEpoch, held }: RestorePath,
  { restored, replaced, pages }: SmallRestore,
): Promise<void> {
  const { uuid, tenant, kind, id } = row;
  let written: number | undefined;
  const run = async (session: Session): Promise<void> => {
    const [, head] = await allOf([
      session.query(createHead, [uuid, newEpoch, tenant, kind, id]),
      lockedHead(session, row),
    ]);
    // An earlier attempt may have committed before its connection broke.
    if (written !== undefined && head.place === written) return;
    await held?.admitWrites(session, await held.read(session), restored.scope);
    requireHead(head, replaced);
    written = head.next_place;
    const places = new Map<string | undefined, Place>();
    const records: SealedRecords[] = [];
    let storedBytes = 0;
    for (const agentId of [undefined, ...pages.map((page) => page.agentId)])
      if (!places.has(agentId))
        places.set(agentId, { place: head.next_place + places.size, counts: [], bytes: 0 });
    for (const page of pages) {
      const sealed = sealPage(row, places.get(page.agentId) as Place, page);
      records.push(sealed.records);
      storedBytes += sealed.storedBytes;
      places.set(page.agentId, sealed.place);
    }
    const old = head.seq === 0 ? [] : await oldPlaces(session, row, head);
    await allOf([
      session.query(scopeStatements.putRecords, [uuid, ...joined(records)]),
      ...replacePlaces(session, row, old, places),
      replaceHead(session, row, { restored, head, newEpoch, places, storedBytes }),
    ]);
  };
  await retrying(isTransient, () => writers.use((connection) => transact(connection, row, run)));
}

/**
 * Writes the records of a scope into new places (see `TableAt`), where no reader looks. Then
 * switches the scope to these places in one transaction. Until then, each new place has a row in
 * `vm_sweep`. So the sweeper removes the records of a restore that fails or crashes.
 */
class Staging {
  /** The places of the restored owners. */
  readonly #places = new Map<string | undefined, Place>();
  #storedBytes = 0;

  constructor(
    private readonly row: ScopeRow,
    private readonly path: RestorePath,
  ) {}

  /** Creates the head if there is none, and compares it with `replaced`. */
  async begin(replaced: Head): Promise<void> {
    const { uuid, tenant, kind, id } = this.row;
    await this.#transaction(async (session) => {
      await session.query(createHead, [uuid, this.path.newEpoch, tenant, kind, id]);
      requireHead(await lockedHead(session, this.row), replaced);
    });
  }

  async write(page: RecordPage): Promise<void> {
    const { agentId } = page;
    const { uuid } = this.row;
    const before = this.#places.get(agentId) ?? (await this.#take(agentId));
    const { place, records, storedBytes } = sealPage(this.row, before, page);
    await this.#transaction(async (session) => {
      await allOf([
        session.query(scopeStatements.stagePlace, [uuid, place.place]),
        session.query(scopeStatements.putRecords, [uuid, ...records]),
      ]);
    });
    this.#places.set(agentId, place);
    this.#storedBytes += storedBytes;
  }

  /** Switches the scope to the new places, and leaves the old places to the sweeper. */
  async finish(restored: RestoredScope, replaced: Head): Promise<void> {
    const whole = this.#places.get(undefined) ?? (await this.#take(undefined));
    const staged = [...this.#places.values()].map(({ place }) => place);
    await this.#transaction(async (session) => {
      const head = await lockedHead(session, this.row);
      // An earlier attempt may have committed before its connection broke.
      if (head.place === whole.place) return;
      requireHead(head, replaced);
      const { row } = this;
      const old = await oldPlaces(session, row, head);
      const { count } = await session.query(scopeStatements.unstagePlaces, [row.uuid, staged]);
      // The sweeper may have removed records of a place whose row in `vm_sweep` came due.
      if (count !== staged.length) throw new Error("a page of a restore took over an hour");
      const { newEpoch } = this.path;
      await allOf([
        ...replacePlaces(session, row, old, this.#places),
        replaceHead(session, row, {
          ...{ restored, head, newEpoch, places: this.#places },
          storedBytes: this.#storedBytes,
        }),
      ]);
    });
  }

  /** Takes a new place for the records of an owner. */
  async #take(agentId: string | undefined): Promise<Place> {
    if (agentId !== undefined) keyBytes(agentId);
    const { uuid } = this.row;
    const number = await this.#transaction(async (session) => {
      const { rows } = await session.query<{ place: number }>(scopeStatements.takePlace, [uuid]);
      const taken = rows[0]?.place ?? 0;
      await session.query(scopeStatements.stagePlace, [uuid, taken]);
      return taken;
    });
    const place = { place: number, counts: [], bytes: 0 };
    this.#places.set(agentId, place);
    return place;
  }

  /**
   * Runs `work` in a transaction. Runs `work` again after a transient error, even if the commit may
   * have succeeded.
   */
  #transaction<T>(work: (session: Session) => Promise<T>): Promise<T> {
    return retrying(isTransient, () =>
      this.path.writers.use((connection) => transact(connection, this.row, work)),
    );
  }
}

/** Places, tables, keys and sealed values of records, as `putRecords` takes them. */
type SealedRecords = readonly [number[], number[], Buffer[], Buffer[]];

/**
 * Seals the records of a page for a place. Returns them, their `storedBytes`, and the place with
 * their counts.
 */
function sealPage(
  scope: ScopeRow,
  { place, counts, bytes }: Place,
  page: RecordPage,
): {
  readonly place: Place;
  readonly records: SealedRecords;
  readonly storedBytes: number;
} {
  const table = tableOfPage(page);
  const records = page.records.map(([key, payload]) => ({ key: keyBytes(key), payload }));
  return {
    place: {
      place,
      counts: addToCounts(counts, table, records.length),
      bytes: bytes + bytesOf(table, page),
    },
    storedBytes: page.records.reduce((sum, [key, { length }]) => sum + storedBytes(key, length), 0),
    records: [
      records.map(() => place),
      records.map(() => tableCodes[table]),
      records.map(({ key }) => key),
      records.map(({ key, payload }) => sealRecord({ scope, place, table }, key, payload)),
    ],
  };
}

function joined(pages: readonly SealedRecords[]): SealedRecords {
  return [
    pages.flatMap(([places]) => places),
    pages.flatMap(([, tables]) => tables),
    pages.flatMap(([, , keys]) => keys),
    pages.flatMap(([, , , values]) => values),
  ];
}

/** Returns the numbers of the places that a restore replaces. */
async function oldPlaces(session: Session, { uuid }: ScopeRow, head: HeadRow): Promise<number[]> {
  const { rows } = await session.query<PlaceRow>(scopeStatements.readPlaces, [uuid]);
  return [head.place, ...rows.map(({ place }) => place)];
}

/** Replaces the places `old`, and leaves their records to the sweeper. */
function replacePlaces(
  session: Session,
  { uuid }: ScopeRow,
  old: readonly number[],
  places: ReadonlyMap<string | undefined, Place>,
): readonly Promise<unknown>[] {
  const named = [...places].flatMap(([agentId, place]) =>
    agentId === undefined ? [] : [{ agentId, place }],
  );
  const put = (): Promise<unknown> =>
    session.query(scopeStatements.putPlaces, [
      uuid,
      named.map(({ agentId }) => keyBytes(agentId)),
      named.map(({ place }) => place.place),
      named.map(({ place }) => countsText(place)),
      named.map(({ place }) => place.bytes),
    ]);
  if (old.length === 0) return [put()];
  // PostgreSQL runs these in the order in which they are sent.
  return [
    session.query(scopeStatements.putSweeps, [uuid, old]),
    session.query(scopeStatements.dropPlaces, [uuid]),
    session.query(scopeStatements.cutChanges, [uuid, Number.MAX_SAFE_INTEGER]),
    put(),
  ];
}

interface NewHead {
  readonly restored: RestoredScope;
  /** The head before. */
  readonly head: HeadRow;
  readonly newEpoch: string;
  readonly places: ReadonlyMap<string | undefined, Place>;
  readonly storedBytes: number;
}

function replaceHead(
  session: Session,
  { uuid }: ScopeRow,
  { restored, head, newEpoch, places, storedBytes: stored }: NewHead,
): Promise<unknown> {
  const whole = places.get(undefined);
  if (whole === undefined) throw new Error("a restored scope has no place of its own");
  let usage = noUsage;
  for (const [agentId, { counts, bytes }] of places)
    usage = changeUsage(usage, agentId === undefined ? 0 : countOf(counts, "memories"), bytes);
  return session.query(scopeStatements.replaceHead, [
    uuid,
    restored.epoch ?? newEpoch,
    restored.seq,
    Math.max(restored.lastTimeMs, head.last_time_ms),
    whole.place,
    countsText(whole),
    usage.memories,
    usage.bytes,
    Math.max(...[...places.values()].map(({ place }) => place)) + 1,
    stored,
  ]);
}

async function transact<T>(
  connection: Connection,
  row: ScopeRow,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  try {
    await allOf([connection.run("begin"), setScope(connection, row)]);
    const result = await work(connection);
    const { command } = await connection.run("commit");
    if (command !== "COMMIT") throw new Error(`COMMIT ended as ${command}`);
    return result;
  } catch (error) {
    // Rolls back even after an error that counts as a lost connection: PostgreSQL may have sent
    // this error over a connection that goes back to the pool.
    await connection.run("rollback").catch(() => connection.abandon());
    throw error;
  }
}

async function lockedHead(session: Session, { uuid }: ScopeRow): Promise<HeadRow> {
  const { rows } = await session.query<HeadRow>(scopeStatements.lockHead, [uuid]);
  if (rows[0] === undefined) throw new Error("the head of a restored scope has vanished");
  return rows[0];
}

function countsText({ counts }: Place): string {
  return `{${counts.join(",")}}`;
}

function bytesOf(table: Table, { records }: RecordPage): number {
  return records.reduce((sum, [key, payload]) => sum + recordBytes(table, key, payload.length), 0);
}
