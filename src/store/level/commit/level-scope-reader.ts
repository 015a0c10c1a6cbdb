import type { Scope } from "../../../core/model/namespace.js";
import type { RawRecord, RecordPage, ScopeReader, ScopeState } from "../../../core/ports/backup.js";
import type { Table } from "../../../core/ports/store.js";
import { checksumOf } from "../../codec/envelope.js";
import { namespaceTables, scopeTables } from "../../codec/owned-tables.js";
import {
  type Database,
  type DatabaseSnapshot,
  requirePayload,
  scanChunks,
  takeSnapshot,
} from "../folder/database.js";
import { epochOf, noTotals, replaceInTotals } from "../format/heads.js";
import { namespaceHeadRange, scopePart, textOfRecordKey } from "../format/keys.js";
import { parseKey } from "../format/parse-key.js";
import type { SnapshotParts } from "./level-snapshot.js";
import { loadNamespaceState, loadScopeState, type OwnerState } from "./owner-state.js";

/**
 * Opens a scope to read all of its records.
 *
 * @throws DATA_LOSS (DAMAGED_RECORD) when the head of the scope is damaged
 * @throws UNAVAILABLE (STORE_UNAVAILABLE) when the LevelDB is closed
 */
export async function openLevelScope(scope: Scope, parts: SnapshotParts): Promise<ScopeReader> {
  const snapshot = takeSnapshot(parts.database);
  try {
    return new LevelScopeReader(scope, parts, snapshot);
  } catch (error) {
    await snapshot.close();
    throw error;
  }
}

class LevelScopeReader implements ScopeReader {
  readonly state: ScopeState;
  readonly #scopePart: Buffer;
  readonly #owner: OwnerState;

  constructor(
    scope: Scope,
    private readonly parts: SnapshotParts,
    private readonly snapshot: DatabaseSnapshot,
  ) {
    this.#scopePart = scopePart(scope);
    const state = loadScopeState(parts.database, this.#scopePart, snapshot);
    this.#owner = state;
    const { seq, lastTimeMs } = state;
    this.state = { scope, head: { epoch: epochOf(state, parts.epoch), seq }, lastTimeMs };
  }

  async *pages(): AsyncIterable<RecordPage> {
    const { database } = this.parts;
    for (const table of scopeTables) yield* this.#pagesOf(this.#owner, undefined, table);
    for (const agentId of await this.#agents()) {
      const state = loadNamespaceState(database, this.#scopePart, agentId, this.snapshot);
      for (const table of namespaceTables) yield* this.#pagesOf(state, agentId, table);
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.snapshot.close();
  }

  async *#pagesOf(
    state: OwnerState,
    agentId: string | undefined,
    table: Table,
  ): AsyncGenerator<RecordPage> {
    if (!state.tables.has(table)) return;
    const { database, verification } = this.parts;
    const range = state.range(table);
    let found = noTotals;
    for await (const entries of scanChunks(database, { ...range, snapshot: this.snapshot })) {
      const records: RawRecord[] = [];
      for (const [key, value] of entries) {
        const payload = requirePayload(key, value, `a record of ${table}`);
        records.push([textOfRecordKey(range, key), payload]);
        found = replaceInTotals(found, undefined, checksumOf(value));
      }
      yield { agentId, table, records };
    }
    verification.conclude(state, table, found);
  }

  async #agents(): Promise<readonly string[]> {
    const agents = await agentsOf(this.parts.database, this.#scopePart, this.snapshot);
    return agents.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  }
}

/** Returns the agents of all namespaces that ever had a record. */
export async function agentsOf(
  database: Database,
  scope: Buffer,
  snapshot?: DatabaseSnapshot,
): Promise<readonly string[]> {
  const agents: string[] = [];
  const range = { ...namespaceHeadRange(scope), ...(snapshot === undefined ? {} : { snapshot }) };
  for await (const heads of scanChunks(database, range)) {
    for (const [key] of heads) {
      const parsed = parseKey(key);
      if (parsed?.kind === "namespaceHead") agents.push(parsed.namespace.agentId);
    }
  }
  return agents;
}
