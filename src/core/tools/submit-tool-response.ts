import { addMemories } from "../memories/add.js";
import type { NewMemory } from "../memories/memory-service.js";
import { instantOfMillis } from "../model/instant.js";
import type { Call } from "../ports/call.js";
import type { ToolServiceParts } from "./parts.js";
import type { ToolResponseInput } from "./tool-service.js";

/** How long working memories that a tool writes are kept unless it says otherwise: they are about the task at hand, and no call tells that it is over. */
export const workingLifetimeMs = 24 * 60 * 60 * 1000;

/** Stores what a tool has learned, in one step. Returns the ids of the memories, then those of the items of the scratch page. */
export async function submitToolResponse(
  parts: ToolServiceParts,
  input: ToolResponseInput,
  call: Call,
): Promise<{ readonly ids: readonly string[]; readonly commitSeq: bigint }> {
  const { namespace, toolId, memoryWrites, scratchPageWrites, idempotencyKey, ...turn } = input;
  const workingExpireTime = instantOfMillis(parts.clock.nowMs() + workingLifetimeMs);
  const written = (memory: NewMemory): NewMemory => ({
    ...(memory.memoryType === "WORKING" && { expireTime: workingExpireTime }),
    ...memory,
    source: toolId,
  });
  const memories = [
    ...memoryWrites,
    ...scratchPageWrites.map((item): NewMemory => ({ ...item, memoryType: "SCRATCH_PAGE" })),
  ].map(written);
  const paths = [
    ...memoryWrites.map((_, at) => `memory_writes[${at}].`),
    ...scratchPageWrites.map((_, at) => `scratch_page_writes[${at}].`),
  ];
  const request = { namespace, toolId, ...turn, memoryWrites, scratchPageWrites };
  return addMemories(
    parts,
    { rpc: "SubmitToolResponse", namespace, memories, paths, idempotencyKey, request },
    call,
  );
}
