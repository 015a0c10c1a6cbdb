import { Writable } from "node:stream";
import { createClient } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AdminService } from "#gen/vademecum/v1/admin_pb.js";
import { BlockService } from "#gen/vademecum/v1/block_service_pb.js";
import { KeyValueService } from "#gen/vademecum/v1/key_value_service_pb.js";
import { MemoryType } from "#gen/vademecum/v1/memory_pb.js";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { SkillService } from "#gen/vademecum/v1/skill_service_pb.js";
import { ThreadService } from "#gen/vademecum/v1/thread_service_pb.js";
import { ToolService } from "#gen/vademecum/v1/tool_service_pb.js";
import { failureOf } from "./harness/failure.js";
import { collect } from "./harness/namespace-client.js";
import { type Connection, nativeGrpc } from "./harness/protocols.js";
import { startTestServer, type TestServer } from "./harness/test-server.js";

const card = "4111111111111111";
const key = `ghp_${"aB3dE5gH7jK9".repeat(3)}`;
const text = `pay with ${card} and ${key}`;
const redacted = "pay with [redacted: card number] and [redacted: api key]";
const none = { userId: "ann", agentId: "off" };
const hidden = { userId: "red", agentId: "a" };
const refused = { userId: "strict-1", agentId: "a" };
const tagged = { userId: "tom", agentId: "a" };

let server: TestServer;
let connection: Connection;
let log = "";

beforeAll(async () => {
  const guard = "ann/off=off,red=redact,strict-*=reject,tom=tag,*=redact";
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      log += chunk.toString();
      done();
    },
  });
  server = await startTestServer({ provider: "memory", guard }, undefined, output);
  connection = nativeGrpc.connect(server);
});
afterAll(async () => {
  connection.close();
  await server.stop();
});

const clientOf = () => createClient(MemoryProvider, connection.transport);
const contentsOf = async (namespace: typeof none) =>
  (await clientOf().getAll({ namespace })).memories.map(({ content }) => content);

describe("a server with a guard", () => {
  it("stores a text as it is for a namespace that a rule leaves out", async () => {
    await clientOf().add({ namespace: none, content: text });
    expect(await contentsOf(none)).toEqual([text]);
  });

  it("redacts every text that a call stores, before it is stored", async () => {
    const { transport } = connection;
    const memories = clientOf();
    const namespace = hidden;
    const { userId } = namespace;
    const { id } = await memories.add({ namespace, content: text, metadata: { a: [{ b: text }] } });
    const { memory } = await memories.get({ namespace, id });
    expect(memory).toMatchObject({ content: redacted, metadata: { a: [{ b: redacted }] } });
    await memories.update({ namespace, id, changes: { content: `again ${text}` } });
    await memories.addMany({ namespace, memories: [{ content: `many ${text}` }] });
    await memories.addTrace({ ...namespace, workflowId: "w", traceData: { output: text } });
    async function* items() {
      yield { clientId: "1", add: { namespace, content: `batch ${text}` } };
    }
    await collect(memories.addBatch(items()));
    const threads = createClient(ThreadService, transport);
    await threads.appendTurns({ namespace, threadId: "t", turns: [{ content: `turn ${text}` }] });
    const blocks = createClient(BlockService, transport);
    await blocks.putBlock({ userId, label: "b", body: text, title: text });
    await memories.proposeEdit({
      namespace,
      target: { case: "blockLabel", value: "b" },
      ...{ oldString: text, newString: `new ${text}`, reasoning: text },
    });
    const skills = createClient(SkillService, transport);
    await skills.storeSkill({ namespace, context: text, lesson: text });
    const keys = createClient(KeyValueService, transport);
    await keys.writeKey({ runId: "run", key: "k", value: text });
    const tools = createClient(ToolService, transport);
    await tools.dispatch({
      ...{ runId: "run", namespace, toolName: "write", arguments: { key: "d", value: text } },
    });
    const memoryAccess = [{ memoryType: MemoryType.EPISODIC, enabled: true, write: true }];
    const manifest = { toolId: "tool", version: "1", memoryAccess };
    await tools.registerTool({ manifest });
    const turn = { toolId: "tool", toolVersion: "1", userId, agentContext: { agentId: "a" } };
    const queries = [{ queryId: "q", memoryType: MemoryType.EPISODIC, queryText: text }];
    await collect(tools.queryMemory({ ...turn, requestId: "r", queries }));
    const memoryWrites = [{ memoryType: MemoryType.EPISODIC, content: `tool ${text}` }];
    await tools.submitToolResponse({ ...turn, requestId: "r", memoryWrites });
    const trace = { ...namespace, turn: { case: "requestId", value: "r" } } as const;
    await collect(tools.getTurnTrace(trace));
    const admin = createClient(AdminService, transport);
    const stored = JSON.stringify(
      await collect(admin.export({ users: [userId], runs: ["run"] })),
      (_, value: unknown) => (typeof value === "bigint" ? Number(value) : value),
    );
    expect(stored).not.toContain(card);
    expect(stored).not.toContain(key);
    for (const word of ["again", "many", "batch", "turn", "new", "tool"])
      expect(stored).toContain(`${word} ${redacted}`);
    expect(stored.split("[redacted: card number]").length).toBeGreaterThan(14);
  });

  it("refuses a text, and names its field and the kinds, but never the secret", async () => {
    const failure = await failureOf(clientOf().add({ namespace: refused, content: text }));
    expect(failure).toMatchObject({ code: "INVALID_ARGUMENT", reason: "SECRET_REFUSED" });
    expect(JSON.stringify(failure)).toContain("content");
    expect(JSON.stringify(failure)).toContain("a card number and an api key");
    expect(JSON.stringify(failure)).not.toContain(card);
    expect(await contentsOf(refused)).toEqual([]);
  });

  it("refuses only the items of a batch that have a secret", async () => {
    const { results } = await clientOf().addMany({
      namespace: refused,
      memories: [{ content: "tea" }, { content: text }],
    });
    expect(results.map(({ result }) => result.case)).toEqual(["id", "error"]);
    async function* items() {
      yield { clientId: "1", add: { namespace: refused, content: "milk" } };
      yield { clientId: "2", add: { namespace: refused, content: text } };
    }
    const answers = await collect(clientOf().addBatch(items()));
    expect(answers.map(({ result }) => result.case)).toEqual(["id", "error"]);
    expect((await contentsOf(refused)).sort()).toEqual(["milk", "tea"]);
  });

  it("tags memories, and only those with a secret", async () => {
    const memories = clientOf();
    await memories.addMany({
      namespace: tagged,
      memories: [{ content: text, tags: ["own"] }, { content: "tea" }],
    });
    const stored = (await memories.getAll({ namespace: tagged })).memories;
    const tagsOf = (content: string) => stored.find((it) => it.content === content)?.tags;
    expect(tagsOf(text)).toEqual(["own", "guard:card-number", "guard:api-key"]);
    expect(tagsOf("tea")).toEqual([]);
  });

  it("redacts an import too", async () => {
    const admin = createClient(AdminService, connection.transport);
    const replies = await collect(admin.export({ users: [none.userId] }));
    const records = replies.flatMap((reply) => reply.records);
    for (const { record } of records)
      if (record.case === "memory" && record.value.version?.memory?.namespace !== undefined)
        record.value.version.memory.namespace.agentId = "copy";
    async function* whole() {
      yield { records };
    }
    expect((await collect(admin.import(whole()))).at(-1)).toMatchObject({ added: 1n, refused: 0n });
    expect(await contentsOf({ userId: none.userId, agentId: "copy" })).toEqual([redacted]);
  });

  it("refuses a text that is too long after the replacement", async () => {
    const namespace = hidden;
    const content = `${"x ".repeat((65_536 - card.length) / 2)}${card}`;
    expect(Buffer.byteLength(content)).toBe(65_536);
    expect(await failureOf(clientOf().add({ namespace, content }))).toMatchObject({
      reason: "INVALID_FIELD",
    });
  });

  it("logs the kinds, and nothing of the texts", () => {
    expect(log).toContain("a request has texts that look like secrets");
    expect(log).toContain('"card number":1');
    expect(log).not.toContain(card);
    expect(log).not.toContain(key);
  });
});
