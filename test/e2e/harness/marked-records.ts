import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { createClient, type Transport } from "@connectrpc/connect";
import { AdminService } from "#gen/vademecum/v1/admin_pb.js";
import { BlockService } from "#gen/vademecum/v1/block_service_pb.js";
import { KeyValueService } from "#gen/vademecum/v1/key_value_service_pb.js";
import { MemoryType } from "#gen/vademecum/v1/memory_pb.js";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { ProposalService } from "#gen/vademecum/v1/proposal_service_pb.js";
import { SkillService } from "#gen/vademecum/v1/skill_service_pb.js";
import { ThreadService } from "#gen/vademecum/v1/thread_service_pb.js";
import { ToolService } from "#gen/vademecum/v1/tool_service_pb.js";

/** Creates the clients of all services that keep records. */
export function clientsOver(transport: Transport) {
  return {
    admin: createClient(AdminService, transport),
    blocks: createClient(BlockService, transport),
    keyValues: createClient(KeyValueService, transport),
    memories: createClient(MemoryProvider, transport),
    proposals: createClient(ProposalService, transport),
    skills: createClient(SkillService, transport),
    threads: createClient(ThreadService, transport),
    tools: createClient(ToolService, transport),
  };
}

/** The clients of all services that keep records. */
export type Clients = ReturnType<typeof clientsOver>;

/** Returns a random text that nothing else has. */
export function newMark(): string {
  return randomBytes(12).toString("hex");
}

async function drain(stream: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of stream);
}

/** Writes a mark into every field of every kind of record of a user. */
export async function writeEverything(
  clients: Clients,
  userId: string,
  mark: string,
): Promise<void> {
  const { memories, blocks, proposals, skills, threads, tools } = clients;
  const namespace = { userId, agentId: `agent ${mark}` };
  const key = (name: string): string => `${name} ${mark}`;
  const added = await memories.add({
    ...{ namespace, content: `The code is ${mark}`, kind: key("kind"), tags: [key("tag")] },
    ...{ source: key("source"), author: key("author"), threadId: key("thread") },
    ...{ metadata: { [key("name")]: key("value") }, externalId: key("external") },
    ...{ eventTime: timestampFromMs(1_760_000_000_000), idempotencyKey: key("add") },
  });
  await memories.update({
    ...{ namespace, id: added.id, changes: { content: `The new code is ${mark}` } },
    idempotencyKey: key("update"),
  });
  await memories.add({ namespace, content: `It was ${mark}`, supersedes: added.id });
  await memories.addTrace({
    ...{ userId, agentId: namespace.agentId, workflowId: key("workflow") },
    traceData: { [key("entry")]: mark },
  });
  await threads.appendTurns({
    ...{ namespace, threadId: key("conversation") },
    turns: [{ content: `Where is ${mark}?`, author: key("speaker") }],
  });
  const block = { userId, label: key("label") };
  await blocks.putBlock({
    ...block,
    title: key("title"),
    body: `Lives in ${mark}.`,
    schemaRef: key("schema"),
  });
  await blocks.putBlock({ ...block, title: key("title"), body: `Moved to ${mark}.` });
  const edit = {
    ...{ namespace, target: { case: "blockLabel", value: block.label } as const },
    ...{ newString: `again ${mark}`, reasoning: key("reason") },
  };
  const { proposal } = await memories.proposeEdit({ ...edit, oldString: "Moved" });
  await proposals.rejectProposal({ userId, id: proposal?.id ?? "", reason: key("no") });
  await memories.proposeEdit({ ...edit, oldString: "to" });
  const { skill } = await skills.storeSkill({
    ...{
      namespace,
      context: `When asked for ${mark}`,
      lesson: `Say ${mark}`,
      toolName: key("tool"),
    },
  });
  await skills.updateSuccessCount({ namespace, id: skill?.id ?? "", increment: 1 });
  const toolId = "reader";
  await tools.registerTool({
    manifest: {
      ...{ toolId, version: "1" },
      memoryAccess: [{ memoryType: MemoryType.EPISODIC, enabled: true, write: true }],
    },
  });
  await drain(
    tools.queryMemory({
      ...{ requestId: key("request"), toolId, toolVersion: "1", userId },
      agentContext: { agentId: namespace.agentId, taskId: key("task"), planId: key("plan") },
      queries: [
        { queryId: key("query"), memoryType: MemoryType.EPISODIC, queryText: `what of ${mark}` },
      ],
    }),
  );
  await drain(memories.search({ namespace, query: mark }));
}

/** Writes a mark into the keys of a run. */
export async function writeRun({ keyValues }: Clients, runId: string, mark: string): Promise<void> {
  await keyValues.writeKey({ runId, key: `key ${mark}`, value: `value ${mark}` });
}

/** Returns the paths of the files in a folder whose content has a text. */
export function filesWith(text: string, at: string): readonly string[] {
  if (!existsSync(at)) return [];
  return readdirSync(at).flatMap((name) => {
    const path = join(at, name);
    if (statSync(path).isDirectory()) return filesWith(text, path);
    const file = readFileSync(path);
    const forms = [Buffer.from(text), Buffer.from(text, "utf16le")];
    return forms.some((form) => file.includes(form)) ? [path] : [];
  });
}
