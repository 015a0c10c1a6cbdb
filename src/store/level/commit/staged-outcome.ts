import type { Scope } from "../../../core/model/namespace.js";
import type { Removal } from "../../../core/ports/removal.js";
import type { Change, Table } from "../../../core/ports/store.js";
import { changeLogLength } from "../../change-log.js";
import { encodeChange } from "../../codec/change-records.js";
import { checksumOf, seal } from "../../codec/envelope.js";
import { changeOf, type StagedWrites } from "../../engine/group-state.js";
import { committedRecord, type PendingRecord } from "../../engine/pending-records.js";
import { growthOfTotals } from "../../engine/storage-totals.js";
import { changeStoredBytes } from "../../engine/stored-bytes.js";
import { type CommittedRecord, isIndexed } from "../../recent-commits.js";
import type { Operation } from "../folder/database.js";
import { holdsSomething, noTotals, replaceInTotals, type Totals } from "../format/heads.js";
import { changeKey, type KeyRange, sweepKey } from "../format/keys.js";
import type { LevelBase } from "./level-base.js";
import {
  changeNamespaceState,
  changeScopeState,
  type NamespaceState,
  type OwnerState,
} from "./owner-state.js";
import type { PendingScope } from "./pending-scope.js";
import type { TransactionOutcome } from "./transaction-outcome.js";

/** The tables and bytes of an owner after a transaction. */
interface WrittenOwner {
  readonly before: OwnerState;
  readonly tables: Map<Table, Totals>;
  bytes: number;
}

/** Returns the outcome of a transaction: its batch, and the states and records that it leaves. */
export function outcomeOf(
  current: PendingScope,
  base: LevelBase,
  writes: StagedWrites<OwnerState>,
): TransactionOutcome {
  const { scopePart, state } = current;
  const operations: Operation[] = [];
  const records: PendingRecord<KeyRange>[] = [];
  const owners = new Map<string | undefined, WrittenOwner>();
  for (const [agentId, place] of writes.places) owners.set(agentId, writtenOwner(base, place));
  const indexed: CommittedRecord[] = [];
  const removing = new Set(writes.places.keys());
  let growthBytes = 0;
  writes.records.forEach((record) => {
    const { slot, agentId, value, payload, growth, account } = record;
    const { place, table, key, keyBytes } = slot;
    if (isIndexed(table)) indexed.push(committedRecord(record));
    const before = base.found(slot);
    const sealed = payload && seal(keyBytes, payload);
    if (sealed === undefined ? before === undefined : base.holds(slot, sealed)) return;
    if (before !== undefined && agentId !== undefined && isSearched(table)) removing.add(agentId);
    if (!deletionTables.has(table))
      growthBytes += (sealed?.length ?? 0) - (before?.sealedBytes ?? 0);
    const owner = owners.get(agentId) ?? writtenOwner(base, place);
    owners.set(agentId, owner);
    const totals = owner.tables.get(table) ?? noTotals;
    owner.tables.set(table, replaceInTotals(totals, before?.checksum, checksumIn(sealed)));
    owner.bytes = Math.max(0, owner.bytes + growth.bytes);
    const stored = { place: place.range(table), table, key, keyBytes };
    records.push({ slot: stored, agentId, value, payload: sealed, growth, account });
    operations.push(
      sealed === undefined
        ? { type: "del", key: keyBytes }
        : { type: "put", key: keyBytes, value: sealed },
    );
  });
  const seq = state.seq + 1;
  const change = changeOf(base, seq, writes);
  operations.push(...logOperations(scopePart, change));
  for (const agentId of writes.places.keys()) {
    const { place } = current.namespace(agentId);
    operations.push(putOperation(sweepKey(scopePart, agentId, place), noPayload));
  }
  const scopeState = changeScopeState(state, {
    seq,
    lastTimeMs: writes.lastTimeMs,
    tables: owners.get(undefined)?.tables ?? state.tables,
    usage: writes.bound.usage,
    stored: changeStoredBytes(state.stored, [[writes.account, writes.bound.growth]]),
    dueMs: Math.min(state.dueMs, writes.dueMs),
  });
  const namespaces = writtenNamespaces(owners, removing, seq);
  const clears = writes.places.size > 0;
  return {
    request: {
      operations,
      bytes: bytesOf(operations),
      states: [scopeState, ...namespaces.values()],
      removals: removalsOf(current.scope, removing, seq),
    },
    grows: growthBytes > 0 && !clears,
    clears,
    scopeState,
    totals: growthOfTotals(current.scope, state, scopeState, moreNamespaces(current, namespaces)),
    namespaces,
    records,
    commit: { change, records: indexed },
  };
}

/** Adds a commit to the change log, and removes the entry that is then too old. */
function logOperations(scopePart: Buffer, change: Change): readonly Operation[] {
  const { seq } = change;
  const added = putOperation(changeKey(scopePart, seq), encodeChange(change));
  if (seq <= changeLogLength) return [added];
  return [added, { type: "del", key: changeKey(scopePart, seq - changeLogLength) }];
}

/** @param removing The agents of the namespaces of which the commit removes records. */
function writtenNamespaces(
  owners: ReadonlyMap<string | undefined, WrittenOwner>,
  removing: ReadonlySet<string>,
  seq: number,
): ReadonlyMap<string, NamespaceState> {
  const namespaces = new Map<string, NamespaceState>();
  for (const [agentId, { before, tables, bytes }] of owners) {
    if (agentId === undefined) continue;
    const owner = before as NamespaceState;
    const removalSeq = removing.has(agentId) ? seq : owner.removalSeq;
    namespaces.set(agentId, changeNamespaceState(owner, { tables, bytes, removalSeq }));
  }
  return namespaces;
}

/**
 * Returns by how many a scope has more namespaces that hold a record once some of its namespaces
 * have these states.
 */
export function moreNamespaces(
  current: PendingScope,
  after: ReadonlyMap<string, NamespaceState>,
): number {
  let more = 0;
  for (const [agentId, { tables }] of after)
    more +=
      Number(holdsSomething(tables)) - Number(holdsSomething(current.namespace(agentId).tables));
  return more;
}

/** Whether an index is made from the texts of a table. */
function isSearched(table: Table): boolean {
  return table === "memories" || table === "skills";
}

/** Returns the removals of a commit in the namespaces of these agents. */
export function removalsOf(
  scope: Scope,
  agents: ReadonlySet<string>,
  seq: number,
): readonly Removal[] {
  if (scope.kind !== "user") return [];
  const { userId, tenant } = scope;
  return Array.from(agents, (agentId) => ({
    namespace: tenant === undefined ? { userId, agentId } : { userId, agentId, tenant },
    seq,
  }));
}

/**
 * Tables that deletions write to. A transaction that writes only to these tables passes while the
 * disk is full.
 */
const deletionTables: ReadonlySet<Table> = new Set<Table>([
  "replies",
  "replyExpiries",
  "proposalsByTarget",
]);

const noPayload = new Uint8Array(0);

function writtenOwner(base: LevelBase, before: OwnerState): WrittenOwner {
  return { before, tables: new Map(before.tables), bytes: base.bytes(before) };
}

function putOperation(key: Buffer, payload: Uint8Array): Operation {
  return { type: "put", key, value: seal(key, payload) };
}

/** Returns the bytes of the keys and values of a batch. */
export function bytesOf(operations: readonly Operation[]): number {
  return operations.reduce(
    (sum, operation) =>
      sum + operation.key.length + (operation.type === "put" ? operation.value.length : 0),
    0,
  );
}

function checksumIn(sealed: Buffer | undefined): number | undefined {
  return sealed === undefined ? undefined : checksumOf(sealed);
}
