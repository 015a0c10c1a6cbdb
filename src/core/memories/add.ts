import { VademecumError } from "../model/errors.js";
import { instantOfMillis } from "../model/instant.js";
import { defaultImportance, type Memory } from "../model/memory.js";
import type { Namespace } from "../model/namespace.js";
import type { Principal } from "../model/principal.js";
import { isExpired } from "../model/visibility.js";
import { requireWriter, writerOf } from "../model/writer.js";
import type { Call } from "../ports/call.js";
import type { Embedder } from "../ports/embedder.js";
import type { Reader, Transaction } from "../ports/store.js";
import { commitSeqOf } from "../requests/commit-seq.js";
import type { Idempotent } from "../requests/idempotency.js";
import { embedTexts, noTextVectors } from "../vectors/text-vectors.js";
import {
  type GivenOrMade,
  profileKey,
  storedVectorFor,
  storingEmbedder,
} from "../vectors/vectors.js";
import { writesAllowed } from "../vectors/write-gate.js";
import { mutateGrowing } from "./namespace-growth.js";
import { findNearDuplicates } from "./near-duplicates.js";
import { changedMemory, insertMemory, requireFuture, storedSuccessor } from "./records.js";
import type { AddInput, AddParts, AddResult, NewMemory } from "./service.js";

/** A memory to store. */
export interface SingleAddition {
  /** Name of the RPC, for idempotency keys. */
  readonly rpc: string;
  readonly input: AddInput;
  /** Whether to look for near-duplicates. For a long text this takes tens of milliseconds. */
  readonly findsNearDuplicates: boolean;
}

/** Several memories to store in one transaction. `T` is what its reply has besides the ids. */
export interface Addition<T = null> {
  /** Name of the RPC, for idempotency keys. */
  readonly rpc: string;
  readonly namespace: Namespace;
  readonly memories: readonly NewMemory[];
  /** Path of each memory in the request, for errors. */
  readonly paths: readonly string[];
  /** The whole input of the RPC. */
  readonly input: Idempotent;
  /**
   * Called in the transaction before the memories are stored, and not for a repetition of an
   * earlier call. Throws if the memories may not be stored.
   */
  readonly begin: (tx: Transaction, nowMs: number) => Promise<void> | void;
  /**
   * Called in the transaction after the memories are stored. Returns JSON values without texts of
   * the caller, which are stored with the reply.
   */
  readonly finish: (tx: Transaction) => Promise<T> | T;
}

/** The outcome of an addition of several memories. */
export interface Added<T> {
  readonly ids: readonly string[];
  readonly commitSeq: bigint;
  readonly finished: T;
}

/** A memory with everything that its transaction needs. */
export interface Draft {
  readonly memory: NewMemory;
  readonly tokenCount: number;
  readonly vectors: GivenOrMade;
}

/** The dependencies of making drafts. */
type DraftParts = Omit<AddParts, "store">;

/** `nowMs` is the clock's time. `timeMs` is the time to write into records (see `commitTimeMs`). */
interface Times {
  readonly nowMs: number;
  readonly timeMs: number;
}

/** Stores a memory. */
export async function addMemory(
  parts: AddParts,
  { rpc, input, findsNearDuplicates }: SingleAddition,
  call: Call,
): Promise<AddResult> {
  const { clock, gate } = parts;
  const { namespace, content, embedding: given } = input;
  const tokenCount = await parts.tokens.countInTurns(content);
  const expected = given === undefined ? await embedderFor(parts, namespace) : undefined;
  const { result, head } = await embedTexts([content], expected, call).use(async ([made]) => {
    const nowMs = clock.nowMs();
    const vectors = { given, made };
    const draft = { memory: input, tokenCount, vectors };
    const nearDuplicates = findsNearDuplicates
      ? await findNearDuplicates(parts, namespace, input, vectors, nowMs, call)
      : [];
    await writesAllowed(gate, namespace, call);
    const mutation = {
      ...{ rpc, target: namespace, input: withDefaults(input), nowMs, allowance: call.allowance },
      stands: standsWhileStored(namespace, nowMs),
    };
    return mutateGrowing(parts, mutation, async (tx) => {
      const times = { nowMs, timeMs: tx.commitTimeMs(nowMs) };
      const id = await insertDraft(tx, namespace, parts, draft, times, call);
      return { id, seq: tx.head.seq + 1, nearDuplicates };
    });
  });
  const { id, seq, nearDuplicates } = result;
  const commitSeq = commitSeqOf({ epoch: head.epoch, seq }, namespace.userId);
  return { id, commitSeq, nearDuplicates };
}

/**
 * Returns the `stands` of a mutation whose reply has the id of one memory: false once the memory
 * was deleted or has expired.
 */
export function standsWhileStored(
  namespace: Namespace,
  nowMs: number,
): (tx: Reader, reply: { readonly id: string }) => Promise<boolean> {
  return (tx, { id }) => isStored(tx, namespace, id, nowMs);
}

async function isStored(
  reader: Reader,
  namespace: Namespace,
  id: string,
  nowMs: number,
): Promise<boolean> {
  const memory = await reader.get("memories", namespace, id);
  return memory !== undefined && !isExpired(memory, instantOfMillis(nowMs));
}

/**
 * Stores several memories in their order, all or none. Does not look for near-duplicates. A
 * repetition stores those memories again that were deleted or have expired since.
 */
export async function addMemories<T>(
  parts: AddParts,
  { rpc, namespace, memories, paths, input, begin, finish }: Addition<T>,
  call: Call,
): Promise<Added<T>> {
  const prepared = await prepareMemories(parts, namespace, memories, call);
  const { result, head } = await prepared.withDrafts((drafts, nowMs) => {
    const isKept = (tx: Reader, id: string): Promise<boolean> => isStored(tx, namespace, id, nowMs);
    const mutation = {
      ...{ rpc, target: namespace, input, nowMs, allowance: call.allowance },
      async stands(tx: Reader, { ids }: StoredMemories<T>) {
        for (const id of ids) if (!(await isKept(tx, id))) return false;
        return true;
      },
    };
    return mutateGrowing<StoredMemories<T>>(parts, mutation, async (tx, _, earlier) => {
      await begin(tx, nowMs);
      const times = { nowMs, timeMs: tx.commitTimeMs(nowMs) };
      const ids: string[] = [];
      for (const [at, draft] of drafts.entries()) {
        const earlierId = earlier?.ids[at];
        if (earlierId !== undefined && (await isKept(tx, earlierId))) {
          ids.push(earlierId);
          continue;
        }
        const inserted = insertDraft(tx, namespace, parts, draft, times, call);
        ids.push(
          await inserted.catch((error: unknown) => throwWithPath(error, paths[at] as string)),
        );
      }
      return { ids, seq: tx.head.seq + 1, finished: await finish(tx) };
    });
  });
  // Without memories and without an idempotency key, the transaction commits nothing. Then
  // `result.seq` is one too high.
  const seq = Math.min(result.seq, head.seq);
  const commitSeq = commitSeqOf({ epoch: head.epoch, seq }, namespace.userId);
  return { ids: result.ids, commitSeq, finished: result.finished };
}

/** The stored reply of an addition of several memories. `seq` is the number of its commit. */
interface StoredMemories<T> {
  readonly ids: readonly string[];
  readonly seq: number;
  readonly finished: T;
}

/** Memories whose tokens are counted. Each model embeds their texts at most once. */
export interface PreparedMemories {
  /**
   * Embeds the memories, waits until writes to the namespace may continue, and calls `use` with the
   * drafts at positions from `start` (included) to `end` (excluded). Default: all drafts. If the
   * namespace turns out to use another model, embeds the memories again and calls `use` again.
   *
   * Requires: `use` inserts the drafts in a transaction and rethrows the transaction's errors.
   */
  withDrafts<T>(
    use: (drafts: readonly Draft[], nowMs: number) => Promise<T>,
    start?: number,
    end?: number,
  ): Promise<T>;
}

/** Counts the tokens of memories. */
export async function prepareMemories(
  parts: DraftParts,
  namespace: Namespace,
  memories: readonly NewMemory[],
  call: Call,
): Promise<PreparedMemories> {
  const { clock, gate, tokens } = parts;
  const tokenCounts: number[] = [];
  for (const { content } of memories) tokenCounts.push(await tokens.countInTurns(content));
  const toEmbed = memories.filter(({ embedding }) => embedding === undefined);
  const texts = toEmbed.map(({ content }) => content);
  const expected = texts.length === 0 ? undefined : await embedderFor(parts, namespace);
  const embedded = embedTexts(texts, expected, call);
  return {
    withDrafts: (use, start = 0, end = memories.length) =>
      embedded.use(async (made) => {
        const madeOf = new Map(toEmbed.map((memory, at) => [memory, made[at]]));
        const nowMs = clock.nowMs();
        const drafts = memories.slice(start, end).map((memory, at) => ({
          memory,
          tokenCount: tokenCounts[start + at] as number,
          vectors: { given: memory.embedding, made: madeOf.get(memory) ?? noTextVectors },
        }));
        await writesAllowed(gate, namespace, call);
        return use(drafts, nowMs);
      }),
  };
}

/** Returns the model that probably embeds for the namespace. The transaction verifies the model. */
async function embedderFor(
  { index, embedders }: DraftParts,
  namespace: Namespace,
): Promise<Embedder | undefined> {
  return storingEmbedder(await index.profileOf(namespace), embedders);
}

/** Throws an error. Prefixes its fields with the path that the memory has in the request. */
function throwWithPath(error: unknown, path: string): never {
  throw error instanceof VademecumError ? error.withPaths((field) => `${path}.${field}`) : error;
}

/**
 * Writes a new memory, and marks the memory that it supersedes. Returns the id of the new memory.
 * The id has the time of the commit, so ids are in the order of the commits.
 *
 * @throws PERMISSION_DENIED (ROLE_REQUIRED) when the caller may not supersede that memory
 */
export async function insertDraft(
  tx: Transaction,
  namespace: Namespace,
  { embedders, ids }: Pick<AddParts, "embedders" | "ids">,
  { memory, tokenCount, vectors }: Draft,
  times: Times,
  { principal }: Pick<Call, "principal">,
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

/** The fields of a new memory that `memoryOf` copies, and the vector, which has its own record. */
type CopiedField =
  | ("content" | "memoryType" | "tags" | "importance" | "status" | "restricted")
  | ("kind" | "source" | "author" | "threadId" | "metadata" | "eventTime" | "expireTime")
  | ("supersedes" | "embedding");

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
  const { kind, source, author, threadId, metadata, eventTime, expireTime, supersedes } =
    given satisfies UncopiedFields;
  if (kind !== undefined) memory.kind = kind;
  if (source !== undefined) memory.source = source;
  if (author !== undefined) memory.author = author;
  if (threadId !== undefined) memory.threadId = threadId;
  if (metadata !== undefined) memory.metadata = metadata;
  if (eventTime !== undefined) memory.eventTime = eventTime;
  if (expireTime !== undefined) memory.expireTime = expireTime;
  if (supersedes !== undefined) memory.supersedes = supersedes;
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
