import { addMemories, defaultedFields } from "../memories/add.js";
import type { NewMemory } from "../memories/service.js";
import { instantOfMillis } from "../model/instant.js";
import type { Call } from "../ports/call.js";
import type { ToolResponseInput, ToolServiceParts } from "./service.js";

/**
 * Default lifetime of working memories that a tool writes. Working memories belong to a task, and
 * no call tells the server that a task has ended.
 */
export const workingLifetimeMs = 24 * 60 * 60 * 1000;

/**
 * Stores the memories and scratch page items of a tool in one transaction. Returns the ids of the
 * memories, then the ids of the items.
 */
export async function submitToolResponse(
  parts: ToolServiceParts,
  input: ToolResponseInput,
  call: Call,
): Promise<{ readonly ids: readonly string[]; readonly commitSeq: bigint }> {
  const { namespace, toolId, memoryWrites, scratchPageWrites } = input;
  const workingExpireTime = instantOfMillis(parts.clock.nowMs() + workingLifetimeMs);
  const withDefaults = (memory: NewMemory): NewMemory => ({
    ...(memory.memoryType === "WORKING" && { expireTime: workingExpireTime }),
    ...memory,
    source: toolId,
  });
  const scratchPage = scratchPageWrites.map(
    (item): NewMemory => ({ ...item, memoryType: "SCRATCH_PAGE" }),
  );
  const memories = [...memoryWrites, ...scratchPage].map(withDefaults);
  const paths = [
    ...memoryWrites.map((_, at) => `memory_writes[${at}]`),
    ...scratchPageWrites.map((_, at) => `scratch_page_writes[${at}]`),
  ];
  const compared =
    input.idempotencyKey === undefined
      ? input
      : {
          ...input,
          memoryWrites: memoryWrites.map((it) => ({ ...it, ...defaultedFields(it) })),
          scratchPageWrites: scratchPage.map((it) => ({ ...it, ...defaultedFields(it) })),
        };
  const addition = { rpc: "SubmitToolResponse", namespace, memories, paths, input: compared };
  return addMemories(parts, addition, call);
}
