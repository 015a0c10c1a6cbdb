import { errorOfItem } from "../memories/add-many.js";
import { mutateGrowing } from "../memories/namespace-growth.js";
import { invalidField, VademecumError } from "../model/errors.js";
import { type Instant, instantOfMillis, millisOfInstant } from "../model/instant.js";
import { type Namespace, type Scope, scopeHolding, userScope } from "../model/namespace.js";
import { skillText } from "../model/skill-text.js";
import { turnEntryLifetimeMs } from "../model/turn-entry.js";
import type { Call } from "../ports/call.js";
import type { Reader, Transaction } from "../ports/store.js";
import { changeProposals } from "../proposal-records/change-proposals.js";
import { mutateWithHead } from "../requests/mutate.js";
import { createPause } from "../requests/pause.js";
import { memoryCollection, skillCollection } from "../vectors/collection.js";
import { embedTexts, type TextVectors } from "../vectors/text-vectors.js";
import { storingEmbedder } from "../vectors/vectors.js";
import { writesAllowed } from "../vectors/write-gate.js";
import { type DataRecord, kindName } from "./export-record.js";
import { isSameRecord } from "./same-record.js";
import type { ImportOptions, TransferParts } from "./service.js";
import { readCounterpart } from "./stored-records.js";
import { hasPassed, isUsable, type WriteParts, writeRecord } from "./write-record.js";

/** What an import did with a record; the error of one that was refused. */
export type Outcome = "added" | "unchanged" | "replaced" | "skipped" | VademecumError;

/** Consecutive records of one namespace, user or run, which are stored in one transaction. */
export interface RecordGroup {
  readonly records: readonly DataRecord[];
  /** What became of the memory or block whose earlier versions the group begins with. */
  readonly parent: Outcome | undefined;
}

/** Ends the transaction of a dry run without writing anything. */
class DryRunEnd extends Error {}

/** Thrown when a record that was stored before the transaction is not stored in it. */
class GroupChanged extends Error {}

/** Stores a group of records. Returns the outcome of each. */
export async function importGroup(
  parts: TransferParts,
  group: RecordGroup,
  options: ImportOptions,
  call: Call,
): Promise<readonly Outcome[]> {
  for (let attempt = 1; ; attempt++) {
    call.throwIfEnded();
    try {
      return await importOnce(parts, group, options, call);
    } catch (error) {
      if (!(error instanceof GroupChanged) || attempt === attemptsMax) throw error;
    }
  }
}

/** Maximum number of attempts to store a group whose records change meanwhile. */
const attemptsMax = 20;

async function importOnce(
  parts: TransferParts,
  group: RecordGroup,
  options: ImportOptions,
  call: Call,
): Promise<readonly Outcome[]> {
  const [first] = group.records;
  if (first === undefined) return [];
  const target = targetOf(first);
  const toWrite = await recordsToWrite(parts, target, group);
  const counted = await countTokens(parts, toWrite);
  const { texts, embedded } = await textsToEmbed(parts, target, toWrite, call);
  return texts.use(async (vectors) => {
    const vectorsOf = (record: DataRecord): TextVectors => {
      const made = vectors[embedded.indexOf(record)];
      if (made !== undefined) return made;
      throw new GroupChanged();
    };
    const tokensOf = (text: string): number => {
      const tokens = counted.get(text);
      if (tokens !== undefined) return tokens;
      throw new GroupChanged();
    };
    if (!("kind" in target)) await writesAllowed(parts.gate, target, call);
    return commit(parts, group, target, { tokensOf, vectorsOf, options, call });
  });
}

/**
 * Returns the records that the store does not have with the same contents, and the earlier versions
 * of a memory or block that it does not have: replacing it removes them.
 */
async function recordsToWrite(
  { store }: TransferParts,
  target: Namespace | Scope,
  { records, parent }: RecordGroup,
): Promise<readonly DataRecord[]> {
  await using snapshot = await store.snapshot(scopeHolding(target));
  const toWrite: DataRecord[] = [];
  let isOwnerStored = parent === "unchanged";
  for (const record of records) {
    const isEarlier = record.kind === "memoryVersion" || record.kind === "blockVersion";
    const isKept = await isStored(snapshot, record);
    if (!isKept || (isEarlier && !isOwnerStored)) toWrite.push(record);
    if (!isEarlier) isOwnerStored = isKept;
  }
  return toWrite;
}

/** Returns the owner of a record's tables. */
export function targetOf(record: DataRecord): Namespace | Scope {
  if ("namespace" in record) return record.namespace;
  return record.kind === "key" ? { kind: "run", runId: record.runId } : userScope(record.userId);
}

async function isStored(reader: Reader, record: DataRecord): Promise<boolean> {
  const found = await readCounterpart(reader, record);
  return found !== undefined && isSameRecord(found, record);
}

/** Returns the texts whose tokens a record counts. */
function countedTexts(record: DataRecord): readonly string[] {
  switch (record.kind) {
    case "memory":
    case "memoryVersion":
      return [record.version.memory.content];
    case "block":
    case "blockVersion":
      return [record.version.body];
    case "proposal":
      return record.approvedMemory === undefined ? [] : [record.approvedMemory.memory.content];
    case "skill":
    case "key":
    case "turnEntry":
      return [];
  }
}

async function countTokens(
  { tokens }: TransferParts,
  records: readonly DataRecord[],
): Promise<ReadonlyMap<string, number>> {
  const counted = new Map<string, number>();
  for (const text of records.flatMap(countedTexts))
    if (!counted.has(text)) counted.set(text, await tokens.countInTurns(text));
  return counted;
}

/** Returns the records that need a vector of the server, with their texts. */
async function textsToEmbed(
  { store, embedders }: TransferParts,
  target: Namespace | Scope,
  records: readonly DataRecord[],
  call: Call,
) {
  const embedded: DataRecord[] = [];
  const texts: string[] = [];
  let expected = embedders.configured;
  await using snapshot = await store.snapshot(scopeHolding(target));
  for (const record of records) {
    if (record.kind !== "memory" && record.kind !== "skill") continue;
    const { profileKey } = record.kind === "skill" ? skillCollection : memoryCollection;
    const profile = await snapshot.get("profiles", record.namespace, profileKey);
    if (record.vector !== undefined && isUsable(record.vector, profile, embedders)) continue;
    embedded.push(record);
    texts.push("skill" in record ? skillText(record.skill) : record.version.memory.content);
    expected = storingEmbedder(profile, embedders);
  }
  return { embedded, texts: embedTexts(texts, texts.length === 0 ? undefined : expected, call) };
}

interface CommitParts extends Pick<WriteParts, "tokensOf" | "vectorsOf"> {
  readonly options: ImportOptions;
  readonly call: Call;
}

/** Writes the group in one transaction. */
async function commit(
  parts: TransferParts,
  group: RecordGroup,
  target: Namespace | Scope,
  { options, call, ...made }: CommitParts,
): Promise<readonly Outcome[]> {
  let outcomes: readonly Outcome[] = [];
  const mutation = { rpc: "Import", input: {}, allowance: call.allowance };
  const transact = (changed: Set<string>): Promise<unknown> => {
    const written = {
      ...{ embedders: parts.embedders, ...made },
      onProposal: (id: string) => changed.add(id),
    };
    const write = async (tx: Transaction, nowMs: number): Promise<null> => {
      outcomes = await importAll(tx, group, options, instantOfMillis(nowMs), (record) =>
        writeRecord(tx, record, written),
      );
      if (options.dryRun) throw new DryRunEnd();
      return null;
    };
    return "kind" in target
      ? mutateWithHead<null>(parts, { ...mutation, target }, write)
      : mutateGrowing<null>(parts, { ...mutation, target }, write);
  };
  const scope = scopeHolding(target);
  try {
    if (scope.kind === "user") await changeProposals(parts, scope.userId, transact);
    else await transact(new Set());
  } catch (error) {
    if (!(error instanceof DryRunEnd)) throw error;
  }
  return outcomes;
}

async function importAll(
  tx: Transaction,
  { records, parent }: RecordGroup,
  options: ImportOptions,
  now: Instant,
  write: (record: DataRecord) => Promise<void>,
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  const pause = createPause();
  let owner = parent;
  for (const record of records) {
    await pause();
    const isEarlier = record.kind === "memoryVersion" || record.kind === "blockVersion";
    const outcome = await (isEarlier
      ? importEarlier(tx, record, options, owner, write)
      : importOne(tx, record, options, now, write)
    ).catch((error: unknown) => {
      if (isConflict(error)) throw error;
      return errorOfItem(error);
    });
    if (!isEarlier) owner = outcome;
    outcomes.push(outcome);
  }
  return outcomes;
}

async function importOne(
  tx: Transaction,
  record: DataRecord,
  { mode }: ImportOptions,
  now: Instant,
  write: (record: DataRecord) => Promise<void>,
): Promise<Outcome> {
  if (hasExpired(record, now)) return "skipped";
  requirePast(record, now);
  const found = await readCounterpart(tx, record);
  if (found !== undefined && isSameRecord(found, record)) return "unchanged";
  if (found !== undefined && mode === "SKIP") return "skipped";
  if (found !== undefined && mode === "FAIL") throw conflict(record);
  await write(record);
  return found === undefined ? "added" : "replaced";
}

/** Imports an earlier version, which shares the fate of its memory or block. */
async function importEarlier(
  tx: Transaction,
  record: DataRecord,
  options: ImportOptions,
  owner: Outcome | undefined,
  write: (record: DataRecord) => Promise<void>,
): Promise<Outcome> {
  if (owner === undefined || owner === "skipped" || owner instanceof VademecumError)
    return "skipped";
  if (options.dryRun && owner !== "unchanged") return "added";
  const found = await readCounterpart(tx, record);
  if (found !== undefined && isSameRecord(found, record)) return "unchanged";
  if (found !== undefined && options.mode === "SKIP") return "skipped";
  if (found !== undefined && options.mode === "FAIL") throw conflict(record);
  await write(record);
  return found === undefined ? "added" : "replaced";
}

function hasExpired(record: DataRecord, now: Instant): boolean {
  if (record.kind === "memory") {
    const { expireTime } = record.version.memory;
    return expireTime !== undefined && hasPassed(expireTime, now);
  }
  if (record.kind !== "turnEntry") return false;
  return hasPassed(instantOfMillis(millisOfInstant(record.entry.time) + turnEntryLifetimeMs), now);
}

/** Time by which an instant that a server has set may be ahead of the clock, in seconds. */
const aheadMaxSeconds = 60 * 60;

/**
 * Checks the times that a server has set.
 *
 * @throws INVALID_ARGUMENT (INVALID_FIELD) when one is more than an hour ahead of the clock
 */
function requirePast(record: DataRecord, now: Instant): void {
  for (const [field, time] of Object.entries(timesOf(record)))
    if (time.seconds > now.seconds + aheadMaxSeconds)
      throw invalidField(field, "must not be more than an hour ahead of the server's clock");
}

function timesOf(record: DataRecord): Readonly<Record<string, Instant>> {
  switch (record.kind) {
    case "memory":
    case "memoryVersion": {
      const { createTime, updateTime } = record.version.memory;
      return { create_time: createTime, update_time: updateTime };
    }
    case "block":
    case "blockVersion":
      return { write_time: record.version.writeTime };
    case "proposal":
      return { create_time: record.proposal.createTime };
    case "skill": {
      const { skill, use } = record;
      return { create_time: skill.createTime, last_used_time: use.lastUsedTime };
    }
    case "key":
      return {};
    case "turnEntry":
      return { time: record.entry.time };
  }
}

function isConflict(error: unknown): boolean {
  return error instanceof VademecumError && error.reason === "IMPORT_CONFLICT";
}

function conflict(record: DataRecord): VademecumError {
  return new VademecumError(
    "ALREADY_EXISTS",
    "IMPORT_CONFLICT",
    `the server has another ${kindName(record.kind)} in the place of ${nameOf(record)}; import ` +
      "with another mode, skip or replace",
  );
}

/** Names a record in an error. */
function nameOf(record: DataRecord): string {
  switch (record.kind) {
    case "memory":
    case "memoryVersion":
      return `'${record.version.memory.id}'`;
    case "block":
    case "blockVersion":
      return `'${record.label}'`;
    case "proposal":
      return `'${record.proposal.id}'`;
    case "skill":
      return `'${record.skill.id}'`;
    case "key":
      return `'${record.entry.key}'`;
    case "turnEntry":
      return `'${record.id}'`;
  }
}
