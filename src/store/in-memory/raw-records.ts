import type { Scope } from "../../core/model/namespace.js";
import type { RawRecords, RecordPage, RestoredScope, ScopeState } from "../../core/ports/backup.js";
import type { Head, Table } from "../../core/ports/store.js";
import type { Usage } from "../../core/ports/usage.js";
import { namespaceTables, scopeTables, tableOfPage } from "../codec/owned-tables.js";
import { codecOf } from "../codec/table-codecs.js";
import type { StorageTotals } from "../engine/storage-totals.js";
import { requireHead } from "../errors.js";
import { changeUsage, noUsage, recordBytes, storedBytes } from "../usage.js";
import { compareUtf8 } from "./compare-utf8.js";
import {
  createTree,
  growthOfVersions,
  type ScopeVersion,
  type Tables,
  type Tree,
} from "./scope-version.js";

/** Maximum number of records of a page. */
const pageRecords = 1000;

/** A scope of the store. */
export interface ScopeEntry {
  readonly scope: Scope;
  version: ScopeVersion;
  /** Resolves when all transactions and restores that have begun are done. Never rejects. */
  idle: Promise<unknown>;
}

/** The scopes of a store. All functions throw when the store is closed. */
export interface ScopeEntries {
  /** Returns the entry of a scope, and creates it if there is none. */
  entryOf(scope: Scope): ScopeEntry;
  /** Returns the current version of a scope, an empty one if there is no entry. */
  versionOf(scope: Scope): ScopeVersion;
  entries(): readonly ScopeEntry[];
  readonly totals: StorageTotals;
}

/**
 * Implements `RawRecords` over the scopes of a store.
 *
 * @param epoch the epoch of the store
 */
export function createRawRecords(epoch: string, scopes: ScopeEntries): RawRecords {
  return {
    head: async (scope) => scopes.versionOf(scope).head,
    async *scopeStates() {
      for (const entry of scopes.entries()) if (entry.version.head.seq > 0) yield stateOf(entry);
    },
    async openScope(scope) {
      const version = scopes.versionOf(scope);
      return {
        state: stateOf({ scope, version }),
        pages: () => pagesOf(version),
        [Symbol.asyncDispose]: async () => undefined,
      };
    },
    async restoreScope(restored, replaced, pages) {
      const entry = scopes.entryOf(restored.scope);
      const restore = entry.idle.then(async () => {
        const { version } = entry;
        entry.version = await restoredVersion(version, restored, replaced, pages, epoch);
        const { scope } = entry;
        scopes.totals.add(scope.tenant, growthOfVersions(scope, version, entry.version));
      });
      entry.idle = restore.catch(() => undefined);
      await restore;
    },
  };
}

function stateOf({
  scope,
  version: { head, lastTimeMs },
}: Pick<ScopeEntry, "scope" | "version">): ScopeState {
  return { scope, head, lastTimeMs };
}

/** Iterates over all records of a version, like `ScopeReader.pages`. */
async function* pagesOf({ tablesByAgent }: ScopeVersion): AsyncGenerator<RecordPage> {
  yield* pagesOfOwner(undefined, tablesByAgent.get(undefined), scopeTables);
  const agents = [...tablesByAgent.keys()].filter((agentId) => agentId !== undefined);
  for (const agentId of agents.toSorted(compareUtf8))
    yield* pagesOfOwner(agentId, tablesByAgent.get(agentId), namespaceTables);
}

function* pagesOfOwner(
  agentId: string | undefined,
  tables: Tables | undefined,
  order: readonly Table[],
): Generator<RecordPage> {
  for (const table of order) {
    // The version is immutable, and so are its trees.
    const codec = codecOf(table);
    let records: [string, Uint8Array][] = [];
    for (const [key, { value }] of tables?.get(table)?.entries() ?? []) {
      // `Transaction.put` stored the value in this table with this type.
      records.push([key, codec.encode(value as never)]);
      if (records.length < pageRecords) continue;
      yield { agentId, table, records };
      records = [];
    }
    if (records.length > 0) yield { agentId, table, records };
  }
}

/**
 * Returns the version of a scope after a restore, see `BackupTarget.restoreScope`.
 *
 * @param ownEpoch the epoch of the store
 * @throws ABORTED (SCOPE_CHANGED) when the head of `current` is not `replaced`
 */
async function restoredVersion(
  current: ScopeVersion,
  restored: RestoredScope,
  replaced: Head,
  pages: AsyncIterable<RecordPage>,
  ownEpoch: string,
): Promise<ScopeVersion> {
  const { seq, lastTimeMs, epoch = ownEpoch } = restored;
  requireHead(current.head, replaced);
  const tablesByAgent = new Map<string | undefined, Map<Table, Tree>>();
  let usage: Usage = noUsage;
  let bytesOfAll = 0;
  for await (const page of pages) {
    const table = tableOfPage(page);
    const tables = tablesByAgent.get(page.agentId) ?? new Map<Table, Tree>();
    const tree = tables.get(table) ?? createTree();
    tablesByAgent.set(page.agentId, tables.set(table, tree));
    for (const [key, payload] of page.records) {
      const value = codecOf(table).decode(Buffer.from(payload));
      tree.set(key, { value, bytes: payload.length });
      const bytes = recordBytes(table, key, payload.length);
      usage = changeUsage(usage, table === "memories" ? 1 : 0, bytes);
      bytesOfAll += storedBytes(key, payload.length);
    }
  }
  return {
    head: { epoch, seq },
    lastTimeMs: Math.max(lastTimeMs, current.lastTimeMs),
    tablesByAgent,
    usage,
    stored: new Map([["", bytesOfAll]]),
    // Pruning looks at the restored records once, and then knows.
    dueMs: 0,
    changes: [],
  };
}
