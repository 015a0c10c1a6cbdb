import { memoryNotFound, VademecumError } from "../model/errors.js";
import { instantOfMillis } from "../model/instant.js";
import type { Memory } from "../model/memory.js";
import { isExpired } from "../model/visibility.js";
import type { Call } from "../ports/call.js";
import { commitSeqOf } from "../requests/commit-seq.js";
import { mutateWithHead } from "../requests/mutate.js";
import { noTextVectors } from "../vectors/text-vectors.js";
import { writesAllowed } from "../vectors/write-gate.js";
import { changeMemory, type MemoryChange, withNewContent } from "./change.js";
import type { MemoryServiceParts, UpdateInput } from "./service.js";

/** Changes fields of a memory. New content gets a new vector and a new token count. */
export async function updateMemory(
  parts: MemoryServiceParts,
  input: UpdateInput,
  call: Call,
): Promise<{ memory: Memory; commitSeq: bigint }> {
  const { namespace, changes } = input;
  const { embedding: given, content } = changes;
  if (content !== undefined && given === undefined) {
    return withNewContent(parts, namespace, content, call, ({ tokenCount, vectors: made }) =>
      commitUpdate(parts, input, call, { changes, tokenCount, vectors: { given, made } }),
    );
  }
  const tokenCount = content === undefined ? undefined : await parts.tokens.countInTurns(content);
  await writesAllowed(parts.gate, namespace, call);
  return commitUpdate(parts, input, call, {
    changes,
    tokenCount,
    vectors: { given, made: noTextVectors },
  });
}

async function commitUpdate(
  parts: MemoryServiceParts,
  input: UpdateInput,
  { quota }: Call,
  change: MemoryChange,
): Promise<{ memory: Memory; commitSeq: bigint }> {
  const { namespace, id, expectedVersion } = input;
  const mutation = { rpc: "Update", target: namespace, input, quota };
  const { result, head } = await mutateWithHead(parts, mutation, async (tx, nowMs) => {
    const memory = await tx.get("memories", namespace, id);
    if (memory === undefined || isExpired(memory, instantOfMillis(nowMs))) throw memoryNotFound(id);
    requireVersion(memory, expectedVersion);
    return {
      memory: await changeMemory(tx, parts, namespace, memory, change, tx.commitTimeMs(nowMs)),
      seq: tx.head.seq + 1,
    };
  });
  return {
    memory: result.memory,
    commitSeq: commitSeqOf({ ...head, seq: result.seq }, namespace.userId),
  };
}

function requireVersion({ id, version }: Memory, expectedVersion: number | undefined): void {
  if (expectedVersion === undefined || expectedVersion === version) return;
  throw new VademecumError(
    "ABORTED",
    "VERSION_MISMATCH",
    `memory '${id}' is at version ${version}, not ${expectedVersion}; ` +
      "read it again and repeat the change",
    {
      field: "expected_version",
      fields: [
        { field: "expected_version", description: `must be ${version}, the memory's version now` },
      ],
    },
  );
}
