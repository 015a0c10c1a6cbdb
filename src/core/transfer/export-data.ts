import { VademecumError } from "../model/errors.js";
import { instantOfMillis } from "../model/instant.js";
import { type Namespace, type Scope, userScope } from "../model/namespace.js";
import { allowsId } from "../model/principal.js";
import { idOfTimelineKey, memoryVersionKey } from "../model/record-keys.js";
import { isExpired } from "../model/visibility.js";
import type { Call } from "../ports/call.js";
import type { Snapshot } from "../ports/store.js";
import { allowedIds } from "../requests/allowed-ids.js";
import { createPause } from "../requests/pause.js";
import { skillCollection } from "../vectors/collection.js";
import {
  type DataKind,
  type DataRecord,
  type ExportKind,
  type ExportRecord,
  exportFormat,
} from "./export-record.js";
import type { ExportQuery, TransferParts } from "./service.js";
import { memoryRecordOf, proposalRecordOf, readBlockRecord, readVector } from "./stored-records.js";

/** The dependencies of an export. */
type ExportParts = Pick<TransferParts, "store" | "clock" | "productVersion">;

/** Yields the records of an export. */
export async function* exportData(
  parts: ExportParts,
  query: ExportQuery,
  call: Call,
): AsyncGenerator<ExportRecord> {
  const { kinds, vectors } = query;
  const createTimeMs = parts.clock.nowMs();
  const { productVersion } = parts;
  const header = { format: exportFormat, productVersion, createTimeMs, kinds, vectors };
  yield { kind: "header", header };
  const counts = new Map<DataKind, number>();
  const pause = createPause();
  for await (const record of dataRecords(parts, query, call)) {
    call.throwIfEnded();
    await pause();
    counts.set(record.kind, (counts.get(record.kind) ?? 0) + 1);
    yield record;
  }
  yield { kind: "trailer", counts };
}

async function* dataRecords(
  parts: ExportParts,
  query: ExportQuery,
  call: Call,
): AsyncGenerator<DataRecord> {
  for await (const userId of usersOf(parts, query)) {
    call.throwIfEnded();
    try {
      yield* userRecords(parts, userId, query);
    } catch (error) {
      // The user has moved to another server since the users were listed.
      const isLeftOut = query.users === undefined && error instanceof VademecumError;
      if (!isLeftOut || error.reason !== "MOVED") throw error;
    }
  }
  for await (const runId of runsOf(parts, query)) {
    call.throwIfEnded();
    yield* runRecords(parts, runId);
  }
}

/** Returns the users to export, in order. */
function usersOf(
  { store }: ExportParts,
  { users, runs, kinds, allowed }: ExportQuery,
): AsyncIterable<string> | readonly string[] {
  if (kinds.every((kind) => kind === "KEYS")) return [];
  if (users !== undefined || runs !== undefined) return [...new Set(users)].sort();
  return allowedIds(store, { of: "users" }, allowed.users);
}

/** Returns the runs to export, in order. */
function runsOf(
  { store }: ExportParts,
  { users, runs, kinds, allowed }: ExportQuery,
): AsyncIterable<string> | readonly string[] {
  if (!kinds.includes("KEYS")) return [];
  if (users !== undefined || runs !== undefined) return [...new Set(runs)].sort();
  return allowedIds(store, { of: "runs" }, allowed.runs);
}

async function* userRecords(
  { store, clock }: ExportParts,
  userId: string,
  query: ExportQuery,
): AsyncGenerator<DataRecord> {
  const { agents, allowed, kinds, vectors } = query;
  const isWanted = (agentId: string): boolean =>
    (agents === undefined || agents.includes(agentId)) && allowsId(allowed.agents, agentId);
  const found: string[] = [];
  for await (const agentId of allowedIds(store, { of: "agents", userId }, allowed.agents))
    if (isWanted(agentId)) found.push(agentId);
  await using snapshot = await store.snapshot(userScope(userId));
  if (kinds.includes("BLOCKS")) yield* blockRecords(snapshot, userId);
  if (kinds.includes("PROPOSALS")) yield* proposalRecords(snapshot, userId, isWanted);
  for (const agentId of found) {
    const namespace = { userId, agentId };
    const readers: Readonly<Partial<Record<ExportKind, () => AsyncIterable<DataRecord>>>> = {
      MEMORIES: () => memoryRecords(snapshot, namespace, vectors, clock.nowMs()),
      SKILLS: () => skillRecords(snapshot, namespace, vectors),
      TURN_ENTRIES: () => turnEntryRecords(snapshot, namespace),
    };
    for (const kind of kinds) yield* readers[kind]?.() ?? [];
  }
}

async function* blockRecords(snapshot: Snapshot, userId: string): AsyncGenerator<DataRecord> {
  for await (const [label, block] of snapshot.scan("blocks", userScope(userId))) {
    const names = { userId, label };
    const newest = await readBlockRecord(snapshot, "block", names, block.version);
    // A backup of damaged data may lack a version.
    if (newest === undefined) continue;
    yield newest;
    for (let number = 1; number < block.version; number++) {
      const version = await readBlockRecord(snapshot, "blockVersion", names, number);
      if (version !== undefined) yield version;
    }
  }
}

async function* proposalRecords(
  snapshot: Snapshot,
  userId: string,
  isWanted: (agentId: string) => boolean,
): AsyncGenerator<DataRecord> {
  for await (const [, proposal] of snapshot.scan("proposals", userScope(userId)))
    if (isWanted(proposal.agentId)) yield proposalRecordOf(userId, proposal);
}

async function* memoryRecords(
  snapshot: Snapshot,
  namespace: Namespace,
  withVectors: boolean,
  nowMs: number,
): AsyncGenerator<DataRecord> {
  const now = instantOfMillis(nowMs);
  for await (const [key] of snapshot.scan("timeline", namespace)) {
    const id = idOfTimelineKey(key);
    const memory = await snapshot.get("memories", namespace, id);
    if (memory === undefined || isExpired(memory, now)) continue;
    const vector = withVectors ? await readVector(snapshot, namespace, id) : undefined;
    const use = await snapshot.get("memoryUses", namespace, id);
    yield { ...memoryRecordOf(namespace, memory), ...use, ...(vector && { vector }) };
    for (const number of memory.history?.kept ?? []) {
      const versionKey = memoryVersionKey(id, number);
      const version = await snapshot.get("memoryVersions", namespace, versionKey);
      if (version !== undefined) yield { kind: "memoryVersion", namespace, version };
    }
  }
}

async function* skillRecords(
  snapshot: Snapshot,
  namespace: Namespace,
  withVectors: boolean,
): AsyncGenerator<DataRecord> {
  for await (const [key] of snapshot.scan("skillTimeline", namespace)) {
    const id = idOfTimelineKey(key);
    const skill = await snapshot.get("skills", namespace, id);
    const use = await snapshot.get("skillUses", namespace, id);
    if (skill === undefined || use === undefined) continue;
    const vector = withVectors
      ? await readVector(snapshot, namespace, id, skillCollection)
      : undefined;
    yield { kind: "skill", namespace, skill, use, ...(vector && { vector }) };
  }
}

async function* turnEntryRecords(
  snapshot: Snapshot,
  namespace: Namespace,
): AsyncGenerator<DataRecord> {
  for await (const [id, entry] of snapshot.scan("turnEntries", namespace))
    yield { kind: "turnEntry", namespace, id, entry };
}

async function* runRecords({ store }: ExportParts, runId: string): AsyncGenerator<DataRecord> {
  const scope: Scope = { kind: "run", runId };
  await using snapshot = await store.snapshot(scope);
  for await (const [, key] of snapshot.scan("keyPositions", scope)) {
    const found = await snapshot.get("keyValues", scope, key);
    if (found === undefined) continue;
    yield { kind: "key", runId, entry: { key, value: found.value, version: found.version } };
  }
}
