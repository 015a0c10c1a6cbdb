import { invalidField, VademecumError } from "../model/errors.js";
import { instantOfMillis } from "../model/instant.js";
import { defaultImportance, type Memory, type MemoryFields } from "../model/memory.js";
import type { Namespace } from "../model/namespace.js";
import type { Principal } from "../model/principal.js";
import { isExpired } from "../model/visibility.js";
import { requireWriter, writerOf } from "../model/writer.js";
import type { Call } from "../ports/call.js";
import type { Transaction } from "../ports/store.js";
import { type GivenOrMade, profileKey, storedVectorFor } from "../vectors/vectors.js";
import { changeMemory, type MemoryChange } from "./change.js";
import { externalIdInUse, readIfUsed } from "./external-id.js";
import { changedMemory, insertMemory, requireFuture, storedSuccessor } from "./records.js";
import type { AddInput, AddParts, AddResult, NewMemory } from "./service.js";

/** A memory with everything that its transaction needs. */
export interface Draft {
  readonly memory: NewMemory;
  readonly tokenCount: number;
  readonly vectors: GivenOrMade;
}

/** `nowMs` is the clock's time. `timeMs` is the time to write into records (see `commitTimeMs`). */
export interface Times {
  readonly nowMs: number;
  readonly timeMs: number;
}

/** A memory that a transaction has written. */
export type WrittenMemory = Pick<AddResult, "id" | "outcome">;

/**
 * Writes a new memory, and marks the memory that it supersedes. If another memory has its external
 * id, does what `NewMemory.onConflict` says. The id of a new memory has the time of the commit, so
 * ids are in the order of the commits. Writes nothing if it throws.
 *
 * @throws ALREADY_EXISTS (EXTERNAL_ID_IN_USE) when another memory has the external id
 * @throws PERMISSION_DENIED (ROLE_REQUIRED) when the caller may not supersede or replace a memory
 */
export async function writeDraft(
  tx: Transaction,
  namespace: Namespace,
  parts: Pick<AddParts, "embedders" | "ids" | "versionsMax">,
  draft: Draft,
  times: Times,
  { principal }: Pick<Call, "principal">,
): Promise<WrittenMemory> {
  const { externalId, onConflict = "FAIL" } = draft.memory;
  const known = externalId === undefined ? undefined : await readIfUsed(tx, namespace, externalId);
  if (known === undefined || isExpired(known, instantOfMillis(times.nowMs))) {
    const id = await insertDraft(tx, namespace, parts, draft, times, principal);
    if (known !== undefined) {
      // The entry in `externalIds` now names the new memory.
      const { externalId: _, ...rest } = known;
      tx.put("memories", namespace, known.id, changedMemory(rest, {}, times.timeMs));
    }
    return { id, outcome: "ADDED" };
  }
  if (onConflict === "FAIL") throw externalIdInUse(known);
  if (onConflict === "KEEP") return { id: known.id, outcome: "KEPT" };
  requireWriter(principal, known, "external_id");
  requireFuture(draft.memory.expireTime, times.nowMs);
  requireSameLink(draft.memory, known);
  await changeMemory(tx, parts, namespace, known, replacementOf(draft, principal), times.timeMs);
  return { id: known.id, outcome: "REPLACED" };
}

/** A replacement keeps its place in the chain of supersession. */
function requireSameLink({ supersedes }: NewMemory, known: Memory): void {
  if (supersedes === undefined || supersedes === known.supersedes) return;
  const now = known.supersedes === undefined ? "none" : `'${known.supersedes}'`;
  throw invalidField(
    "supersedes",
    `cannot change when on_conflict replaces memory '${known.id}', which supersedes ${now}; ` +
      "leave it out, or add a memory of its own",
  );
}

/** Every field that an update can change, except the vector. */
type AllChanges = {
  readonly [F in keyof Required<MemoryFields>]: MemoryFields[F] | undefined;
};

/** Returns the change that gives a memory the fields of a draft, and clears all others. */
function replacementOf({ memory, tokenCount, vectors }: Draft, { name }: Principal): MemoryChange {
  const { content, kind, source, author, threadId, metadata, eventTime, expireTime } = memory;
  const optional = { kind, source, author, threadId, metadata, eventTime, expireTime };
  const changes: AllChanges = { content, ...defaultedFields(memory), ...optional };
  return { changes, tokenCount, vectors, writer: name };
}

/** Writes a new memory. Requires: no other memory has its external id. Returns its id. */
async function insertDraft(
  tx: Transaction,
  namespace: Namespace,
  { embedders, ids }: Pick<AddParts, "embedders" | "ids">,
  { memory, tokenCount, vectors }: Draft,
  times: Times,
  principal: Principal,
): Promise<string> {
  const id = ids.next(times.timeMs);
  // Read for every draft: the first vector of a namespace sets the profile for the later drafts.
  const profile = await tx.get("profiles", namespace, profileKey);
  requireFuture(memory.expireTime, times.nowMs);
  const stored = storedVectorFor(namespace, profile, embedders, vectors);
  await requireUnused(tx, namespace, id);
  if (memory.supersedes !== undefined)
    await markSuperseded(tx, namespace, memory.supersedes, id, times, principal);
  const made = memoryOf(memory, id, times.timeMs, tokenCount, writerOf(principal.name).writtenBy);
  await insertMemory(tx, namespace, made, stored, profile);
  return id;
}

/**
 * The fields of a new memory that `memoryOf` copies, those about writing it, and the vector, which
 * has its own record.
 */
type CopiedField =
  | ("content" | "memoryType" | "tags" | "importance" | "status" | "restricted")
  | ("kind" | "source" | "author" | "threadId" | "metadata" | "eventTime" | "expireTime")
  | ("supersedes" | "externalId" | "onConflict" | "embedding");

/**
 * The fields of a new memory that `memoryOf` does not copy: none. If the compiler reports a field
 * here, add it to `memoryOf` and to `CopiedField`.
 */
type UncopiedFields = { readonly [F in Exclude<keyof NewMemory, CopiedField>]?: never };

/** The fields of a memory that have defaults. */
type DefaultedFields = Pick<Memory, "memoryType" | "tags" | "importance" | "status" | "restricted">;

/** Returns the fields that have defaults, with the defaults of absent fields. */
export function defaultedFields(given: NewMemory): DefaultedFields {
  const { memoryType, tags, importance, status, restricted } = given;
  return {
    memoryType: memoryType ?? "EPISODIC",
    tags: tags === undefined || tags.length === 0 ? noTags : [...new Set(tags)],
    importance: importance ?? defaultImportance,
    status: status ?? "ACTIVE",
    restricted: restricted ?? false,
  };
}

/**
 * Returns the input as a repetition must have it: an explicit default is the same as none. Only a
 * call with an idempotency key is compared.
 */
export function withDefaults(input: AddInput): AddInput {
  return input.idempotencyKey === undefined ? input : { ...input, ...defaultedFields(input) };
}

function memoryOf(
  given: NewMemory,
  id: string,
  timeMs: number,
  tokenCount: number,
  writtenBy: string | undefined,
): Memory {
  const { memoryType, tags, importance, status, restricted } = defaultedFields(given);
  const createTime = instantOfMillis(timeMs);
  const memory: { -readonly [F in keyof Memory]: Memory[F] } = {
    id,
    content: given.content,
    memoryType,
    tags,
    importance,
    status,
    restricted,
    createTime,
    updateTime: createTime,
    version: 1,
    tokenCount,
  };
  // A spread of all fields would cost more than the rest of this function.
  const {
    kind,
    source,
    author,
    threadId,
    metadata,
    eventTime,
    expireTime,
    supersedes,
    externalId,
  } = given satisfies UncopiedFields;
  if (kind !== undefined) memory.kind = kind;
  if (source !== undefined) memory.source = source;
  if (author !== undefined) memory.author = author;
  if (threadId !== undefined) memory.threadId = threadId;
  if (metadata !== undefined) memory.metadata = metadata;
  if (eventTime !== undefined) memory.eventTime = eventTime;
  if (expireTime !== undefined) memory.expireTime = expireTime;
  if (supersedes !== undefined) memory.supersedes = supersedes;
  if (externalId !== undefined) memory.externalId = externalId;
  if (writtenBy !== undefined) memory.writtenBy = writtenBy;
  return memory;
}

const noTags: readonly string[] = [];

/**
 * Checks that no memory has a new id.
 *
 * @throws ABORTED (ID_COLLISION) when a memory has it
 */
export async function requireUnused(
  tx: Transaction,
  namespace: Namespace,
  id: string,
): Promise<void> {
  if (await tx.isUnused("memories", namespace, id)) return;
  throw new VademecumError(
    "ABORTED",
    "ID_COLLISION",
    "the id made for this memory is in use; repeat the call",
  );
}

async function markSuperseded(
  tx: Transaction,
  namespace: Namespace,
  supersedes: string,
  id: string,
  times: Times,
  principal: Principal,
): Promise<void> {
  const field = "supersedes";
  const old = await tx.get("memories", namespace, supersedes);
  const now = instantOfMillis(times.nowMs);
  if (old === undefined || isExpired(old, now)) {
    const description = `memory '${supersedes}' not found`;
    throw new VademecumError("NOT_FOUND", "MEMORY_NOT_FOUND", description, {
      fields: [{ field, description }],
    });
  }
  requireWriter(principal, old, field);
  const successor = await storedSuccessor(tx, namespace, old, now);
  if (successor !== undefined) {
    const description =
      `memory '${supersedes}' is superseded by '${successor.id}' already; ` +
      `supersede '${successor.id}' instead`;
    throw new VademecumError("FAILED_PRECONDITION", "ALREADY_SUPERSEDED", description, {
      fields: [{ field, description }],
    });
  }
  tx.put("memories", namespace, supersedes, changedMemory(old, { supersededBy: id }, times.timeMs));
}
