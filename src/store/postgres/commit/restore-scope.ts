import type { RecordPage, RestoredScope } from "../../../core/ports/backup.js";
import type { Head, Table } from "../../../core/ports/store.js";
import { PageCheck, tableOfPage } from "../../codec/owned-tables.js";
import { tableCodes } from "../../codec/table-codes.js";
import { requireHead } from "../../errors.js";
import { changeUsage, noUsage, recordBytes } from "../../usage.js";
import { isTransient } from "../errors.js";
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
}

/**
 * Writes the records of a scope into new places (see `TableAt`), where no reader looks. Then
 * switches the scope to these places in one transaction. Until then, each new place has a row in
 * `vm_sweep`. So the sweeper removes the records of a restore that fails or crashes.
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
  const staging = new Staging(row, path);
  await staging.begin(replaced);
  for await (const page of pages) await staging.write(page);
  await staging.finish(restored, replaced);
}

class Staging {
  readonly #check = new PageCheck();
  /** The places of the restored owners. */
  readonly #places = new Map<string | undefined, Place>();

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
    const table = tableOfPage(page);
    const { agentId } = page;
    const place = this.#places.get(agentId) ?? (await this.#take(agentId));
    const records = page.records.map(([key, payload]) => {
      this.#check.decode(table, page, [key, payload]);
      return { key: keyBytes(key), payload };
    });
    const at = { scope: this.row, place: place.place, table };
    const values = [
      this.row.uuid,
      records.map(() => place.place),
      records.map(() => tableCodes[table]),
      records.map(({ key }) => key),
      records.map(({ key, payload }) => sealRecord(at, key, payload)),
    ];
    await this.#transaction(async (session) => {
      await allOf([
        session.query(scopeStatements.stagePlace, [this.row.uuid, place.place]),
        session.query(scopeStatements.putRecords, values),
      ]);
    });
    this.#places.set(agentId, {
      place: place.place,
      counts: addToCounts(place.counts, table, records.length),
      bytes: place.bytes + bytesOf(table, page),
    });
  }

  /** Switches the scope to the new places, and leaves the old places to the sweeper. */
  async finish(restored: RestoredScope, replaced: Head): Promise<void> {
    this.#check.end();
    const whole = this.#places.get(undefined) ?? (await this.#take(undefined));
    const named = [...this.#places].filter(([agentId]) => agentId !== undefined) as [
      string,
      Place,
    ][];
    let usage = noUsage;
    for (const [agentId, { counts, bytes }] of this.#places)
      usage = changeUsage(usage, agentId === undefined ? 0 : countOf(counts, "memories"), bytes);
    const staged = [...this.#places.values()].map(({ place }) => place);
    await this.#transaction(async (session) => {
      const head = await lockedHead(session, this.row);
      // An earlier attempt may have committed before its connection broke.
      if (head.place === whole.place) return;
      requireHead(head, replaced);
      await this.#exchange(session, head, { restored, whole, named, staged });
      const { uuid } = this.row;
      await session.query(scopeStatements.replaceHead, [
        uuid,
        restored.epoch ?? this.path.newEpoch,
        restored.seq,
        Math.max(restored.lastTimeMs, head.last_time_ms),
        whole.place,
        countsText(whole),
        usage.memories,
        usage.bytes,
      ]);
    });
  }

  async #exchange(session: Session, head: HeadRow, next: NextPlaces): Promise<void> {
    const { uuid } = this.row;
    const { rows: old } = await session.query<PlaceRow>(scopeStatements.readPlaces, [uuid]);
    const swept = [head.place, ...old.map(({ place }) => place)];
    const { count } = await session.query(scopeStatements.unstagePlaces, [uuid, next.staged]);
    // The sweeper may have removed records of a place whose row in `vm_sweep` came due.
    if (count !== next.staged.length) throw new Error("a page of a restore took over an hour");
    await allOf([
      session.query(scopeStatements.putSweeps, [uuid, swept]),
      session.query(scopeStatements.dropPlaces, [uuid]),
      session.query(scopeStatements.cutChanges, [uuid, Number.MAX_SAFE_INTEGER]),
      session.query(scopeStatements.putPlaces, [
        uuid,
        next.named.map(([agentId]) => keyBytes(agentId)),
        next.named.map(([, { place }]) => place),
        next.named.map(([, place]) => countsText(place)),
        next.named.map(([, { bytes }]) => bytes),
      ]),
    ]);
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

/** The places of a restored scope. */
interface NextPlaces {
  readonly restored: RestoredScope;
  readonly whole: Place;
  /** Places of namespaces, by agent. */
  readonly named: readonly (readonly [string, Place])[];
  /** All places, each of which has a row in `vm_sweep`. */
  readonly staged: readonly number[];
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
