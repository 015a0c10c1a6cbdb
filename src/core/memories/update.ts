import type { Call } from "../call.js";
import { commitSeqOf } from "../commit-seq.js";
import { memoryNotFound, VademecumError } from "../errors.js";
import { replyOnce } from "../idempotency.js";
import { instantOfMillis } from "../instant.js";
import { defaultImportance, type Memory, type MemoryFields } from "../memory.js";
import { scopeOf } from "../namespace.js";
import { callerModelId, profileKey, storedVectorFor } from "../vectors.js";
import { isExpired } from "../visibility.js";
import type { UpdateInput } from "./memory-service.js";
import type { MemoryServiceParts } from "./parts.js";
import { changedMemory, putVector } from "./records.js";

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
  const { store, embedder, tokens, clock } = parts;
  const { namespace, id, changes, expectedVersion, idempotencyKey } = input;
  const { embedding: given, content } = changes;
  const tokenCount = content === undefined ? undefined : tokens.count(content);
  const [made] = content === undefined || embedder === undefined || given !== undefined ? [] : await embedder.embed([content], call.signal);
  call.throwIfEnded();
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
      if (content !== undefined || given !== undefined || cleared) {
        putVector(tx, namespace, id, storedVectorFor(namespace, profile, embedder, { given, made }));
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
