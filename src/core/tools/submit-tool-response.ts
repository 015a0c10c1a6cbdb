import { addMemories } from "../memories/add.js";
import type { NewMemory } from "../memories/service.js";
import { defaultedFields } from "../memories/write-draft.js";
import { VademecumError } from "../model/errors.js";
import { instantOfMillis } from "../model/instant.js";
import type { TurnEntry } from "../model/turn-entry.js";
import type { Call } from "../ports/call.js";
import { findManifest } from "./manifests.js";
import type { ToolResponseInput, ToolServiceParts } from "./service.js";
import type { TurnLog } from "./turn-log.js";
import { findRefused, notInManifest, type RefusedWrite } from "./write-access.js";

/**
 * Default lifetime of working memories that a tool writes. Working memories belong to a task, and
 * no call tells the server that a task has ended.
 */
const workingLifetimeMs = 24 * 60 * 60 * 1000;

/**
 * Stores the memories and scratch page items of a tool in one transaction. Returns the ids of the
 * memories, then the ids of the items.
 *
 * @throws PERMISSION_DENIED (NOT_IN_MANIFEST) when the manifest of the tool does not allow one of
 *   them. The trace has an entry then.
 */
export async function submitToolResponse(
  parts: ToolServiceParts & { readonly turnLog: TurnLog },
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
  const writes = memories.map((memory, at) => ({ memory, path: paths[at] as string }));
  const refused = findRefused(writes, await findManifest(parts.store, toolId, input.toolVersion));
  const begin = (): void => {
    if (refused !== undefined) throw notInManifest(refused);
  };
  const addition = {
    rpc: "SubmitToolResponse",
    namespace,
    memories,
    paths,
    input: compared,
    begin,
    finish: () => null,
  };
  return addMemories(parts, addition, call).catch(async (error: unknown) => {
    if (refused !== undefined && isNotInManifest(error))
      await parts.turnLog.append(namespace, [entryOf(parts, input, refused)], call.allowance);
    throw error;
  });
}

function isNotInManifest(error: unknown): boolean {
  return error instanceof VademecumError && error.reason === "NOT_IN_MANIFEST";
}

/** Returns the trace entry of a refused write. */
function entryOf(
  { clock }: ToolServiceParts,
  { requestId, taskId, planId, toolId, toolVersion }: ToolResponseInput,
  { memory, path, reason }: RefusedWrite,
): TurnEntry {
  return {
    time: instantOfMillis(clock.nowMs()),
    requestId,
    taskId,
    planId,
    queryId: "",
    toolId,
    toolVersion,
    ...(memory !== undefined && { memoryType: memory.memoryType ?? "EPISODIC" }),
    queryText: "",
    event: "DENIED",
    reason: path === undefined ? reason : `${path}: ${reason}`,
    tokensUsed: 0,
    returnedResults: 0,
    durationMs: 0,
  };
}
