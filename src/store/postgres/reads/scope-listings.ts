import {
  type Namespace,
  namespaceIn,
  type Scope,
  userScope,
} from "../../../core/model/namespace.js";
import type { ScopeState } from "../../../core/ports/backup.js";
import type { DueScope } from "../../../core/ports/due-scope.js";
import { type IdRange, scopeOfId } from "../../../core/ports/id-range.js";
import type { CrossUserRange } from "../../../core/ports/scan-range.js";
import type { CrossUserTable } from "../../../core/ports/store.js";
import { scopeCodes } from "../../codec/scope-codes.js";
import { isConnectionLoss } from "../errors.js";
import type { HeldScopes, HoldsRow } from "../holds/held-scopes.js";
import { allOf, type Connection } from "../session/connection.js";
import type { Pool } from "../session/pool.js";
import { retrying } from "../session/retry.js";
import type { Statement } from "../session/statement.js";
import { scopeOfRow, scopeRow } from "../tables/scope-row.js";
import { type Counts, holdsRecords } from "../tables/scope-state.js";
import { setAcrossUsers } from "../tables/set-scope.js";
import { listingStatements, listUndelivered } from "../tables/statements.js";
import { crossUserKeys, firstScopeId } from "./cross-user-keys.js";

interface ScopeListing {
  readonly scope: string;
  readonly tenant: Buffer;
  readonly kind: number;
  readonly id: Buffer;
  readonly counts: Counts;
}

interface DueListing extends Omit<ScopeListing, "counts"> {
  readonly due_ms: number;
  readonly agents: readonly Buffer[];
}

interface StateListing extends Omit<ScopeListing, "counts"> {
  readonly epoch: string;
  readonly seq: number;
  readonly last_time_ms: number;
}

interface PlaceListing extends ScopeListing {
  readonly agent: Buffer;
}

/** Number of ids in the first read. Many callers need no more. */
const firstPageIds = 32;
/** Number of ids in each later read. */
const pageIds = 500;

/** Sorts after every byte of UTF-8. */
const afterText = Buffer.of(0xff);

/** Returns the bytes that sort directly after others. */
function directlyAfter(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.of(0)]);
}

function laterOf(a: Buffer, b: Buffer): Buffer {
  return Buffer.compare(a, b) < 0 ? b : a;
}

/** The parts of listings. */
export interface ScopeListingsParts {
  readonly pool: Pool;
  readonly held: HeldScopes;
  /** Rejects while the store refuses calls. Turns the errors of `read` into those of callers. */
  readonly answer: <T>(read: () => Promise<T>) => Promise<T>;
}

/** Lists the scopes of a database, page by page. */
export class ScopeListings {
  constructor(private readonly parts: ScopeListingsParts) {}

  /** See `Store.namespaces`. */
  async *namespaces(): AsyncIterable<Namespace> {
    const holds = await this.#holds();
    let last: readonly [string, Buffer] = [firstScopeId, Buffer.alloc(0)];
    for (;;) {
      const rows = await this.#list<PlaceListing>(listingStatements.listPlaces, last);
      for (const row of rows) {
        last = [row.scope, row.agent];
        const scope = scopeOfRow(row);
        if (this.parts.held.hasMoved(holds, scope)) continue;
        if (scope.kind === "user" && holdsRecords(row.counts))
          yield namespaceIn(scope, row.agent.toString());
      }
      if (rows.length === 0) return;
    }
  }

  /** See `Store.ids`. */
  async *ids(range: IdRange): AsyncIterable<string> {
    const holds = await this.#holds();
    const { prefix = "", after, tenant = "" } = range;
    if (range.of === "agents") this.parts.held.requirePresent(holds, scopeOfId(range, ""));
    const [statement, owner] =
      range.of === "agents"
        ? ([listingStatements.listAgents, [scopeRow(scopeOfId(range, "")).uuid]] as const)
        : ([
            listingStatements.listIds,
            [Buffer.from(tenant), scopeCodes[range.of === "users" ? "user" : "run"]],
          ] as const);
    const first = Buffer.from(prefix);
    const end = Buffer.concat([first, afterText]);
    let from = after === undefined ? first : laterOf(first, directlyAfter(Buffer.from(after)));
    for (let ids = firstPageIds; ; ids = pageIds) {
      const rows = await this.#list<{ id: Buffer }>(statement, [...owner, from, end, ids]);
      for (const row of rows) {
        from = directlyAfter(row.id);
        const id = row.id.toString();
        if (!this.parts.held.hasMoved(holds, scopeOfId(range, id))) yield id;
      }
      if (rows.length < ids) return;
    }
  }

  /** See `Store.scopes`. */
  async *scopes(): AsyncIterable<Scope> {
    const holds = await this.#holds();
    let last = firstScopeId;
    for (;;) {
      const rows = await this.#list<ScopeListing>(listingStatements.listScopes, [last]);
      for (const row of rows) {
        last = row.scope;
        const scope = scopeOfRow(row);
        if (holdsRecords(row.counts) && !this.parts.held.hasMoved(holds, scope)) yield scope;
      }
      if (rows.length === 0) return;
    }
  }

  /** See `Store.dueScopes`. */
  async *due(nowMs: number): AsyncIterable<DueScope> {
    const holds = await this.#holds();
    let last: readonly [number, string] = [-1, firstScopeId];
    for (;;) {
      const rows = await this.#list<DueListing>(listingStatements.listDue, [nowMs, ...last]);
      for (const row of rows) {
        last = [row.due_ms, row.scope];
        const scope = scopeOfRow(row);
        if (!this.parts.held.hasMoved(holds, scope))
          yield { scope, agentIds: row.agents.map(String) };
      }
      if (rows.length === 0) return;
    }
  }

  /** See `BackupSource.scopeStates`. */
  async *states(): AsyncIterable<ScopeState> {
    let last = firstScopeId;
    for (;;) {
      const rows = await this.#list<StateListing>(listingStatements.listHeads, [last]);
      for (const row of rows) {
        last = row.scope;
        const head = { epoch: row.epoch, seq: row.seq };
        if (row.seq > 0) yield { scope: scopeOfRow(row), head, lastTimeMs: row.last_time_ms };
      }
      if (rows.length === 0) return;
    }
  }

  /** See `Store.acrossUsers`. */
  async *acrossUsers(
    table: CrossUserTable,
    range: CrossUserRange,
  ): AsyncIterable<readonly [key: string, userId: string]> {
    const holds = await this.#holds();
    for await (const [key, userId] of crossUserKeys(table, range, (list) => this.#read(list)))
      if (!this.parts.held.hasMoved(holds, userScope(userId, range.tenant))) yield [key, userId];
  }

  /** See `Store.undelivered`. */
  async *undelivered(): AsyncIterable<Scope> {
    const holds = await this.#holds();
    let last = firstScopeId;
    for (;;) {
      const rows = await this.#read(async (connection) => {
        const [, , listed] = await allOf([
          connection.run("begin read only"),
          setAcrossUsers(connection),
          connection.query<Omit<ScopeListing, "counts">>(listUndelivered, [last, pageIds]),
          connection.run("commit"),
        ]);
        return listed.rows;
      });
      for (const row of rows) {
        last = row.scope;
        const scope = scopeOfRow(row);
        if (!this.parts.held.hasMoved(holds, scope)) yield scope;
      }
      if (rows.length < pageIds) return;
    }
  }

  #holds(): Promise<HoldsRow> {
    return this.#read((session) => this.parts.held.read(session));
  }

  #list<Row>(statement: Statement, values: readonly unknown[]): Promise<readonly Row[]> {
    return this.#read(async (session) => (await session.query<Row>(statement, values)).rows);
  }

  #read<T>(read: (session: Connection) => Promise<T>): Promise<T> {
    const { pool, answer } = this.parts;
    return answer(() => retrying(isConnectionLoss, () => pool.use(read)));
  }
}
