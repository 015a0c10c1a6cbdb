import type { Namespace, Scope } from "../../../core/model/namespace.js";
import type { RecordPage } from "../../../core/ports/backup.js";
import type { ScanRange } from "../../../core/ports/scan-range.js";
import type { Change, Head, OwnerOf, Snapshot, Table, ValueOf } from "../../../core/ports/store.js";
import { namespaceTables, scopeTables } from "../../codec/owned-tables.js";
import { tableCodes } from "../../codec/table-codes.js";
import { storeUnavailable } from "../../errors.js";
import { agentOfOwner } from "../../table-owner.js";
import { damagedInPostgres, errorForCallers, isConnectionLoss } from "../errors.js";
import type { HeldScopes } from "../holds/held-scopes.js";
import { allOf, type Connection, type Rows, type Session } from "../session/connection.js";
import type { Pool } from "../session/pool.js";
import { retrying } from "../session/retry.js";
import type { Statement } from "../session/statement.js";
import { readStoredChanges } from "../tables/change-reader.js";
import { keyBytes, openRecord, payloadOf, type TableAt } from "../tables/record-codec.js";
import { type PageHead, readPages, type SealedRecord } from "../tables/record-pages.js";
import type { ScopeRow } from "../tables/scope-row.js";
import {
  countOf,
  type HeadRow,
  isStateOf,
  type Place,
  type PlaceRow,
  requireSameScope,
  type ScopeState,
} from "../tables/scope-state.js";
import { setScope } from "../tables/set-scope.js";
import { scopeStatements } from "../tables/statements.js";

/** Parts of a snapshot. */
export interface SnapshotParts {
  readonly pool: Pool;
  /** The epoch of scopes without a commit. */
  readonly newEpoch: string;
  /** Refuses scopes that have moved. Absent: reads them too. */
  readonly held?: HeldScopes;
  /**
   * The scope after this server's last commit. Its places need not be read if the snapshot has the
   * same head.
   */
  readonly known: ScopeState | undefined;
  /** Called with each error of a statement or a connection. */
  readonly onError: (error: unknown) => void;
}

interface PlaceAnswer extends PageHead {
  /** Null if the agent has no place. */
  readonly place: number | null;
  readonly counts: Place["counts"];
  readonly bytes: number;
}

interface RecordAnswer extends PageHead {
  /** Null if there is no such record. */
  readonly value: Buffer | null;
}

/**
 * Takes a snapshot of a scope.
 *
 * @throws FAILED_PRECONDITION (MOVED) when the scope has moved to another server
 * @throws UNAVAILABLE (STORE_UNAVAILABLE) when PostgreSQL cannot be reached
 */
export async function openPostgresSnapshot(
  scope: Scope,
  row: ScopeRow,
  parts: SnapshotParts,
): Promise<PostgresSnapshot> {
  try {
    return await retrying(isConnectionLoss, () => begin(scope, row, parts));
  } catch (error) {
    parts.onError(error);
    throw errorForCallers(error);
  }
}

async function begin(scope: Scope, row: ScopeRow, parts: SnapshotParts): Promise<PostgresSnapshot> {
  const { connection, first } = await beginTransaction(scope, row, parts);
  return new PostgresSnapshot(scope, row, parts, connection, first);
}

/** A connection with an open transaction, and the head's row in it. */
interface BegunRead {
  readonly connection: Connection;
  readonly first: HeadRow | undefined;
}

async function beginTransaction(
  scope: Scope,
  row: ScopeRow,
  parts: SnapshotParts,
): Promise<BegunRead> {
  const connection = await parts.pool.acquire();
  try {
    const { held } = parts;
    const [, , { rows }, holds] = await allOf([
      connection.run("begin isolation level repeatable read read only"),
      setScope(connection, row),
      connection.query<HeadRow>(scopeStatements.readHead, [row.uuid]),
      held?.read(connection) ?? Promise.resolve(undefined),
    ]);
    if (holds !== undefined) held?.requirePresent(holds, scope);
    if (rows[0] !== undefined) requireSameScope(row, rows[0]);
    return { connection, first: rows[0] };
  } catch (error) {
    end(connection, parts.pool);
    throw error;
  }
}

/**
 * Ends the transaction. The ROLLBACK comes first in the pipeline, before the statements of the
 * connection's next user.
 */
function end(connection: Connection, pool: Pool): void {
  connection.run("rollback").catch(() => connection.abandon());
  pool.release(connection);
}

/**
 * Reads a scope in one transaction of PostgreSQL. If the connection breaks, reads on in another
 * transaction, unless the scope has changed meanwhile.
 */
export class PostgresSnapshot implements Snapshot {
  readonly head: Head;
  /** Runs statements. Those whose connection breaks run again on another connection. */
  readonly #session: Pick<Session, "query"> = {
    query: (statement, values) => this.#query(statement, values),
  };
  /** The connection with the transaction. Rejects if it broke and could not be replaced. */
  #connection: Promise<Connection>;
  readonly #places = new Map<string, Promise<Place | undefined>>();
  #isOpen = true;

  /**
   * `first`: the head's row; `undefined` if the scope does not exist. During a restore, a scope
   * without a commit has a row whose `seq` is 0.
   */
  constructor(
    private readonly scope: Scope,
    private readonly row: ScopeRow,
    private readonly parts: SnapshotParts,
    connection: Connection,
    private readonly first: HeadRow | undefined,
  ) {
    this.#connection = Promise.resolve(connection);
    this.head = {
      epoch: first?.epoch ?? parts.newEpoch,
      seq: first?.seq ?? 0,
      timeline: connection.timeline,
    };
  }

  async get<T extends Table>(
    table: T,
    owner: OwnerOf<T>,
    key: string,
  ): Promise<ValueOf<T> | undefined> {
    const place = await this.#placeOf(owner);
    const bytes = keyBytes(key);
    if (place === undefined || countOf(place.counts, table) === 0) return undefined;
    const { rows } = await this.#mapped(
      this.#session.query<RecordAnswer>(scopeStatements.readRecord, [
        this.row.uuid,
        place.place,
        tableCodes[table],
        bytes,
      ]),
    );
    this.#check(rows[0]);
    const value = rows[0]?.value ?? undefined;
    return value && openRecord(this.#at(place, table), bytes, value);
  }

  async *scan<T extends Table>(
    table: T,
    owner: OwnerOf<T>,
    range: ScanRange = {},
  ): AsyncIterable<readonly [string, ValueOf<T>]> {
    const place = await this.#placeOf(owner);
    if (place === undefined || countOf(place.counts, table) === 0) return;
    let found = 0;
    for await (const page of this.#pages(this.#at(place, table), range)) {
      for (const record of page) {
        found++;
        yield [record.key, record.open()];
      }
    }
    if (range.after === undefined) requireCount(table, found, countOf(place.counts, table));
  }

  async count<T extends Table>(table: T, owner: OwnerOf<T>): Promise<number> {
    const place = await this.#placeOf(owner);
    return place === undefined ? 0 : countOf(place.counts, table);
  }

  /** The latest commit time of the scope; 0 if it has none. */
  get lastTimeMs(): number {
    return this.first?.last_time_ms ?? 0;
  }

  /** Iterates over all records, like `ScopeReader.pages`. */
  async *rawPages(): AsyncGenerator<RecordPage> {
    const { first } = this;
    if (first === undefined) return;
    const whole = { place: first.place, counts: first.counts, bytes: 0 };
    for (const table of scopeTables) yield* this.#rawPagesOf(undefined, whole, table);
    const { rows } = await this.#mapped(
      this.#session.query<PlaceRow>(scopeStatements.readPlaces, [this.row.uuid]),
    );
    for (const { agent, ...place } of rows.toSorted((a, b) => a.agent.compare(b.agent)))
      for (const table of namespaceTables) yield* this.#rawPagesOf(agent.toString(), place, table);
  }

  /** See `Store.changes`. */
  changes(
    afterSeq: number,
    untilSeq: number = this.head.seq,
  ): Promise<readonly Change[] | undefined> {
    const check = (head: PageHead | undefined): void => this.#check(head);
    return this.#mapped(readStoredChanges(this.#session, this.row, afterSeq, untilSeq, check));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    const connection = await this.#connection.catch(() => undefined);
    if (connection !== undefined) end(connection, this.parts.pool);
  }

  async *#rawPagesOf(
    agentId: string | undefined,
    place: Place,
    table: Table,
  ): AsyncGenerator<RecordPage> {
    const count = countOf(place.counts, table);
    if (count === 0) return;
    const at = this.#at(place, table);
    let found = 0;
    for await (const page of this.#pages(at, {})) {
      found += page.length;
      const records = page.map(
        ({ key, keyBytes: bytes, sealed }) => [key, payloadOf(at, bytes, sealed)] as const,
      );
      yield { agentId, table, records };
    }
    requireCount(table, found, count);
  }

  /** Reads a table page by page. Turns errors of the driver into errors for callers. */
  async *#pages<T extends Table>(
    at: TableAt & { readonly table: T },
    range: ScanRange,
  ): AsyncGenerator<readonly SealedRecord<T>[]> {
    const check = (head: PageHead | undefined): void => this.#check(head);
    const pages = readPages(this.#session, at, range, check);
    for (;;) {
      const next = await this.#mapped(pages.next());
      if (next.done === true) return;
      yield next.value;
    }
  }

  #placeOf(owner: Namespace | Scope): Promise<Place | undefined> {
    const agentId = agentOfOwner(this.scope, owner);
    if (!this.#isOpen) throw new Error("a read came after the snapshot was closed");
    const { first } = this;
    if (first === undefined) return Promise.resolve(undefined);
    if (agentId === undefined)
      return Promise.resolve({ place: first.place, counts: first.counts, bytes: 0 });
    const found = this.#places.get(agentId) ?? this.#readPlace(agentId);
    this.#places.set(agentId, found);
    return found;
  }

  async #readPlace(agentId: string): Promise<Place | undefined> {
    const { known } = this.parts;
    const { timeline } = this.head;
    if (known !== undefined && this.first !== undefined && isStateOf(known, this.first, timeline))
      return known.places.get(agentId);
    const { rows } = await this.#mapped(
      this.#session.query<PlaceAnswer>(scopeStatements.readPlace, [
        this.row.uuid,
        keyBytes(agentId),
      ]),
    );
    this.#check(rows[0]);
    const { place = null, counts = [], bytes = 0 } = rows[0] ?? {};
    return place === null ? undefined : { place, counts, bytes };
  }

  async #query<Row>(statement: Statement, values?: readonly unknown[]): Promise<Rows<Row>> {
    return retrying(isConnectionLoss, async () => {
      const used = this.#connection;
      const connection = await used;
      try {
        return await connection.query<Row>(statement, values);
      } catch (error) {
        // Of the statements that fail together, the first one replaces the connection.
        if (isConnectionLoss(error) && this.#connection === used) {
          this.#connection = this.#replace(connection);
          this.#connection.catch(() => undefined);
        }
        throw error;
      }
    });
  }

  /** Returns a new connection with a transaction that reads the same state of the scope. */
  async #replace(lost: Connection): Promise<Connection> {
    end(lost, this.parts.pool);
    const { connection, first } = await this.#mapped(
      retrying(isConnectionLoss, () => beginTransaction(this.scope, this.row, this.parts)),
    );
    const { epoch, seq, timeline } = this.head;
    const isSame =
      (first?.epoch ?? this.parts.newEpoch) === epoch &&
      (first?.seq ?? 0) === seq &&
      first?.place === this.first?.place &&
      connection.timeline === timeline;
    if (isSame) return connection;
    end(connection, this.parts.pool);
    throw storeUnavailable("lost the connection to PostgreSQL while the records changed");
  }

  /**
   * Throws if an answer was read at another head than the snapshot's. With Citus, this can happen
   * when a shard moves to another node: the snapshot is lost, and later statements read the present
   * state.
   */
  #check(head: PageHead | undefined): void {
    if (head?.epoch === this.head.epoch && head.seq === this.head.seq) return;
    throw storeUnavailable(
      "lost the snapshot, because the records moved to another machine during this call",
    );
  }

  async #mapped<R>(answer: Promise<R>): Promise<R> {
    try {
      return await answer;
    } catch (error) {
      this.parts.onError(error);
      throw errorForCallers(error);
    }
  }

  #at<T extends Table>({ place }: Place, table: T): TableAt & { readonly table: T } {
    return { scope: this.row, place, table };
  }
}

function requireCount(table: Table, found: number, expected: number): void {
  if (found === expected) return;
  throw damagedInPostgres(
    `the records of ${table} in a scope or namespace are ${found} instead of ${expected}`,
  );
}
