import {
  createRegistry,
  type DescMessage,
  type DescMethod,
  fromJson,
  isMessage,
  toBinary,
  toJson,
} from "@bufbuild/protobuf";
import { createClient } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BadRequestSchema, ErrorInfoSchema } from "#gen/google/rpc/error_details_pb.js";
import { MemoryType } from "#gen/vademecum/v1/memory_pb.js";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { ToolService } from "#gen/vademecum/v1/tool_service_pb.js";
import { factsOf } from "../../src/rpc/rpc-facts.js";
import { isFullSuite } from "../suite.js";
import { type Answer, callMethod } from "./harness/generic-call.js";
import {
  collect,
  createNamespaceClient,
  type NamespaceClient,
  required,
} from "./harness/namespace-client.js";
import { type Connection, nativeGrpc } from "./harness/protocols.js";
import { createRunClient, type RunClient } from "./harness/run-client.js";
import { createSkillClient, type SkillClient } from "./harness/skill-client.js";
import { startTestServer, type TestServer } from "./harness/test-server.js";
import { createUserClient, type UserClient } from "./harness/user-client.js";
import {
  addedRequests,
  intrusionsOf,
  ownersSkillId,
  ownersUserId,
  runOf,
  writtenCalls,
} from "./isolation/intrusions.js";
import { allMethods } from "./isolation/services.js";

const owner = { userId: ownersUserId, agentId: "one" };
const secret = "the zebra sleeps behind the seventh door";

/** Namespaces of intruders. Faulty code could mistake them for the owner's namespace. */
const intruders = [
  { who: "another agent of the same user", namespace: { userId: "ann/x", agentId: "two" } },
  { who: "the same agent of another user", namespace: { userId: "bob", agentId: "one" } },
  { who: "the owner's names swapped", namespace: { userId: "one", agentId: "ann/x" } },
  {
    who: "names that, joined by a slash, equal the owner's joined names",
    namespace: { userId: "ann", agentId: "x/one" },
  },
  {
    who: "names that, joined without a separator, equal the owner's joined names",
    namespace: { userId: "ann/xo", agentId: "ne" },
  },
  {
    who: "a user id that is the owner's user id and agent id, joined by NUL",
    namespace: { userId: "ann/x\0one", agentId: "one" },
  },
  {
    who: "the owner's names in another letter case",
    namespace: { userId: "Ann/x", agentId: "One" },
  },
  { who: "the owner's names between spaces", namespace: { userId: " ann/x ", agentId: " one " } },
  { who: "only the beginnings of the owner's names", namespace: { userId: "ann/", agentId: "on" } },
];

const methods = await allMethods();

/** Calls whose replies are figures of the whole server, which hold no names of its users. */
const ofWholeServer: ReadonlySet<string> = new Set([
  "GetServer",
  "WatchServer",
  "ListSlowCalls",
  "ListAuditEvents",
  "WatchJobs",
]);

/** The methods whose requests name a user or run. isolation/unset-ids.test.ts tests the others. */
const namingMethods = methods.filter(
  (method) =>
    (!ofWholeServer.has(method.name) && !factsOf(method).unsetMeansAllowed) ||
    method.input.fields.some(({ name }) => /^(?:user_ids?|users|namespaces?|search)$/.test(name)),
);

/**
 * A server, and clients of the owner. The tests compare two worlds: one with the owner's records,
 * and one without them. The answers to an intruder must be equal in both worlds.
 */
interface World {
  readonly server: TestServer;
  readonly connection: Connection;
  readonly owner: NamespaceClient;
  readonly ownersRun: RunClient;
  readonly ownersSkills: SkillClient;
  readonly ownersUser: UserClient;
}

let withOwner: World | undefined;
let withoutOwner: World | undefined;
let ownersId = "";
let ownersProposalId = "";
let owned: unknown;

beforeAll(async () => {
  [withOwner, withoutOwner] = await Promise.all([startWorld(), startWorld()]);
  ({ id: ownersId } = await withOwner.owner.add(secret, {
    tags: ["zebra"],
    metadata: { secret },
    idempotencyKey: "key",
  }));
  await withOwner.owner.addAll("the zebra was a horse once", "more about doors");
  await withOwner.owner.add("the zebra asked for the key", {
    memoryType: MemoryType.CONVERSATION,
    threadId: "zebra",
  });
  await withOwner.ownersRun.write("zebra", secret, "key");
  await withOwner.ownersRun.write("door", "the seventh");
  await leaveTrace(withOwner.connection);
  await withOwner.ownersSkills.store(secret, secret, { id: ownersSkillId, toolName: "door" });
  await withOwner.ownersSkills.store("the seventh door is shut", "ask the zebra");
  const { ownersUser } = withOwner;
  await ownersUser.put("a horse", { label: "zebra" });
  await ownersUser.put(secret, { label: "zebra", idempotencyKey: "key" });
  await ownersUser.reject(
    await ownersUser.proposed({ label: "zebra", old: "seventh", new: "eighth" }),
  );
  ownersProposalId = await ownersUser.proposed({ label: "zebra", old: "behind", new: "before" });
  owned = await ownedIn(withOwner);
});

afterAll(async () => {
  for (const world of [withOwner, withoutOwner]) {
    world?.connection.close();
    await world?.server.stop();
  }
});

describe("the requests of intruders", () => {
  it("only these RPCs have hand-written requests of intruders", () => {
    const names = methods.map(({ parent, name }) => `${parent.name}/${name}`);
    expect(names).toEqual(
      expect.arrayContaining(Object.keys({ ...writtenCalls, ...addedRequests })),
    );
    expect(Object.keys(writtenCalls).toSorted()).toEqual([
      "AdminService/Backup",
      "AdminService/Export",
      "AdminService/ForgetUser",
      "AdminService/HoldWrites",
      "AdminService/Import",
      "AdminService/Restore",
      "MemoryProvider/AddBatch",
      "MemoryProvider/Explain",
      "MemoryProvider/ProposeEdit",
      "MemoryProvider/Recall",
      "MemoryProvider/Search",
      "ToolService/Dispatch",
    ]);
    expect(Object.keys(addedRequests)).toEqual(["MemoryProvider/Reset"]);
  });

  it("another user tries every RPC with a request that the server can decode", () => {
    const intruder = {
      namespace: { userId: "bob", agentId: "one" },
      ownersId: "id",
      ownersContent: "text",
      ownersProposalId: "id",
    };
    for (const method of methods) {
      const requests = intrusionsOf(method, intruder).flat();
      expect(requests.length, fullName(method)).toBeGreaterThan(0);
      for (const request of requests) fromJson(method.input, request);
    }
  });
});

/** Returns all methods. In the quick suite, divides the methods among the intruders. */
function methodsFor(intruder: number): readonly DescMethod[] {
  return isFullSuite
    ? namingMethods
    : namingMethods.filter((_, i) => i % intruders.length === intruder);
}

const numbered = intruders.map((intruder, number) => ({ ...intruder, number }));

describe.each(numbered)("an intruder with $who", ({ namespace, number }) => {
  it.each(methodsFor(number).map((method) => ({ method, name: fullName(method) })))(
    "an intruder learns and changes nothing through $name",
    async ({ method }) => {
      const holder = required(withOwner, "no server");
      const stranger = required(withoutOwner, "no server");
      const ids = { ownersId, ownersContent: secret, ownersProposalId };
      const calls = intrusionsOf(method, { namespace, ...ids });
      for (const requests of calls) {
        const messages = requests.map((request) => fromJson(method.input, request));
        for (const world of [holder, stranger]) await furnish(world, namespace);
        const answer = await callMethod(holder.connection.transport, method, messages);
        const expected = await callMethod(stranger.connection.transport, method, messages);
        expect(comparable(method, answer)).toEqual(comparable(method, expected));
        for (const bytes of answer.messages.map((message) =>
          Buffer.from(toBinary(method.output, message)),
        )) {
          // An error of an item, the text of a tool, and missing ids may quote the request. No
          // other reply may name the owner's memory.
          const isQuoting = ["AddMany", "AddBatch", "GetMany", "Dispatch"].includes(method.name);
          const quoted = isQuoting ? JSON.stringify(requests) : "";
          if (method.name !== "AddBatch" && !quoted.includes(ownersId))
            expect(bytes.includes(ownersId) || bytes.includes(ownersProposalId)).toBe(false);
        }
      }
      expect(await ownedIn(holder)).toEqual(owned);
    },
  );

  it("an intruder cannot continue a listing with the owner's page token", async () => {
    const { connection, owner: memories } = required(withOwner, "no server");
    const { nextPageToken: pageToken } = await memories.page({ limit: 1 });
    const { messages, error } = await callMethod(
      connection.transport,
      MemoryProvider.method.getAll,
      [fromJson(MemoryProvider.method.getAll.input, { namespace, pageToken })],
    );
    expect(messages).toEqual([]);
    expect(error?.findDetails(ErrorInfoSchema)).toMatchObject([{ reason: "INVALID_PAGE_TOKEN" }]);
  });

  it("an intruder gets the same bytes for an existing id of the owner as for a deleted one", async () => {
    const { connection, owner: memories } = required(withOwner, "no server");
    const { id } = await memories.add("short-lived");
    const { get, update, delete: remove, add } = MemoryProvider.method;
    const calls = [
      { method: get, request: { namespace, id } },
      { method: update, request: { namespace, id, changes: { kind: "x" } } },
      { method: remove, request: { namespace, id } },
      { method: add, request: { namespace, content: "x", supersedes: id } },
    ];
    const answers = async () =>
      Promise.all(
        calls.map(async ({ method, request }) => {
          const { messages, error } = await callMethod(connection.transport, method, [
            fromJson(method.input, request),
          ]);
          const replies = messages.map((message) =>
            Buffer.from(toBinary(method.output as DescMessage, message)).toString("hex"),
          );
          const details = error?.details.map((detail) =>
            "value" in detail ? Buffer.from(detail.value as Uint8Array).toString("hex") : "",
          );
          return { replies, code: error?.code, message: error?.rawMessage, details };
        }),
      );
    const foreign = await answers();
    expect(await memories.delete(id)).toBe(true);
    expect(await answers()).toEqual(foreign);
  });
});

async function startWorld(): Promise<World> {
  const server = await startTestServer({ provider: "memory" });
  const connection = nativeGrpc.connect(server);
  await declareTool(connection);
  const memories = createNamespaceClient(createClient(MemoryProvider, connection.transport), owner);
  const ownersSkills = createSkillClient(connection, owner);
  const ownersRun = createRunClient(connection, runOf(owner));
  return {
    server,
    connection,
    owner: memories,
    ownersRun,
    ownersUser: createUserClient(connection, owner),
    ownersSkills,
  };
}

/** Returns all records of the owner. */
async function ownedIn({
  owner: memories,
  ownersRun,
  ownersUser,
  ownersSkills,
}: World): Promise<unknown> {
  const keys = await ownersRun.list();
  const { userId, blocks, proposals } = ownersUser;
  return {
    blocks: await blocks.listBlocks({ userId }),
    versions: await ownersUser.versions("zebra"),
    proposals: await proposals.listProposals({ userId, limit: 1000 }),
    memories: await memories.list({ includeSuperseded: true }),
    skills: await ownersSkills.list({ includeEmbedding: true }),
    values: await Promise.all(keys.map(async (key) => [key, await ownersRun.read(key)])),
  };
}

/** Lets the owner's tool write a trace with the request id and the task id that intruders use. */
async function leaveTrace({ transport }: Connection): Promise<void> {
  const { userId, agentId } = owner;
  const queries = [{ queryId: "q", memoryType: MemoryType.EPISODIC, queryText: secret }];
  const turn = {
    requestId: "turn",
    toolId: "tool",
    toolVersion: "1",
    userId,
    agentContext: { agentId, taskId: "task" },
  };
  const [response] = await collect(
    createClient(ToolService, transport).queryMemory({ ...turn, queries }),
  );
  expect(response?.result?.returnedResults).toBeGreaterThan(0);
}

/** Registers the intruders' tool, which may read episodic memories. */
async function declareTool({ transport }: Connection): Promise<void> {
  const memoryAccess = [{ memoryType: MemoryType.EPISODIC, enabled: true }];
  await createClient(ToolService, transport).registerTool({
    manifest: { toolId: "tool", version: "1", memoryAccess },
  });
}

/**
 * Gives an intruder a memory and a skill, whose scores must not depend on the owner's data. An
 * intruder who is another user also gets a block and a proposal.
 */
async function furnish({ connection }: World, namespace: typeof owner): Promise<void> {
  const memories = createNamespaceClient(
    createClient(MemoryProvider, connection.transport),
    namespace,
  );
  await memories.reset();
  await memories.add("a zebra of my own", { eventTime: { seconds: 1_800_000_000n, nanos: 0 } });
  await createSkillClient(connection, namespace).store("a zebra of my own", "feed it");
  if (namespace.userId === ownersUserId) return;
  const user = createUserClient(connection, namespace);
  for (const label of ["own", "zebra"])
    await user.blocks.deleteBlock({ userId: user.userId, label });
  await user.put("a block of my own", { label: "own" });
  await user.propose({ label: "own", old: "my", new: "our" });
}

function fullName({ parent, name }: DescMethod): string {
  return `${parent.typeName}/${name}`;
}

/** Fields that differ between servers and calls because of the clock, random ids or the epoch. */
const volatile = new Set([
  "backupId",
  "epoch",
  "id",
  "sampleIds",
  "sourceId",
  "storeId",
  "hmacKey",
  "idHmac",
  "createTime",
  "changeTime",
  "oldestTime",
  "updateTime",
  "ids",
  "queryTimeMs",
  "time",
  "duration",
  "writeTime",
  "expireTime",
  "decideTime",
  "lastUsedTime",
  "commitSeq",
  "runCommitSeq",
  "queryDuration",
]);

function comparable({ output, name, parent }: DescMethod, { messages, error }: Answer): unknown {
  const registry = createRegistry(ErrorInfoSchema, BadRequestSchema);
  // The versions of threads come from the same numbers as `commitSeq`.
  const without = new Set(parent.name === "ThreadService" ? [...volatile, "version"] : volatile);
  // Which calls are slow depends on the machine.
  if (name === "ListSlowCalls") without.add("calls");
  return {
    messages: messages.map((message) =>
      withoutFields(toJson(output, message, { registry }), without),
    ),
    code: error?.code,
    message: error?.rawMessage,
    info: error?.findDetails(ErrorInfoSchema),
    violations: error?.findDetails(BadRequestSchema),
  };
}

function withoutFields(value: unknown, without: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((inner) => withoutFields(inner, without));
  // The texts of search_memory show ids.
  if (typeof value === "string") return value.replaceAll(/(?<=, id )[\da-f-]{36}(?=\])/g, "ID");
  if (typeof value !== "object" || value === null || isMessage(value)) return value;
  const kept = Object.entries(value).filter(([name]) => !without.has(name));
  return Object.fromEntries(
    kept.map(([name, inner]) => [
      name,
      name === "nextPageToken" ? "a token of this server" : withoutFields(inner, without),
    ]),
  );
}
