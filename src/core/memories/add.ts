import type { Call } from "../call.js";
import { commitSeqOf } from "../commit-seq.js";
import { VademecumError } from "../errors.js";
import { replyOnce } from "../idempotency.js";
import { instantOfMillis } from "../instant.js";
import { defaultImportance, type Memory } from "../memory.js";
import { scopeOf } from "../namespace.js";
import type { NamespaceIndex } from "../search-index.js";
import type { Transaction } from "../store.js";
import { noTextVectors, withTextVectors } from "../text-vectors.js";
import { type GivenOrMade, profileKey, queryVectorFor, storedVectorFor, storingEmbedder } from "../vectors.js";
import { isExpired } from "../visibility.js";
import { writesAllowed } from "../write-gate.js";
import type { Added, AddInput } from "./memory-service.js";
import { type NearDuplicate, nearDuplicatesOf, nearestTo } from "./near-duplicates.js";
import type { MemoryServiceParts } from "./parts.js";
import { changedMemory, insertMemory } from "./records.js";

/** Stores a memory; the RPC's name keeps its idempotency keys apart from those of others. */
export async function addMemory(parts: MemoryServiceParts, rpc: string, input: AddInput, call: Call): Promise<Added> {
  const { namespace, content, embedding: given } = input;
  const tokenCount = parts.tokens.count(content);
  if (given !== undefined) return storeMemory(parts, rpc, input, tokenCount, { given, made: noTextVectors }, call);
  const expected = storingEmbedder(await parts.index.profileOf(namespace), parts.embedders);
  return withTextVectors(content, expected, call, (made) => storeMemory(parts, rpc, input, tokenCount, { given, made }, call));
}

async function storeMemory(
  parts: MemoryServiceParts,
  rpc: string,
  input: AddInput,
  tokenCount: number,
  vectors: GivenOrMade,
  call: Call,
): Promise<Added> {
  const { store, index, embedders, clock, ids, gate } = parts;
  const { namespace, content, supersedes, idempotencyKey } = input;
  const nowMs = clock.nowMs();
  const id = ids.next(nowMs);
  const now = instantOfMillis(nowMs);
  const wanted = nearestTo(vectors.given ?? vectors.made.latest, now);
  const findNear = (namespaceIndex: NamespaceIndex, nearest: Int32Array | undefined): NearDuplicate[] => {
    const queryVector = queryVectorFor(namespace, namespaceIndex, embedders, { ...vectors, text: content }, "embedding");
    const near = nearDuplicatesOf(namespaceIndex, content, queryVector, nearest, now);
    return near.filter((duplicate) => duplicate.id !== supersedes);
  };
  const nearDuplicates = await index.read(namespace, call.signal, findNear, wanted);
  await writesAllowed(gate, namespace, call);
  const scope = scopeOf(namespace);
  const { idempotencyKey: _, ...request } = input;
  const { result, head } = await store.update(scope, (tx) =>
    replyOnce(tx, scope, { rpc, idempotencyKey, request, nowMs }, async () => {
      const profile = await tx.get("profiles", namespace, profileKey);
      const stored = storedVectorFor(namespace, profile, embedders, vectors);
      await requireUnused(tx, input, id);
      const timeMs = tx.commitTimeMs(nowMs);
      if (supersedes !== undefined) await markSuperseded(tx, input, supersedes, id, { nowMs, timeMs });
      insertMemory(tx, namespace, newMemory(input, id, timeMs, tokenCount), stored, profile);
      return { id, seq: tx.head.seq + 1, nearDuplicates: nearDuplicates.map((near) => ({ id: near.id, relevance: near.relevance })) };
    }),
  );
  return { id: result.id, commitSeq: commitSeqOf({ ...head, seq: result.seq }), nearDuplicates: result.nearDuplicates };
}

function newMemory(input: AddInput, id: string, timeMs: number, tokenCount: number): Memory {
  const { namespace: _namespace, supersedes, embedding: _embedding, idempotencyKey: _key, ...fields } = input;
  const createTime = instantOfMillis(timeMs);
  return {
    ...fields,
    id,
    memoryType: input.memoryType ?? "EPISODIC",
    tags: [...new Set(input.tags)],
    importance: input.importance ?? defaultImportance,
    status: input.status ?? "ACTIVE",
    restricted: input.restricted ?? false,
    createTime,
    updateTime: createTime,
    ...(supersedes === undefined ? {} : { supersedes }),
    version: 1,
    tokenCount,
  };
}

async function requireUnused(tx: Transaction, { namespace }: AddInput, id: string): Promise<void> {
  if ((await tx.get("memories", namespace, id)) === undefined) return;
  throw new VademecumError("ABORTED", "ID_COLLISION", "the id made for this memory is in use; repeat the call");
}

async function markSuperseded(
  tx: Transaction,
  { namespace }: AddInput,
  supersedes: string,
  id: string,
  times: { nowMs: number; timeMs: number },
): Promise<void> {
  const field = "supersedes";
  const old = await tx.get("memories", namespace, supersedes);
  if (old === undefined || isExpired(old, instantOfMillis(times.nowMs))) {
    const description = `memory '${supersedes}' not found`;
    throw new VademecumError("NOT_FOUND", "MEMORY_NOT_FOUND", description, { fields: [{ field, description }] });
  }
  if (old.supersededBy !== undefined) {
    const description = `memory '${supersedes}' is superseded by '${old.supersededBy}' already; supersede that one`;
    throw new VademecumError("FAILED_PRECONDITION", "ALREADY_SUPERSEDED", description, { fields: [{ field, description }] });
  }
  tx.put("memories", namespace, supersedes, changedMemory(old, { supersededBy: id }, times.timeMs));
}
