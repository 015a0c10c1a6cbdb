import { type Scope, scopeMapKey, scopeOf } from "../../../core/model/namespace.js";
import type {
  BackupSource,
  RawRecord,
  RecordPage,
  ScopeState,
} from "../../../core/ports/backup.js";
import type { Table } from "../../../core/ports/store.js";
import { isReadable } from "../../codec/record-check.js";
import { type Database, requirePayload, scanReadable } from "../folder/database.js";
import { changeRange, placeRange, scopePart } from "../format/keys.js";
import { parseKey } from "../format/parse-key.js";
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

/**
 * Reads all readable records of a LevelDB that may be damaged. The source skips damaged records.
 * The caller reports them, see `verifyRecords`.
 *
 * Deleted records may come back, because lost deletions cannot be detected.
 *
 * @param epoch the epoch of all scopes. Requires: no store has used it
 * @param nowMs the last commit time of scopes whose head is lost
 */
export async function readableScopes(
  database: Database,
  epoch: string,
  nowMs: number,
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
        pages: () => pagesOf(database, found),
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
): AsyncGenerator<RecordPage> {
  const own = places.get(undefined);
  if (own !== undefined) yield* pagesOfOwner(database, scope, undefined, own);
  const agents = [...places].flatMap(([agentId, place]) =>
    agentId === undefined ? [] : [{ agentId, place }],
  );
  agents.sort((a, b) => Buffer.compare(Buffer.from(a.agentId), Buffer.from(b.agentId)));
  for (const { agentId, place } of agents) yield* pagesOfOwner(database, scope, agentId, place);
}

async function* pagesOfOwner(
  database: Database,
  scope: Scope,
  agentId: string | undefined,
  place: number,
): AsyncGenerator<RecordPage> {
  let page: { readonly table: Table; readonly records: RawRecord[]; bytes: number } | undefined;
  const range = placeRange(scopePart(scope), agentId, place);
  for await (const found of surveyRecords(database, undefined, range)) {
    if (found.kind === "damaged") continue;
    const { record, key, value } = found;
    const payload = requirePayload(key, value, record.table);
    // One such record would make a restore refuse all others.
    if (!isReadable(record.table, record.key, payload)) continue;
    if (page !== undefined && (page.table !== record.table || page.bytes >= pageBytes)) {
      yield { agentId, table: page.table, records: page.records };
      page = undefined;
    }
    page ??= { table: record.table, records: [], bytes: 0 };
    page.records.push([record.key, payload]);
    page.bytes += key.length + value.length;
  }
  if (page !== undefined) yield { agentId, table: page.table, records: page.records };
}
