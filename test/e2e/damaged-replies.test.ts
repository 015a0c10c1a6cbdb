import { createClient } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { AdminService } from "#gen/vademecum/v1/admin_pb.js";
import { BlockService } from "#gen/vademecum/v1/block_service_pb.js";
import { KeyValueService } from "#gen/vademecum/v1/key_value_service_pb.js";
import { MemoryType } from "#gen/vademecum/v1/memory_pb.js";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { ProposalService } from "#gen/vademecum/v1/proposal_service_pb.js";
import { SkillService } from "#gen/vademecum/v1/skill_service_pb.js";
import { ThreadService } from "#gen/vademecum/v1/thread_service_pb.js";
import { ToolService } from "#gen/vademecum/v1/tool_service_pb.js";
import { toBackupChunk } from "../../src/backup-format/chunk-messages.js";
import { readBackup } from "../../src/core/backup/read-backup.js";
import { rpcOfReplyKey } from "../../src/core/model/record-keys.js";
import type { RecordPage } from "../../src/core/ports/backup.js";
import type { StoredReply } from "../../src/core/ports/stored-reply.js";
import { PageCheck } from "../../src/store/codec/owned-tables.js";
import { codecOf } from "../../src/store/codec/table-codecs.js";
import { verifyFolder } from "../../src/store/level/recovery/verify-folder.js";
import { createTestFolder, openTestStore } from "../store/level/level-folder.js";
import { failureOf } from "./harness/failure.js";
import { nativeGrpc } from "./harness/protocols.js";
import { startTestServer, type TestServer } from "./harness/test-server.js";
import { allMethods } from "./isolation/services.js";

const namespace = { userId: "kim", agentId: "guide" };
const { userId } = namespace;
const runId = "run";

let server: TestServer;
let close: () => void;
let admin: ReturnType<typeof createClient<typeof AdminService>>;
let replies: readonly { readonly page: RecordPage; readonly key: string }[];

type Transport = ReturnType<typeof nativeGrpc.connect>["transport"];

beforeAll(async () => {
  server = await startTestServer({ provider: "memory" });
  const connection = nativeGrpc.connect(server);
  ({ close } = connection);
  admin = createClient(AdminService, connection.transport);
  await callEveryMutation(connection.transport);
  const found: { page: RecordPage; key: string }[] = [];
  const visitor = {
    async scope(_: unknown, pages: AsyncIterable<RecordPage>) {
      for await (const page of pages)
        if (page.table === "replies") for (const [key] of page.records) found.push({ page, key });
    },
  };
  async function* chunks() {
    for await (const { chunk } of admin.backup({})) if (chunk) yield toBackupChunk(chunk);
  }
  for await (const _ of readBackup(chunks(), visitor));
  replies = found;
});
afterAll(async () => {
  close();
  await server.stop();
});

let keys = 0;
const once = () => ({ idempotencyKey: `retry ${++keys}` });

/** Calls every RPC that has an idempotency key. */
async function callEveryMutation(transport: Transport): Promise<void> {
  const memories = createClient(MemoryProvider, transport);
  const long = "Kim keeps the blue folder with all papers of the house on the shelf";
  const { id } = await memories.add({ namespace, content: long, ...once() });
  await memories.add({ namespace, content: `${long}.`, ...once() });
  await memories.addTrace({ ...namespace, workflowId: "w", traceData: {}, ...once() });
  const several = [{ content: "first" }, { content: "" }];
  const many = await memories.addMany({ namespace, memories: several, ...once() });
  await memories.update({ namespace, id, changes: { content: "changed" }, ...once() });
  await memories.restoreMemory({ namespace, id, version: 1n, ...once() });
  await memories.redactVersion({ namespace, id, version: 2n, ...once() });
  const [first] = many.results;
  const firstId = first?.result.case === "id" ? first.result.value : "";
  await memories.delete({ namespace, id: firstId, ...once() });
  await memories.deleteMany({ namespace, ids: [firstId], ...once() });
  await memories.deleteWhere({ namespace, filter: { kinds: ["none"] }, ...once() });
  await callThreads(transport);
  await callProposals(transport);
  await callSkills(transport);
  const notes = createClient(KeyValueService, transport);
  await notes.writeKey({ runId, key: "k", value: "v", ...once() });
  await notes.deleteKey({ runId, key: "other", ...once() });
  const tools = createClient(ToolService, transport);
  const memoryAccess = [{ memoryType: MemoryType.EPISODIC, enabled: true, write: true }];
  await tools.registerTool({ manifest: { toolId: "t", version: "1", memoryAccess }, ...once() });
  await tools.submitToolResponse({
    ...{ requestId: "r", toolId: "t", toolVersion: "1", userId },
    agentContext: { agentId: namespace.agentId, taskId: "task" },
    memoryWrites: [{ content: "written by a tool" }],
    ...once(),
  });
  await tools.deleteTool({ toolId: "t", ...once() });
  await memories.reset({
    target: { case: "namespace", value: { ...namespace, agentId: "other" } },
    ...once(),
  });
  await admin.forgetUser({ userId: "ann", runIds: ["gone"], ...once() });
}

async function callThreads(transport: Transport): Promise<void> {
  const threads = createClient(ThreadService, transport);
  const thread = { namespace, threadId: "t" };
  await threads.appendTurns({ ...thread, turns: [{ content: "one" }], ...once() });
  await threads.replaceThread({ ...thread, turns: [{ content: "two" }], ...once() });
  await threads.forkThread({ ...thread, newThreadId: "u", ...once() });
  await threads.popTurn({ ...thread, threadId: "u", ...once() });
  await threads.clearThread({ ...thread, ...once() });
}

async function callProposals(transport: Transport): Promise<void> {
  const memories = createClient(MemoryProvider, transport);
  const blocks = createClient(BlockService, transport);
  const proposals = createClient(ProposalService, transport);
  const block = { userId, label: "a" };
  await blocks.putBlock({ ...block, body: "Kim lives in Lyon.", ...once() });
  await blocks.restoreBlock({ ...block, version: 1n, ...once() });
  await blocks.renameBlock({ ...block, newLabel: "b", ...once() });
  const target = { case: "blockLabel", value: "b" } as const;
  const edit = { namespace, target, oldString: "Lyon", newString: "Nice", reasoning: "r" };
  const first = await memories.proposeEdit({ ...edit, ...once() });
  const second = await memories.proposeEdit({ ...edit, ...once() });
  const decided = { userId, id: first.proposal?.id ?? "" };
  await proposals.approveProposal({ ...decided, ...once() });
  await proposals.rejectProposal({ userId, id: second.proposal?.id ?? "", ...once() });
  await proposals.deleteProposal({ ...decided, ...once() });
  await blocks.deleteBlock({ userId, label: "b", ...once() });
  await blocks.deleteBlocks({ userId, labelPrefix: "b", ...once() });
}

async function callSkills(transport: Transport): Promise<void> {
  const skills = createClient(SkillService, transport);
  const skill = { namespace, context: "Booking", lesson: "Ask first" };
  const stored = await skills.storeSkill({ ...skill, ...once() });
  const id = stored.skill?.id ?? "";
  await skills.updateSuccessCount({ namespace, id, ...once() });
  const times = { createTime: { seconds: 1n }, lastUsedTime: { seconds: 1n } };
  await skills.storeSkill({ ...skill, lesson: "stale", ...times, ...once() });
  await skills.pruneStale({ namespace, ...once() });
  await skills.deleteSkill({ namespace, id, ...once() });
}

function replyOf({ page, key }: (typeof replies)[number]): StoredReply {
  const payload = page.records.find(([name]) => name === key)?.[1] ?? new Uint8Array(0);
  return codecOf("replies").decode(Buffer.from(payload));
}

/** Returns the message with which the check refuses a reply; `undefined` if it accepts it. */
function refusalOf(page: RecordPage, key: string, stored: StoredReply): string | undefined {
  try {
    new PageCheck().add({ ...page, records: [[key, codecOf("replies").encode(stored)]] });
    return undefined;
  } catch (error) {
    expect(error).toMatchObject({ code: "INVALID_ARGUMENT", reason: "INVALID_BACKUP" });
    return String(error);
  }
}

/** Yields copies of a value, each with one part damaged: of another type, missing, or unknown. */
function* damaged(value: unknown): Generator<unknown> {
  yield* [undefined, "7\u0000", -1, 1.5, 1e18, [[]], { a: 1 }, null].filter(
    (other) => JSON.stringify(other) !== JSON.stringify(value),
  );
  if (Array.isArray(value)) {
    // An item of a list may be absent, and an id may be any text.
    for (const [at, item] of value.entries())
      for (const other of damaged(item))
        if (other !== null && other !== undefined && typeof other !== "string")
          yield value.with(at, other);
    return;
  }
  if (typeof value !== "object" || value === null) return;
  yield { ...value, other: 1 };
  for (const [field, inner] of Object.entries(value))
    for (const other of damaged(inner))
      if (!isSound(field, inner, other)) yield { ...value, [field]: other };
}

/** Whether another value of a field is sound: a text may be any text, and some may be absent. */
function isSound(field: string, value: unknown, other: unknown): boolean {
  if (other === undefined) return /^(?:id|waitingId|counted)$/.test(field);
  return typeof value === "string" && typeof other === "string" && /id|hmac/i.test(field);
}

describe("the reply that a server has stored under an idempotency key", () => {
  it("is accepted by a restore, for every call that has such a key", async () => {
    const methods = await allMethods();
    const named = methods.filter(({ input }) => "idempotencyKey" in input.field);
    const stored = new Set(replies.map(({ key }) => rpcOfReplyKey(key)));
    // Dispatch stores the reply of the call that a tool makes.
    const missing = named.map(({ name }) => name).filter((name) => !stored.has(name));
    expect(missing).toEqual(["Dispatch"]);
    for (const { page } of replies)
      expect(() => {
        new PageCheck().add(page);
      }).not.toThrow();
  });

  it("refuses a restore if any part of it is damaged, and the error names the record", () => {
    const passed: string[] = [];
    for (const one of replies) {
      const stored = replyOf(one);
      for (const reply of damaged(stored.reply)) {
        const refusal = refusalOf(one.page, one.key, { ...stored, reply });
        if (refusal === undefined)
          passed.push(`${rpcOfReplyKey(one.key)} ${JSON.stringify(reply)}`);
        else expect(refusal).toContain(`${JSON.stringify(one.key)} of 'replies'`);
      }
    }
    expect(passed).toEqual([]);
  });

  it("refuses a restore under the name of a call that stores none", () => {
    const [one] = replies;
    if (one === undefined) throw new Error("no replies");
    const key = one.key.replace(/^[A-Za-z]+/, "Search");
    expect(refusalOf(one.page, key, replyOf(one))).toContain('"Search"');
  });

  it("is found by verify if it is damaged", async () => {
    const folder = await createTestFolder(onTestFinished);
    const store = await openTestStore(folder);
    const scope = { kind: "user", userId: "kim" } as const;
    const one = replies.find(({ key }) => key.startsWith("Update\u0001"));
    if (one === undefined) throw new Error("no reply to an update");
    await store.update(scope, async (tx) =>
      tx.put("replies", scope, one.key, { ...replyOf(one), reply: { id: 7 } }),
    );
    await store.close();
    const { findings } = await verifyFolder(folder, { links: true });
    expect(JSON.stringify(findings)).toContain("/reply");
  });

  it("is INVALID_BACKUP at Restore if it is damaged, and nothing of its user is restored", async () => {
    const target = await startTestServer({ provider: "memory" });
    onTestFinished(() => target.stop());
    const connection = nativeGrpc.connect(target);
    onTestFinished(connection.close);
    async function* changed() {
      for await (const { chunk } of admin.backup({})) {
        if (chunk?.chunk.case === "records" && chunk.chunk.value.table === "replies")
          for (const record of chunk.chunk.value.records) {
            const stored = codecOf("replies").decode(Buffer.from(record.payload));
            record.payload = codecOf("replies").encode({ ...stored, reply: ["damaged"] });
          }
        if (chunk !== undefined) yield { chunk };
      }
    }
    const restored = createClient(AdminService, connection.transport).restore(changed());
    const failure = await failureOf(
      (async () => {
        for await (const _ of restored);
      })(),
    );
    expect(failure).toMatchObject({
      ...{ code: "INVALID_ARGUMENT", reason: "INVALID_BACKUP" },
      message: expect.stringContaining("of 'replies'") as string,
    });
    const memories = createClient(MemoryProvider, connection.transport);
    expect((await memories.getAll({ namespace })).memories).toEqual([]);
  });
});
