import type { Call } from "../call.js";
import { commitSeqOf } from "../commit-seq.js";
import { memoryNotFound, VademecumError } from "../errors.js";
import { replyOnce } from "../idempotency.js";
import { instantOfMillis } from "../instant.js";
import { defaultImportance, type Memory, type MemoryFields } from "../memory.js";
import { scopeOf } from "../namespace.js";
import { noTextVectors, withTextVectors } from "../text-vectors.js";
import { callerModelId, type GivenOrMade, profileKey, putVector, storedVectorFor, storingEmbedder } from "../vectors.js";
import { isExpired } from "../visibility.js";
import { writesAllowed } from "../write-gate.js";
import type { UpdateInput } from "./memory-service.js";
import type { MemoryServiceParts } from "./parts.js";
import { changedMemory } from "./records.js";

/** What a field goes back to when it is cleared; the others go away. */
const defaults: Partial<MemoryFields> = {
  memoryType: "EPISODIC",
  tags: [],
  importance: defaultImportance,
  status: "ACTIVE",
  restricted: false,
};

/** Changes fields of a memory. A new content gets a new vector and a new count of tokens. */
export async function updateMemory(
  parts: MemoryServiceParts,
  input: UpdateInput,
  call: Call,
): Promise<{ memory: Memory; commitSeq: bigint }> {
  const { embedding: given, content } = input.changes;
  const tokenCount = content === undefined ? undefined : parts.tokens.count(content);
  if (content === undefined || given !== undefined) return changeMemory(parts, input, tokenCount, { given, made: noTextVectors }, call);
  const expected = storingEmbedder(await parts.index.profileOf(input.namespace), parts.embedders);
  return withTextVectors(content, expected, call, (made) => changeMemory(parts, input, tokenCount, { given, made }, call));
}

async function changeMemory(
  { store, embedders, clock, gate }: MemoryServiceParts,
  input: UpdateInput,
  tokenCount: number | undefined,
  vectors: GivenOrMade,
  call: Call,
): Promise<{ memory: Memory; commitSeq: bigint }> {
  const { namespace, id, changes, expectedVersion, idempotencyKey } = input;
  const { content } = changes;
  await writesAllowed(gate, namespace, call);
  const nowMs = clock.nowMs();
  const scope = scopeOf(namespace);
  const { idempotencyKey: _, ...request } = input;
  const { result, head } = await store.update(scope, (tx) =>
    replyOnce(tx, scope, { rpc: "Update", idempotencyKey, request, nowMs }, async () => {
      const memory = await tx.get("memories", namespace, id);
      if (memory === undefined || isExpired(memory, instantOfMillis(nowMs))) throw memoryNotFound(id);
      requireVersion(memory, expectedVersion);
      const changed = changedMemory(withChanges(memory, changes, tokenCount), {}, tx.commitTimeMs(nowMs));
      tx.put("memories", namespace, id, changed);
      const profile = await tx.get("profiles", namespace, profileKey);
      const cleared = "embedding" in changes && profile?.modelId === callerModelId;
      if (content !== undefined || vectors.given !== undefined) {
        putVector(tx, namespace, id, storedVectorFor(namespace, profile, embedders, vectors), profile);
      } else if (cleared) {
        putVector(tx, namespace, id, undefined, profile);
      }
      return { memory: changed, seq: tx.head.seq + 1 };
    }),
  );
  return { memory: result.memory, commitSeq: commitSeqOf({ ...head, seq: result.seq }) };
}

function requireVersion({ id, version }: Memory, expectedVersion: number | undefined): void {
  if (expectedVersion === undefined || expectedVersion === version) return;
  throw new VademecumError(
    "ABORTED",
    "VERSION_MISMATCH",
    `expected_version: memory '${id}' is at version ${version}, not ${expectedVersion}; read it again and repeat the change`,
    { fields: [{ field: "expected_version", description: `must be ${version}, the memory's version now` }] },
  );
}

function withChanges(memory: Memory, changes: UpdateInput["changes"], tokenCount: number | undefined): Memory {
  const { embedding: _, ...fieldChanges } = changes;
  const fields = Object.entries({ ...memory, ...fieldChanges, ...(tokenCount === undefined ? {} : { tokenCount }) }).map(
    ([field, value]) => [field, value ?? defaults[field as keyof MemoryFields]],
  );
  const changed = Object.fromEntries(fields.filter(([, value]) => value !== undefined)) as Memory;
  return { ...changed, tags: [...new Set(changed.tags)] };
}
