import { VademecumError } from "../model/errors.js";
import { instantOfMillis } from "../model/instant.js";
import { defaultImportance, type Memory } from "../model/memory.js";
import { type Namespace, scopeOf } from "../model/namespace.js";
import { isExpired } from "../model/visibility.js";
import type { Call } from "../ports/call.js";
import type { Embedders } from "../ports/embedder.js";
import type { NamespaceIndex } from "../ports/search-index.js";
import type { Head, Transaction } from "../ports/store.js";
import { commitSeqOf } from "../requests/commit-seq.js";
import { replyOnce } from "../requests/idempotency.js";
import { embedTexts, noTextVectors } from "../vectors/text-vectors.js";
import {
  type GivenOrMade,
  profileKey,
  queryVectorFor,
  storedVectorFor,
  storingEmbedder,
} from "../vectors/vectors.js";
import { writesAllowed } from "../vectors/write-gate.js";
import type { Added, AddInput, NewMemory } from "./memory-service.js";
import { type NearDuplicate, nearDuplicatesOf, nearestTo } from "./near-duplicates.js";
import type { MemoryServiceParts } from "./parts.js";
import { changedMemory, insertMemory } from "./records.js";

/** What adding needs of the world. */
export type AddParts = Pick<
  MemoryServiceParts,
  "store" | "index" | "embedders" | "tokens" | "clock" | "ids" | "gate"
>;

/** Memories to store in one step: all of them, or none. */
export interface Addition {
  /** Keeps the idempotency keys of an RPC apart from those of others. */
  readonly rpc: string;
  readonly namespace: Namespace;
  readonly memories: readonly NewMemory[];
  /** Where the request has each memory, with a dot at the end; for errors. Absent: it is the request. */
  readonly paths?: readonly string[];
  readonly idempotencyKey: string | undefined;
  /** What was asked, without the key. */
  readonly request: unknown;
}

/** A memory that is about to be stored. */
interface Draft {
  readonly memory: NewMemory;
  readonly path: string;
  readonly id: string;
  readonly tokenCount: number;
  readonly vectors: GivenOrMade;
}

/** Memories that are about to be stored. */
interface Drafts {
  readonly drafts: readonly Draft[];
  /** The clock when their ids were made. */
  readonly nowMs: number;
}

/** Stores a memory; the RPC's name keeps its idempotency keys apart from those of others. */
export async function addMemory(
  parts: AddParts,
  rpc: string,
  input: AddInput,
  call: Call,
): Promise<Added> {
  const { namespace, idempotencyKey, ...memory } = input;
  const addition = {
    rpc,
    namespace,
    memories: [memory],
    idempotencyKey,
    request: { namespace, ...memory },
  };
  const { result, head } = await withDrafts(parts, addition, call, async (drafts) => {
    const [near] = await Promise.all(
      drafts.drafts.map((draft) => nearDuplicatesFor(parts, namespace, draft, drafts.nowMs, call)),
    );
    return storeDrafts(parts, addition, drafts, call, (ids, seq) => ({
      id: ids.join(),
      seq,
      nearDuplicates: near ?? [],
    }));
  });
  return {
    id: result.id,
    commitSeq: commitSeqOf({ ...head, seq: result.seq }),
    nearDuplicates: result.nearDuplicates,
  };
}

/** Stores memories, in their order. Does not look for near-duplicates. */
export async function addMemories(
  parts: AddParts,
  addition: Addition,
  call: Call,
): Promise<{ readonly ids: readonly string[]; readonly commitSeq: bigint }> {
  const { result, head } = await withDrafts(parts, addition, call, (drafts) =>
    storeDrafts(parts, addition, drafts, call, (ids, seq) => ({ ids, seq })),
  );
  // Where there was nothing to store there was no commit.
  return {
    ids: result.ids,
    commitSeq: commitSeqOf({ ...head, seq: Math.min(result.seq, head.seq) }),
  };
}

/** Calls `store` with the memories and their vectors, all made in one batch. */
async function withDrafts<T>(
  { index, embedders, tokens, clock, ids }: AddParts,
  { namespace, memories, paths }: Addition,
  call: Call,
  store: (drafts: Drafts) => Promise<T>,
): Promise<T> {
  const tokenCounts = memories.map(({ content }) => tokens.count(content));
  const texts = memories
    .filter(({ embedding }) => embedding === undefined)
    .map(({ content }) => content);
  const expected =
    texts.length === 0 ? undefined : storingEmbedder(await index.profileOf(namespace), embedders);
  return embedTexts(texts, expected, call).use((vectors) => {
    const nowMs = clock.nowMs();
    const made = vectors.values();
    const drafts = memories.map((memory, at) => ({
      memory,
      path: paths?.[at] ?? "",
      id: ids.next(nowMs),
      tokenCount: tokenCounts[at] as number,
      vectors: {
        given: memory.embedding,
        made: (memory.embedding === undefined && made.next().value) || noTextVectors,
      },
    }));
    return store({ drafts, nowMs });
  });
}

async function nearDuplicatesFor(
  { index, embedders }: AddParts,
  namespace: Namespace,
  { memory: { content, supersedes }, vectors }: Draft,
  nowMs: number,
  call: Call,
): Promise<readonly NearDuplicate[]> {
  const now = instantOfMillis(nowMs);
  const findNear = (
    namespaceIndex: NamespaceIndex,
    nearest: Int32Array | undefined,
  ): NearDuplicate[] => {
    const queryVector = queryVectorFor(
      namespace,
      namespaceIndex,
      embedders,
      { ...vectors, text: content },
      "embedding",
    );
    const near = nearDuplicatesOf(namespaceIndex, content, queryVector, nearest, now);
    return near.filter((duplicate) => duplicate.id !== supersedes);
  };
  return index.read(
    namespace,
    call.signal,
    findNear,
    nearestTo(vectors.given ?? vectors.made.latest, now),
  );
}

/** Writes the drafts in one transaction. `replyOf` makes what a repeated call gets too, of their ids and the number of the commit. */
async function storeDrafts<T>(
  { store, embedders, gate }: AddParts,
  { rpc, namespace, idempotencyKey, request }: Addition,
  { drafts, nowMs }: Drafts,
  call: Call,
  replyOf: (ids: readonly string[], seq: number) => T,
): Promise<{ readonly result: T; readonly head: Head }> {
  await writesAllowed(gate, namespace, call);
  const scope = scopeOf(namespace);
  return store.update(scope, (tx) =>
    replyOnce(tx, scope, { rpc, idempotencyKey, request, nowMs }, async () => {
      const times = { nowMs, timeMs: tx.commitTimeMs(nowMs) };
      for (const draft of drafts) await insertDraft(tx, namespace, embedders, draft, times);
      return replyOf(
        drafts.map(({ id }) => id),
        tx.head.seq + 1,
      );
    }),
  );
}

/** The clock, and the time to write into records. */
interface Times {
  readonly nowMs: number;
  readonly timeMs: number;
}

async function insertDraft(
  tx: Transaction,
  namespace: Namespace,
  embedders: Embedders,
  draft: Draft,
  times: Times,
): Promise<void> {
  const { memory, id, path, tokenCount, vectors } = draft;
  // Read for each, as the first vector of a namespace decides on those behind it.
  const profile = await tx.get("profiles", namespace, profileKey);
  const stored = storedVectorFor(namespace, profile, embedders, vectors, `${path}embedding`);
  await requireUnused(tx, namespace, id);
  if (memory.supersedes !== undefined)
    await markSuperseded(tx, namespace, memory.supersedes, id, times);
  insertMemory(tx, namespace, newMemory(memory, id, times.timeMs, tokenCount), stored, profile);
}

function newMemory(given: NewMemory, id: string, timeMs: number, tokenCount: number): Memory {
  const { supersedes, embedding: _, ...fields } = given;
  const createTime = instantOfMillis(timeMs);
  return {
    ...fields,
    id,
    memoryType: given.memoryType ?? "EPISODIC",
    tags: [...new Set(given.tags)],
    importance: given.importance ?? defaultImportance,
    status: given.status ?? "ACTIVE",
    restricted: given.restricted ?? false,
    createTime,
    updateTime: createTime,
    ...(supersedes === undefined ? {} : { supersedes }),
    version: 1,
    tokenCount,
  };
}

async function requireUnused(tx: Transaction, namespace: Namespace, id: string): Promise<void> {
  if ((await tx.get("memories", namespace, id)) === undefined) return;
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
): Promise<void> {
  const field = "supersedes";
  const old = await tx.get("memories", namespace, supersedes);
  if (old === undefined || isExpired(old, instantOfMillis(times.nowMs))) {
    const description = `memory '${supersedes}' not found`;
    throw new VademecumError("NOT_FOUND", "MEMORY_NOT_FOUND", description, {
      fields: [{ field, description }],
    });
  }
  if (old.supersededBy !== undefined) {
    const description = `memory '${supersedes}' is superseded by '${old.supersededBy}' already; supersede that one`;
    throw new VademecumError("FAILED_PRECONDITION", "ALREADY_SUPERSEDED", description, {
      fields: [{ field, description }],
    });
  }
  tx.put("memories", namespace, supersedes, changedMemory(old, { supersededBy: id }, times.timeMs));
}
