import { createClient, type Transport } from "@connectrpc/connect";
import { afterAll, beforeAll, expect, it } from "vitest";
import { BlockService } from "#gen/vademecum/v1/block_service_pb.js";
import { MemoryStatus, MemoryType } from "#gen/vademecum/v1/memory_pb.js";
import { MemoryProvider, OnConflict } from "#gen/vademecum/v1/memory_provider_pb.js";
import { Confidence } from "#gen/vademecum/v1/proposal_pb.js";
import { SkillService } from "#gen/vademecum/v1/skill_service_pb.js";
import { ThreadService } from "#gen/vademecum/v1/thread_service_pb.js";
import { ToolService } from "#gen/vademecum/v1/tool_service_pb.js";
import { failureOf } from "./harness/failure.js";
import { nativeGrpc } from "./harness/protocols.js";
import { startTestServer, type TestServer } from "./harness/test-server.js";

let server: TestServer;
let transport: Transport;
let close: () => void;

beforeAll(async () => {
  server = await startTestServer({ provider: "memory" });
  ({ transport, close } = nativeGrpc.connect(server));
  await createClient(ToolService, transport).registerTool({
    manifest: {
      ...{ toolId: "writer", version: "1" },
      memoryAccess: [{ memoryType: MemoryType.EPISODIC, enabled: true, write: true }],
    },
  });
});
afterAll(async () => {
  close();
  await server.stop();
});

type Call = (request: object) => Promise<unknown>;

const namespace = { userId: "kim", agentId: "guide" };
let numbers = 0;
const memories = () => createClient(MemoryProvider, transport);
const skills = () => createClient(SkillService, transport);

/** Makes a skill, and returns its id. */
async function newSkill(): Promise<string> {
  const text = `text ${++numbers}`;
  const { skill } = await skills().storeSkill({ namespace, context: text, lesson: text });
  return skill?.id ?? "";
}

async function newMemory(): Promise<string> {
  return (await memories().add({ namespace, content: `number ${++numbers} ends` })).id;
}

const cases: readonly (readonly [
  rpc: string,
  call: () => Call,
  base: () => object | Promise<object>,
  explicit: (base: never) => object,
])[] = [
  [
    "Add",
    () => (request) => memories().add(request),
    () => ({ namespace, content: `memory ${++numbers}` }),
    () => ({
      ...{ memoryType: MemoryType.EPISODIC, importance: 0.5, status: MemoryStatus.ACTIVE },
      ...{ restricted: false, tags: [], embedding: [] },
      onConflict: OnConflict.FAIL,
    }),
  ],
  [
    "AddMany",
    () => (request) => memories().addMany(request),
    () => ({ namespace, memories: [{ content: `memory ${++numbers}` }] }),
    (base: { memories: [object] }) => ({
      memories: [
        {
          ...base.memories[0],
          ...{ memoryType: MemoryType.EPISODIC, importance: 0.5, status: MemoryStatus.ACTIVE },
          ...{ onConflict: OnConflict.FAIL },
        },
      ],
    }),
  ],
  [
    "Update",
    () => (request) => memories().update(request),
    async () => ({ namespace, id: await newMemory(), changes: { content: `now ${++numbers}` } }),
    () => ({ updateMask: { paths: ["content"] }, includeExpired: false }),
  ],
  [
    "ProposeEdit",
    () => (request) => memories().proposeEdit(request),
    async () => ({
      namespace,
      target: { case: "memoryId", value: await newMemory() },
      ...{ oldString: "ends", newString: "end", reasoning: "grammar" },
    }),
    () => ({ confidence: Confidence.MEDIUM, replaceAll: false }),
  ],
  [
    "PutBlock",
    () => (request) => createClient(BlockService, transport).putBlock(request),
    () => ({ userId: "kim", label: `label_${++numbers}`, body: "text" }),
    () => ({ title: "", schemaRef: "" }),
  ],
  [
    "StoreSkill",
    () => (request) => skills().storeSkill(request),
    () => ({ namespace, context: `text ${++numbers}`, lesson: "lesson" }),
    () => ({ successCount: 0n, failureCount: 0n, embedding: [] }),
  ],
  [
    "StoreSkill with an id",
    () => (request) => skills().storeSkill(request),
    () => ({ namespace, id: `s${++numbers}`, context: `text ${numbers}`, lesson: "lesson" }),
    () => ({ failureCount: 0n }),
  ],
  [
    "UpdateSuccessCount",
    () => (request) => skills().updateSuccessCount(request),
    async () => ({ namespace, id: await newSkill() }),
    () => ({ increment: 1, failureIncrement: 0 }),
  ],
  [
    "UpdateSuccessCount of a failure",
    () => (request) => skills().updateSuccessCount(request),
    async () => ({ namespace, id: await newSkill(), failureIncrement: 2 }),
    () => ({ increment: 0 }),
  ],
  [
    "AppendTurns",
    () => (request) => createClient(ThreadService, transport).appendTurns(request),
    () => ({ namespace, threadId: "t", turns: [{ content: `turn ${++numbers}` }] }),
    (base: { turns: [object] }) => ({
      turns: [{ ...base.turns[0], importance: 0.5, restricted: false }],
    }),
  ],
  [
    "RegisterTool",
    () => (request) => createClient(ToolService, transport).registerTool(request),
    () => ({
      manifest: {
        ...{ toolId: `tool${++numbers}`, version: "1" },
        memoryAccess: [{ memoryType: MemoryType.SEMANTIC, enabled: true }],
      },
    }),
    (base: { manifest: { memoryAccess: [object] } }) => ({
      manifest: {
        ...base.manifest,
        memoryAccess: [
          { ...base.manifest.memoryAccess[0], kinds: [], tags: [], maxQueries: 10, write: false },
        ],
      },
    }),
  ],
  [
    "SubmitToolResponse",
    () => (request) => createClient(ToolService, transport).submitToolResponse(request),
    () => ({
      ...{ requestId: "r", toolId: "writer", toolVersion: "1" },
      userId: "kim",
      agentContext: { agentId: "guide", taskId: "t", planId: "p" },
      memoryWrites: [{ content: `memory ${++numbers}`, memoryType: MemoryType.EPISODIC }],
    }),
    (base: { memoryWrites: [object] }) => ({
      memoryWrites: [{ ...base.memoryWrites[0], importance: 0.5, status: MemoryStatus.ACTIVE }],
    }),
  ],
];

it.each(cases)(
  "%s with a default written out is the same request as without",
  async (_, call, base, explicit) => {
    for (const isExplicitFirst of [false, true]) {
      const short = await base();
      const long = { ...short, ...explicit(short as never) };
      const [first, second] = isExplicitFirst ? [long, short] : [short, long];
      const idempotencyKey = `key ${++numbers}`;
      const reply = await call()({ ...first, idempotencyKey });
      const again = await call()({ ...second, idempotencyKey });
      expect({ ...(again as object), replayedVersion: undefined }).toEqual({
        ...(reply as object),
        replayedVersion: undefined,
      });
    }
  },
);

it("a count that differs from the default is another request", async () => {
  const skill = { namespace, context: "another", lesson: "one", idempotencyKey: "of a skill" };
  await skills().storeSkill(skill);
  expect(await failureOf(skills().storeSkill({ ...skill, successCount: 1n }))).toMatchObject({
    reason: "IDEMPOTENCY_KEY_REUSED",
  });
});
