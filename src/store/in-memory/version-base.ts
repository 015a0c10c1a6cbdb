import type { ScanRange } from "../../core/ports/scan-range.js";
import type { Change, Head, Table, ValueOf } from "../../core/ports/store.js";
import type { Usage } from "../../core/ports/usage.js";
import { changeLogLength } from "../change-log.js";
import type { Base, RecordSlot, StoredRecord } from "../engine/base.js";
import { changeOf, type StagedWrites } from "../engine/group-state.js";
import { changeStoredBytes } from "../engine/stored-bytes.js";
import { recordBytes } from "../usage.js";
import {
  changesAfter,
  createTree,
  type ScopeVersion,
  type Tables,
  type Tree,
} from "./scope-version.js";

/** Number of records that a scan hands out at once. */
const pageRecords = 100;

/** A version of a scope as a base. The place of an owner is the owner's tables. */
export class VersionBase implements Base<Tables> {
  readonly head: Head;
  readonly usage: Usage;
  readonly lastTimeMs: number;

  constructor(private readonly version: ScopeVersion) {
    this.head = version.head;
    this.usage = version.usage;
    this.lastTimeMs = version.lastTimeMs;
  }

  placeOf(agentId: string | undefined): Tables | undefined {
    const tables = this.version.tablesByAgent.get(agentId);
    return tables ?? (agentId === undefined ? noTables : undefined);
  }

  newPlace(): Tables {
    return new Map();
  }

  slotOf<T extends Table>(place: Tables, table: T, key: string): RecordSlot<Tables, T> {
    return { place, table, key, keyBytes: Buffer.from(key) };
  }

  count(place: Tables, table: Table): number {
    return place.get(table)?.size ?? 0;
  }

  countAll(place: Tables): number {
    return [...place.values()].reduce((sum, { size }) => sum + size, 0);
  }

  bytes(place: Tables): number {
    let bytes = 0;
    for (const [table, tree] of place)
      for (const [key, record] of tree.entries()) bytes += recordBytes(table, key, record.bytes);
    return bytes;
  }

  async read<T extends Table>({
    place,
    table,
    key,
  }: RecordSlot<Tables, T>): Promise<ValueOf<T> | undefined> {
    // `Transaction.put` stored the value in this table with this type.
    return place.get(table)?.get(key)?.value as ValueOf<T> | undefined;
  }

  async *scan<T extends Table>(
    place: Tables,
    table: T,
    { after, reverse = false }: ScanRange,
  ): AsyncGenerator<readonly StoredRecord<T>[]> {
    const tree = place.get(table);
    if (tree === undefined) return;
    let page: StoredRecord<T>[] = [];
    for (const [key, { value }] of reverse
      ? tree.entriesReversed(after, undefined, true)
      : tree.entries(after)) {
      if (key === after) continue;
      page.push({ key, keyBytes: Buffer.from(key), open: () => value as ValueOf<T> });
      if (page.length < pageRecords) continue;
      yield page;
      page = [];
    }
    yield page;
  }

  async isFree(slot: RecordSlot<Tables>): Promise<boolean> {
    return this.payloadBytes(slot) === undefined;
  }

  isKnown(): boolean {
    return true;
  }

  payloadBytes({ place, table, key }: RecordSlot<Tables>): number | undefined {
    return place.get(table)?.get(key)?.bytes;
  }

  async learn(): Promise<void> {}

  async changes(afterSeq: number): Promise<readonly Change[] | undefined> {
    return changesAfter(this.version, afterSeq);
  }
}

/** Returns the version after the writes of a transaction; without writes, the same version. */
export function nextVersion(
  version: ScopeVersion,
  writes: StagedWrites<Tables> | undefined,
): ScopeVersion {
  if (writes === undefined) return version;
  const { epoch, seq } = version.head;
  const tablesByAgent = new Map<string | undefined, Tables>([
    ...version.tablesByAgent,
    ...writes.places,
  ]);
  /** The trees that this commit has cloned, and may therefore change. */
  const own = new Set<Tree>();
  for (const { slot, agentId, value, payload } of writes.records) {
    const tables = tablesByAgent.get(agentId) ?? noTables;
    const found = tables.get(slot.table);
    const tree = found !== undefined && own.has(found) ? found : (found?.clone() ?? createTree());
    if (tree !== found) tablesByAgent.set(agentId, new Map([...tables, [slot.table, tree]]));
    own.add(tree);
    if (payload === undefined) tree.delete(slot.key);
    else tree.set(slot.key, { value, bytes: payload.length });
  }
  const change = changeOf(new VersionBase(version), seq + 1, writes);
  return {
    head: { epoch, seq: seq + 1 },
    lastTimeMs: writes.lastTimeMs,
    tablesByAgent,
    usage: writes.bound.usage,
    stored: changeStoredBytes(version.stored, [[writes.account, writes.bound.growth]]),
    dueMs: Math.min(version.dueMs, writes.dueMs),
    changes: [...version.changes.slice(1 - changeLogLength), change],
  };
}

const noTables: Tables = new Map();
