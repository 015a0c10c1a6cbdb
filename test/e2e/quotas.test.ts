import { type DescMethod, fromBinary, fromJson, type JsonObject } from "@bufbuild/protobuf";
import { createClient } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  ErrorInfoSchema,
  QuotaFailureSchema,
  RetryInfoSchema,
} from "#gen/google/rpc/error_details_pb.js";
import { BlockService } from "#gen/vademecum/v1/block_service_pb.js";
import { MemoryType } from "#gen/vademecum/v1/memory_pb.js";
import {
  type AddBatchResponse,
  AddBatchResponseSchema,
  MemoryProvider,
} from "#gen/vademecum/v1/memory_provider_pb.js";
import { SkillService } from "#gen/vademecum/v1/skill_service_pb.js";
import { ThreadService } from "#gen/vademecum/v1/thread_service_pb.js";
import { ToolService } from "#gen/vademecum/v1/tool_service_pb.js";
import { roles } from "../../src/core/model/principal.js";
import { describeOver } from "../over-protocols.js";
import { type CredentialedServer, startCredentialedServer } from "./harness/credentialed-server.js";
import { describeFailure, failureOf } from "./harness/failure.js";
import { callMethod } from "./harness/generic-call.js";
import { collect, createNamespaceClient, required, streamOf } from "./harness/namespace-client.js";
import { nativeGrpc, protocols } from "./harness/protocols.js";
import { additions, type Holdings, others, text } from "./harness/quota-requests.js";
import { startTestServer, type TestServer } from "./harness/test-server.js";
import { useConnection } from "./harness/use-connection.js";
import { allMethods } from "./isolation/services.js";

const memoryAccess = [{ memoryType: MemoryType.EPISODIC, write: true }];
const manifest = { toolId: "tool", version: "1", memoryAccess };

const exceeded = { code: "RESOURCE_EXHAUSTED", reason: "QUOTA_EXCEEDED" };
const quota = 3;

let users = 0;
const newUser = () => `user ${++users}`;

describe("a quota of memories", () => {
  let server: TestServer | undefined;
  beforeAll(async () => {
    const flags = { provider: "memory", embedder: "none", "quota-memories": String(quota) };
    server = await startTestServer(flags);
  });
  afterAll(() => server?.stop());

  describeOver("reached by calls", protocols, (protocol) => {
    const connection = useConnection(protocol, () => server);
    const provider = () => createClient(MemoryProvider, connection().transport);
    const agentOf = (userId: string, agentId = "a") =>
      createNamespaceClient(provider(), { userId, agentId });

    it("an Add beyond the quota fails with QuotaFailure and without RetryInfo", async () => {
      const userId = newUser();
      await agentOf(userId).addAll("one", "two", "three");
      const request = { namespace: { userId, agentId: "a" }, content: "four" };
      const { add } = MemoryProvider.method;
      const { error } = await callMethod(connection().transport, add, [request]);
      expect(describeFailure(required(error, "no error"))).toMatchObject({
        ...exceeded,
        metadata: { quota: "memories", limit: "3" },
        message:
          "the user would hold 4 memories; the quota is 3. " +
          "Delete what is no longer needed, or ask the operator for a larger quota",
      });
      expect(error?.findDetails(QuotaFailureSchema)[0]?.violations).toMatchObject([
        {
          subject: `user:${userId}`,
          description: "the user would hold 4 memories; the quota is 3",
        },
      ]);
      expect(error?.findDetails(RetryInfoSchema)).toEqual([]);
      expect(await agentOf(userId).contents()).toHaveLength(quota);
    });

    it("a quota counts the memories of all agents of a user together, but not those of other users", async () => {
      const userId = newUser();
      await agentOf(userId, "a").addAll("one", "two");
      await agentOf(userId, "b").add("three");
      expect(await failureOf(agentOf(userId, "c").add("four"))).toMatchObject(exceeded);
      // Another user has a quota of its own, even if its name begins with the name of this user.
      await agentOf(`${userId} too`).addAll("one", "two", "three");
      expect(await agentOf(`${userId} too`).contents()).toHaveLength(quota);
    });

    it("an exhausted quota allows deletions, updates and Reset, and then new memories in the freed space", async () => {
      const agent = agentOf(newUser());
      const [first = "", second = ""] = await agent.addAll("one", "two", "three");
      await agent.update(second, { content: "another text" });
      expect(await agent.delete(first)).toBe(true);
      await agent.add("four");
      expect(await failureOf(agent.add("five"))).toMatchObject(exceeded);
      expect(await agent.reset()).toBe(3n);
      await agent.addAll("one", "two", "three");
    });

    it("a SubmitToolResponse that would exceed a quota is refused as a whole", async () => {
      const userId = newUser();
      const tools = createClient(ToolService, connection().transport);
      const submit = (...contents: string[]) =>
        tools.submitToolResponse({
          requestId: "turn",
          toolId: "tool",
          toolVersion: "1",
          userId,
          agentContext: { agentId: "a", taskId: "task" },
          memoryWrites: contents.map((content) => ({ content })),
        });
      await tools.registerTool({ manifest });
      await submit("one");
      expect(await failureOf(submit("two", "three", "four"))).toMatchObject(exceeded);
      expect(await agentOf(userId).contents()).toEqual(["one"]);
      await submit("two", "three");
    });

    it("parallel adds do not exceed a quota", async () => {
      const agent = agentOf(newUser());
      const calls = Array.from({ length: 40 }, (_, i) => agent.add(`memory ${i}`));
      const outcomes = await Promise.allSettled(calls);
      expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(quota);
      expect(await agent.contents()).toHaveLength(quota);
    });

    it("a repeated Add gets its reply even with an exhausted quota", async () => {
      const agent = agentOf(newUser());
      const { id } = await agent.add("one", { idempotencyKey: "k" });
      await agent.addAll("two", "three");
      expect((await agent.add("one", { idempotencyKey: "k" })).id).toBe(id);
    });
  });

  const duplex = protocols.filter((protocol) => protocol.duplex);
  describeOver("reached by a batch", duplex, (protocol) => {
    const connection = useConnection(protocol, () => server);

    it("only the items of a batch that exceed the quota fail", async () => {
      const provider = createClient(MemoryProvider, connection().transport);
      const namespace = { userId: newUser(), agentId: "a" };
      const items = ["one", "two", "three", "four", "five"].map((content) => ({
        clientId: content,
        add: { namespace, content },
      }));
      const other = { namespace: { userId: newUser(), agentId: "a" }, content: "one" };
      const responses = await collect(
        provider.addBatch(streamOf([...items, { clientId: "other", add: other }])),
      );
      const failed = responses.filter(({ result }) => result.case === "error");
      expect(failed.map(({ clientId }) => clientId)).toHaveLength(2);
      expect(failed.map(reasonOf)).toEqual(["QUOTA_EXCEEDED", "QUOTA_EXCEEDED"]);
      expect(responses.at(-1)?.result.case).toBe("id");
    });
  });
});

/** Returns the reason in the error of an item. */
function reasonOf({ result }: AddBatchResponse): string | undefined {
  if (result.case !== "error") return undefined;
  const [info] = result.value.details;
  return info && fromBinary(ErrorInfoSchema, info.value).reason;
}

describe("quotas of principals", () => {
  let server: CredentialedServer | undefined;
  const writer = { roles: ["writer"], users: ["*"], agents: ["*"] } as const;
  beforeAll(async () => {
    server = await startCredentialedServer(
      [
        { name: "small", ...writer, limits: { quota_memories: 1 } },
        { name: "large", ...writer, limits: { quota_memories: 9 } },
        { name: "free", ...writer },
      ],
      { embedder: "none", "quota-memories": String(quota) },
    );
  });
  afterAll(() => server?.stop());

  describeOver("besides the quota of the server", protocols, (protocol) => {
    const connection = useConnection(protocol, () => server);

    it("the smaller of a principal's quota and the server's quota applies", async () => {
      const namespace = { userId: newUser(), agentId: "a" };
      const add = (principal: string) =>
        createClient(MemoryProvider, connection().transport).add(
          { namespace, content: "a note" },
          { headers: required(server, "no server").headerOf(principal) },
        );
      await add("small");
      expect(await failureOf(add("small"))).toMatchObject({
        ...exceeded,
        metadata: { limit: "1" },
      });
      await add("free");
      await add("large");
      expect(await failureOf(add("large"))).toMatchObject({
        ...exceeded,
        metadata: { limit: "3" },
      });
    });
  });
});

const shortName = ({ parent, name }: DescMethod) => `${parent.name}/${name}`;
const methods = await allMethods();
const changing = methods.filter(
  ({ name, input }) =>
    "idempotencyKey" in input.field || name === "AddBatch" || name === "Dispatch",
);

describe("a quota of bytes", () => {
  let server: CredentialedServer | undefined;
  beforeAll(async () => {
    const all = { users: ["*"], agents: ["*"], runs: ["*"], tools: ["*"] };
    server = await startCredentialedServer(
      [
        { name: "owner", roles, ...all },
        { name: "free", roles, ...all },
        { name: "full", roles, ...all, limits: { quota_bytes: 1000 } },
      ],
      { embedder: "none" },
    );
  });
  afterAll(() => server?.stop());
  const connect = useConnection(
    () => nativeGrpc,
    () => server,
  );

  /** Gives a new user records of every kind, far beyond the quota. */
  async function createHoldings(): Promise<Holdings> {
    const userId = newUser();
    const namespace = { userId, agentId: "a" };
    const { transport } = connect();
    const options = { headers: required(server, "no server").headerOf("owner") };
    const memories = createClient(MemoryProvider, transport);
    await memories.add({ namespace, content: "x".repeat(65_536) }, options);
    const { id: memoryId } = await memories.add({ namespace, content: "x".repeat(5000) }, options);
    const { id: changedId } = await memories.add({ namespace, content: "y" }, options);
    await memories.update({ namespace, id: changedId, changes: { kind: "k" } }, options);
    const turns = [{ content: text }];
    await createClient(ThreadService, transport).appendTurns(
      { namespace, threadId: "fork", turns },
      options,
    );
    await createClient(ToolService, transport).registerTool({ manifest }, options);
    const blocks = createClient(BlockService, transport);
    for (const body of ["the first body", "the first body again"])
      await blocks.putBlock({ userId, label: "persona", body }, options);
    const { skill } = await createClient(SkillService, transport).storeSkill(
      { namespace, context: "a", lesson: "b" },
      options,
    );
    const edit = { oldString: "first", newString: "second", reasoning: "to see" };
    const target = { case: "blockLabel", value: "persona" } as const;
    const { proposal } = await memories.proposeEdit({ namespace, target, ...edit }, options);
    return {
      userId,
      memoryId,
      changedId,
      skillId: skill?.id ?? "",
      proposalId: proposal?.id ?? "",
    };
  }

  /** Makes the call. Returns the reason of its error, or of the error of its item. */
  async function reasonFor(method: DescMethod, request: JsonObject, principal: string) {
    const { messages, error } = await callMethod(
      connect().transport,
      method,
      [fromJson(method.input, request)],
      required(server, "no server").headerOf(principal),
    );
    if (error !== undefined) return describeFailure(error).reason;
    const [message] = messages;
    if (message?.$typeName === AddBatchResponseSchema.typeName)
      return reasonOf(message as AddBatchResponse);
    const { result = "" } = message as { readonly result?: unknown };
    return String(result).includes("the quota is") ? "QUOTA_EXCEEDED" : undefined;
  }

  it("the table of quotas has a row for every RPC that changes something", () => {
    const rows = [...Object.keys(additions), ...Object.keys(others)];
    expect(changing.map(shortName).sort()).toEqual(rows.sort());
  });

  for (const method of changing) {
    const name = shortName(method);
    const request = additions[name] ?? others[name];
    const expected = name in additions ? "QUOTA_EXCEEDED" : undefined;
    it(`a full quota ${expected === undefined ? "allows" : "refuses"} ${name}`, async () => {
      const held = await createHoldings();
      const json = required(request, "no row")(held);
      expect(await reasonFor(method, json, "full")).toBe(expected);
      if (expected !== undefined) expect(await reasonFor(method, json, "free")).toBeUndefined();
    });
  }

  it("QueryMemory is answered beyond the quota, but stores no trace", async () => {
    const { userId } = await createHoldings();
    const tools = createClient(ToolService, connect().transport);
    const turn = { requestId: "turn", toolId: "reading", toolVersion: "1", userId };
    const agentContext = { agentId: "a", taskId: "task" };
    const headersOf = (name: string) => ({ headers: required(server, "no server").headerOf(name) });
    const memoryAccess = [{ memoryType: 1, enabled: true, maxQueries: 1, maxBudgetTokens: 100 }];
    await tools.registerTool(
      { manifest: { toolId: "reading", version: "1", memoryAccess } },
      headersOf("free"),
    );
    const queries = [{ queryId: "q", memoryType: 1 }];
    const entriesAfter = async (principal: string) => {
      await collect(tools.queryMemory({ ...turn, agentContext, queries }, headersOf(principal)));
      return collect(
        tools.getTurnTrace(
          { userId, agentId: "a", turn: { case: "requestId", value: "turn" } },
          headersOf("free"),
        ),
      );
    };
    expect(await entriesAfter("full")).toEqual([]);
    expect((await entriesAfter("free")).length).toBeGreaterThan(0);
  });

  it("an update that shortens a text is accepted even beyond the quota", async () => {
    const { userId, memoryId } = await createHoldings();
    const memories = createClient(MemoryProvider, connect().transport);
    const options = { headers: required(server, "no server").headerOf("full") };
    const namespace = { userId, agentId: "a" };
    const change = (content: string) =>
      memories.update({ namespace, id: memoryId, changes: { content } }, options);
    await change("x".repeat(4000));
    expect(await failureOf(change("x".repeat(4100)))).toMatchObject(exceeded);
  });

  it("beyond the quota, only an update that makes a memory smaller drops its earlier versions", async () => {
    const { userId, memoryId: id } = await createHoldings();
    const memories = createClient(MemoryProvider, connect().transport);
    const namespace = { userId, agentId: "a" };
    const optionsOf = (name: string) => ({
      headers: required(server, "no server").headerOf(name),
    });
    const change = (length: number, principal: string) =>
      memories.update(
        { namespace, id, changes: { content: "x".repeat(length) } },
        optionsOf(principal),
      );
    const versions = async () => {
      const page = await memories.listMemoryVersions({ namespace, id }, optionsOf("free"));
      return page.versions.map(({ memory }) => Number(memory?.version));
    };
    await change(4500, "free");
    expect(await versions()).toEqual([2, 1]);
    expect(await failureOf(change(4600, "full"))).toMatchObject(exceeded);
    expect(await versions()).toEqual([2, 1]);
    await change(4400, "full");
    expect(await versions()).toEqual([3]);
  });
});
