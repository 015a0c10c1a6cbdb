import { type Scope, scopeMapKey, scopeOf } from "../../../core/model/namespace.js";
import type {
  BackupSource,
  RawRecord,
  RecordPage,
  ScopeState,
} from "../../../core/ports/backup.js";
import type { Table } from "../../../core/ports/store.js";
import { readable } from "../../codec/record-check.js";
import { codecOf } from "../../codec/table-codecs.js";
import { type Database, requirePayload, scanReadable } from "../folder/database.js";
import { changeRange, type KeyRange, placeRange, scopePart } from "../format/keys.js";
import { parseKey } from "../format/parse-key.js";
import { MendedRecords } from "./mended-records.js";
import { ownerId, ownerOf, surveyHeads, surveyRecords, unusedOwners } from "./survey.js";

/** A page is yielded when its records have this many bytes. */
const pageBytes = 1024 * 1024;

/** What can be told about a scope whose head may be lost or out of date. */
interface ReadableScope {
  readonly scope: Scope;
  seq: number;
  /** `undefined` if the head of the scope is lost. */
  lastTimeMs: number | undefined;
  /**
   * The current place of each agent's records; that of the records of the whole scope has the
   * key `undefined`. Records of lower places were cleared or replaced.
   */
  readonly places: Map<string | undefined, number>;
}

/** How to read the records of a LevelDB that may be damaged. */
export interface ReadableOptions {
  /** The epoch of all scopes. Requires: no store has used it. */
  readonly epoch: string;
  /** The last commit time of scopes whose head is lost. */
  readonly nowMs: number;
  /** Whether to mend the records (`MendedRecords`). Requires: the services wrote them. */
  readonly mends: boolean;
}

/**
 * Reads all readable records of a LevelDB that may be damaged. The source skips damaged records.
 * The caller reports them, see `verifyRecords`.
 *
 * Deleted records may come back, because lost deletions cannot be detected.
 */
export async function readableScopes(
  database: Database,
  { epoch, nowMs, mends }: ReadableOptions,
): Promise<BackupSource> {
  const scopes = await surveyScopes(database);
  const stateOf = ({ scope, seq, lastTimeMs = nowMs }: ReadableScope): ScopeState => ({
    scope,
    head: { epoch, seq },
    lastTimeMs,
  });
  return {
    async *scopeStates() {
      for (const scope of scopes.values()) yield stateOf(scope);
    },
    async openScope(scope) {
      const found = scopes.get(scopeMapKey(scope)) ?? newScope(scope);
      return {
        state: stateOf(found),
        pages: () => pagesOf(database, found, mends),
        [Symbol.asyncDispose]: async () => undefined,
      };
    },
  };
}

async function surveyScopes(database: Database): Promise<ReadonlyMap<string, ReadableScope>> {
  const scopes = new Map<string, ReadableScope>();
  const take = (scope: Scope): ReadableScope => {
    const known = scopes.get(scopeMapKey(scope)) ?? newScope(scope);
    scopes.set(scopeMapKey(scope), known);
    return known;
  };
  for await (const found of surveyHeads(database)) {
    if (found.kind === "scope") {
      const taken = take(found.scope);
      taken.seq = Math.max(taken.seq, found.head.seq);
      taken.lastTimeMs = found.head.lastTimeMs;
      taken.places.set(undefined, found.head.place);
    } else if (found.kind === "namespace") {
      const { agentId } = found.namespace;
      take(scopeOf(found.namespace)).places.set(agentId, found.head.place);
    }
  }
  for await (const [key] of scanReadable(database, changeRange)) {
    const parsed = parseKey(key);
    if (parsed?.kind !== "change") continue;
    const taken = take(parsed.scope);
    taken.seq = Math.max(taken.seq, parsed.seq);
  }
  const unused = await unusedOwners(database);
  for await (const found of surveyRecords(database)) {
    if (found.kind === "damaged") continue;
    const owner = ownerOf(found.record);
    if (unused.has(ownerId(owner))) continue;
    const isOfScope = owner.kind === "scope";
    const { places } = take(isOfScope ? owner.scope : scopeOf(owner.namespace));
    const agentId = isOfScope ? undefined : owner.namespace.agentId;
    // A later place than that of the head: the head is out of date.
    places.set(agentId, Math.max(places.get(agentId) ?? 0, owner.place));
  }
  return scopes;
}

function newScope(scope: Scope): ReadableScope {
  // With 0 commits, the scope would count as empty.
  return { scope, seq: 1, lastTimeMs: undefined, places: new Map() };
}

/** Yields the pages in the order of `ScopeReader.pages`. */
async function* pagesOf(
  database: Database,
  { scope, places }: ReadableScope,
  mends: boolean,
): AsyncGenerator<RecordPage> {
  const own = places.get(undefined);
  const rangeAt = (agentId: string | undefined, place: number): KeyRange =>
    placeRange(scopePart(scope), agentId, place);
  if (own !== undefined) yield* pagesOfOwner(database, undefined, rangeAt(undefined, own), mends);
  const agents = [...places].flatMap(([agentId, place]) =>
    agentId === undefined ? [] : [{ agentId, place }],
  );
  agents.sort((a, b) => Buffer.compare(Buffer.from(a.agentId), Buffer.from(b.agentId)));
  for (const { agentId, place } of agents)
    yield* pagesOfOwner(database, agentId, rangeAt(agentId, place), mends);
}

async function* pagesOfOwner(
  database: Database,
  agentId: string | undefined,
  range: KeyRange,
  mends: boolean,
): AsyncGenerator<RecordPage> {
  const all = mends ? mendedIn(database, range) : recordsIn(database, range);
  let page: { readonly table: Table; readonly records: RawRecord[]; bytes: number } | undefined;
  for await (const [table, record] of all) {
    if (page !== undefined && (page.table !== table || page.bytes >= pageBytes)) {
      yield { agentId, table: page.table, records: page.records };
      page = undefined;
    }
    page ??= { table, records: [], bytes: 0 };
    page.records.push(record);
    page.bytes += record[0].length + record[1].length;
  }
  if (page !== undefined) yield { agentId, table: page.table, records: page.records };
}

type RecordOfTable = readonly [Table, RawRecord];

async function* recordsIn(database: Database, range: KeyRange): AsyncGenerator<RecordOfTable> {
  for await (const { table, key, payload } of readableIn(database, range))
    yield [table, [key, payload]];
}

async function* mendedIn(database: Database, range: KeyRange): AsyncGenerator<RecordOfTable> {
  const records = new MendedRecords();
  for await (const { table, key, value } of readableIn(database, range))
    records.add(table, key, value);
  records.close();
  yield* merged(database, range, records);
}

/** Yields the mended and the made records, those of a table in the order of their keys. */
async function* merged(
  database: Database,
  range: KeyRange,
  records: MendedRecords,
): AsyncGenerator<RecordOfTable> {
  const made = new Map(records.made());
  let current: Table | undefined;
  let next = 0;
  function* madeUpTo(key: string | undefined): Generator<RecordOfTable> {
    if (current === undefined) return;
    const ofTable = made.get(current) ?? [];
    for (let record = ofTable[next]; record !== undefined; record = ofTable[++next]) {
      if (key !== undefined && Buffer.compare(Buffer.from(record[0]), Buffer.from(key)) >= 0)
        return;
      yield [current, record];
    }
    if (key === undefined) made.delete(current);
  }
  for await (const { table, key, value } of readableIn(database, range)) {
    if (table !== current) {
      yield* madeUpTo(undefined);
      current = table;
      next = 0;
    }
    const mended = records.mend(table, key, value);
    if (mended === undefined) continue;
    yield* madeUpTo(key);
    yield [table, [key, codecOf(table).encode(mended as never)]];
  }
  yield* madeUpTo(undefined);
  for (const [table, rest] of made) for (const record of rest) yield [table, record];
}

/** A record that a call could read. */
interface ReadableRecord {
  readonly table: Table;
  readonly key: string;
  readonly value: unknown;
  readonly payload: Buffer;
}

/** Yields the records that calls could read. One of the others would make a restore refuse all. */
async function* readableIn(database: Database, range: KeyRange): AsyncGenerator<ReadableRecord> {
  for await (const found of surveyRecords(database, undefined, range)) {
    if (found.kind === "damaged") continue;
    const { table, key } = found.record;
    const payload = requirePayload(found.key, found.value, table);
    const value = readable(table, key, payload);
    if (value !== undefined) yield { table, key, value, payload };
  }
}
