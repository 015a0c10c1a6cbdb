import { createClient, type Transport } from "@connectrpc/connect";
import { BlockService } from "#gen/vademecum/v1/block_service_pb.js";
import { KeyValueService } from "#gen/vademecum/v1/key_value_service_pb.js";
import { MemoryType } from "#gen/vademecum/v1/memory_pb.js";
import { MemoryProvider, type ProposeEditRequest } from "#gen/vademecum/v1/memory_provider_pb.js";
import { ProposalService } from "#gen/vademecum/v1/proposal_service_pb.js";
import { SkillService } from "#gen/vademecum/v1/skill_service_pb.js";
import { ThreadService } from "#gen/vademecum/v1/thread_service_pb.js";
import { ToolService } from "#gen/vademecum/v1/tool_service_pb.js";

/** The namespaces that `writeEveryKind` fills. */
export const kim = { userId: "kim", agentId: "desktop" };
export const phone = { userId: "kim", agentId: "phone" };
export const ann = { userId: "ann", agentId: "desktop" };

/** Writes records of every kind that an export has, with histories, of two users and two runs. */
export async function writeEveryKind(transport: Transport): Promise<void> {
  const memories = createClient(MemoryProvider, transport);
  await writeMemories(memories);
  await createClient(ThreadService, transport).appendTurns({
    namespace: ann,
    threadId: "thread-1",
    turns: [{ content: "Where is the folder?", author: "ann" }, { content: "On the shelf." }],
  });
  await writeBlocks(transport, memories);
  const skills = createClient(SkillService, transport);
  const { skill } = await skills.storeSkill({
    namespace: kim,
    context: "Booking a table",
    lesson: "Ask for the number of guests\nfirst",
    toolName: "booking",
  });
  await skills.updateSuccessCount({ namespace: kim, id: skill?.id ?? "" });
  const keys = createClient(KeyValueService, transport);
  for (const key of ["b", "a", "c"])
    await keys.writeKey({ runId: "run-1", key, value: `v ${key}` });
  await keys.writeKey({ runId: "run-1", key: "a", value: "again" });
  await keys.writeKey({ runId: "run 2", key: "plan", value: "tea\u2028first" });
  await writeTurn(transport);
}

async function writeMemories(memories: ReturnType<typeof createClient<typeof MemoryProvider>>) {
  await memories.add({
    namespace: kim,
    content: "Kim keeps the note in the blue folder",
    memoryType: MemoryType.SEMANTIC,
    kind: "place",
    tags: ["folder", "note"],
    importance: 0.25,
    author: "kim",
    source: "chat",
    metadata: { note: 1, seen: [true, null], big: 1e20 },
    eventTime: { seconds: 1_772_366_400n, nanos: 1 },
    expireTime: { seconds: 4_000_000_000n },
    externalId: "note-1",
  });
  const tea = await memories.add({ namespace: phone, content: "Kim likes tea", restricted: true });
  await memories.update({ namespace: phone, id: tea.id, changes: { content: "Kim likes mate" } });
  await memories.update({ namespace: phone, id: tea.id, changes: { importance: 1 } });
  await memories.redactVersion({ namespace: phone, id: tea.id, version: 1n });
  const old = await memories.add({ namespace: ann, content: "Ann lives in Lyon" });
  await memories.add({ namespace: ann, content: "Ann lives in Nice", supersedes: old.id });
}

async function writeBlocks(
  transport: Transport,
  memories: ReturnType<typeof createClient<typeof MemoryProvider>>,
) {
  const blocks = createClient(BlockService, transport);
  const proposals = createClient(ProposalService, transport);
  const { userId } = kim;
  await blocks.putBlock({ userId, label: "profile", body: "Kim lives in Lyon." });
  await blocks.putBlock({ userId, label: "profile", body: "Kim lives in Nice.", title: "About" });
  await blocks.putBlock({ userId, label: "tasks_for_today", body: "", schemaRef: "a/b" });
  const [mate] = (await memories.getAll({ namespace: phone })).memories;
  const inMemory = { case: "memoryId", value: mate?.id ?? "" } as const;
  const inBlock = { case: "blockLabel", value: "profile" } as const;
  const propose = async (edit: Pick<ProposeEditRequest, "target" | "oldString" | "newString">) => {
    const request = { namespace: phone, ...edit, reasoning: "Kim said so." };
    return (await memories.proposeEdit(request)).proposal?.id ?? "";
  };
  const approved = [
    await propose({ target: inBlock, oldString: "Nice", newString: "Dijon" }),
    await propose({ target: inMemory, oldString: "mate", newString: "water" }),
  ];
  for (const id of approved) await proposals.approveProposal({ userId, id, note: "fine" });
  const rejected = await propose({ target: inMemory, oldString: "water", newString: "milk" });
  await proposals.rejectProposal({ userId, id: rejected, reason: "no milk" });
  const stale = await propose({ target: inBlock, oldString: "Dijon", newString: "Metz" });
  await blocks.putBlock({ userId, label: "profile", body: "Kim has moved." });
  await proposals.approveProposal({ userId, id: stale }).catch(() => undefined);
  await memories.proposeEdit({
    namespace: kim,
    target: { case: "blockLabel", value: "new" },
    change: { case: "newBody", value: "A new block" },
    reasoning: "It is missing.",
  });
}

async function writeTurn(transport: Transport): Promise<void> {
  const tools = createClient(ToolService, transport);
  const memoryAccess = [{ memoryType: MemoryType.SEMANTIC, enabled: true, write: true }];
  await tools.registerTool({ manifest: { toolId: "diary", version: "1", memoryAccess } });
  const answers = tools.queryMemory({
    requestId: "request-1",
    toolId: "diary",
    toolVersion: "1",
    userId: kim.userId,
    agentContext: { agentId: kim.agentId, taskId: "task-1" },
    queries: [{ queryId: "q", memoryType: MemoryType.SEMANTIC, queryText: "the blue folder" }],
  });
  for await (const _ of answers);
  // Waits until the trace is stored.
  const trace = { ...kim, turn: { case: "requestId", value: "request-1" } } as const;
  for await (const _ of tools.getTurnTrace(trace));
}
