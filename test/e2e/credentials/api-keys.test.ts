import { chmod, readFile, writeFile } from "node:fs/promises";
import { createClient } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { Health } from "#gen/grpc/health/v1/health_pb.js";
import { ServerReflection } from "#gen/grpc/reflection/v1/reflection_pb.js";
import { BlockService } from "#gen/vademecum/v1/block_service_pb.js";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { ProposalService } from "#gen/vademecum/v1/proposal_service_pb.js";
import { ToolService } from "#gen/vademecum/v1/tool_service_pb.js";
import { describeOver } from "../../over-protocols.js";
import {
  type CredentialedServer,
  startCredentialedServer,
} from "../harness/credentialed-server.js";
import { failureOf } from "../harness/failure.js";
import { collect, required, streamOf } from "../harness/namespace-client.js";
import { nativeGrpc, protocols } from "../harness/protocols.js";
import { rawGrpcCall, rawJsonCall } from "../harness/raw-calls.js";
import { startTestServer } from "../harness/test-server.js";
import { useConnection } from "../harness/use-connection.js";

/** The time between two checks of the credentials file, in milliseconds. */
const checkEveryMs = 5_000;
const everything = { users: ["*"], agents: ["*"], runs: ["*"], tools: ["*"] };
const principals = [
  { name: "ann", roles: ["writer", "proposer"], users: ["ann"], agents: ["*"], runs: ["ann/*"] },
  { name: "host", roles: ["curator"], ...everything },
  { name: "planner", roles: ["writer", "approver"], users: ["ann"], agents: ["plan-*"] },
  { name: "reader", roles: ["reader"], ...everything },
  { name: "approver", roles: ["approver"], ...everything },
  { name: "both", roles: ["proposer", "approver"], ...everything },
  { name: "notes-tool", roles: ["tool"], users: ["*"], agents: ["*"], tools: ["notes"] },
  { name: "operator", roles: ["operator"] },
  { name: "gone", roles: ["writer"], ...everything, disabled: true },
] as const;

let server: CredentialedServer | undefined;
beforeAll(async () => {
  server = await startCredentialedServer(principals);
});
afterAll(() => server?.stop());

describeOver("a server with credentials", protocols, (protocol) => {
  const connection = useConnection(protocol, () => server);
  const as = (name: string) => ({ headers: required(server, "no server").headerOf(name) });
  const memories = () => createClient(MemoryProvider, connection().transport);
  const proposals = () => createClient(ProposalService, connection().transport);
  const blocks = () => createClient(BlockService, connection().transport);
  const namespace = { userId: "ann", agentId: "chat" };

  it("a server with credentials serves a caller for the users and agents that its key allows", async () => {
    const { id } = await memories().add({ namespace, content: "likes tea" }, as("ann"));
    const { memory } = await memories().get({ namespace, id }, as("ann"));
    expect(memory?.content).toBe("likes tea");
  });

  it("callers without credentials are refused, and all wrong keys are refused with the same text", async () => {
    const required = await failureOf(memories().getAll({ namespace }));
    expect(required).toMatchObject({ code: "UNAUTHENTICATED", reason: "CREDENTIALS_REQUIRED" });
    const key = as("ann").headers.authorization;
    const last = key.endsWith("0") ? "1" : "0";
    const wrong = [
      `${key.slice(0, -1)}${last}`,
      `Bearer vdm_${"0".repeat(88)}`,
      "Bearer abc",
      "Basic YTpi",
      "Bearer ",
      as("gone").headers.authorization,
    ];
    for (const authorization of wrong) {
      const refused = await failureOf(
        memories().getAll({ namespace }, { headers: { authorization } }),
      );
      expect(refused).toMatchObject({ code: "UNAUTHENTICATED", reason: "CREDENTIALS_REFUSED" });
      expect(refused.message).toBe(required.message);
    }
  });

  it("a user or agent that the key does not allow is refused with the same error, whether it exists or not", async () => {
    await memories().add({ namespace, content: "a secret" }, as("ann"));
    const other = { userId: "ann", agentId: "chat" };
    const missing = { userId: "ann", agentId: "none" };
    const [first, second] = await Promise.all(
      [other, missing].map((it) => failureOf(memories().getAll({ namespace: it }, as("planner")))),
    );
    expect(first).toMatchObject({
      code: "PERMISSION_DENIED",
      reason: "OUT_OF_SCOPE",
      fields: ["namespace.agent_id"],
    });
    expect(second).toEqual(first);
    const user = await failureOf(
      memories().getAll({ namespace: { userId: "bob", agentId: "chat" } }, as("ann")),
    );
    expect(user.fields).toEqual(["namespace.user_id"]);
    const wildcard = { userId: "*", agentId: "*" };
    expect(await failureOf(memories().getAll({ namespace: wildcard }, as("ann")))).toMatchObject({
      reason: "OUT_OF_SCOPE",
    });
  });

  it("a call that no role of the key allows is refused, and the error names the needed role", async () => {
    const refused = await failureOf(memories().add({ namespace, content: "x" }, as("reader")));
    expect(refused).toMatchObject({
      code: "PERMISSION_DENIED",
      reason: "ROLE_REQUIRED",
      metadata: { roles: "writer" },
    });
    for (const name of ["ann", "notes-tool", "operator"]) {
      const call = createClient(ToolService, connection().transport).registerTool(
        { manifest: { toolId: "notes", version: "1" } },
        as(name),
      );
      if (name === "operator") await call;
      else expect(await failureOf(call)).toMatchObject({ reason: "ROLE_REQUIRED" });
    }
    expect(await failureOf(memories().getAll({ namespace }, as("operator")))).toMatchObject({
      reason: "ROLE_REQUIRED",
    });
    const wide = memories().reset({ target: { case: "everything", value: true } }, as("host"));
    expect(await failureOf(wide)).toMatchObject({ metadata: { roles: "operator" } });
  });

  it("a caller with the key of a tool may make calls only for the tools that the key names", async () => {
    const tools = createClient(ToolService, connection().transport);
    const turn = {
      requestId: "r",
      toolVersion: "1",
      userId: "ann",
      agentContext: { agentId: "chat", taskId: "t" },
      queries: [{ queryId: "q", queryText: "tea" }],
    };
    await tools.registerTool({ manifest: { toolId: "notes", version: "1" } }, as("operator"));
    await collect(tools.queryMemory({ ...turn, toolId: "notes" }, as("notes-tool")));
    const refused = await failureOf(
      collect(tools.queryMemory({ ...turn, toolId: "mail" }, as("notes-tool"))),
    );
    expect(refused).toMatchObject({ reason: "OUT_OF_SCOPE", fields: ["tool_id"] });
  });

  it("Dispatch requires the role that the named function needs", async () => {
    const tools = createClient(ToolService, connection().transport);
    const call = (toolName: string, name: string) =>
      tools.dispatch({ namespace, toolName, argumentsJson: "{}" }, as(name));
    expect((await call("list_memory_blocks", "reader")).isError).toBe(false);
    expect(await failureOf(call("add_memory", "reader"))).toMatchObject({
      metadata: { roles: "writer" },
    });
    expect(await failureOf(call("propose_memory_edit", "reader"))).toMatchObject({
      metadata: { roles: "proposer" },
    });
    const run = { runId: "bob/1", toolName: "list", argumentsJson: "{}" };
    expect(await failureOf(tools.dispatch(run, as("ann")))).toMatchObject({
      fields: ["run_id"],
    });
  });

  it("proposals record who proposed and who decided, and no caller may approve its own edit", async () => {
    const userId = "ann";
    const label = `label-${protocols.indexOf(protocol())}`;
    await blocks().putBlock({ userId, label, body: "tea" }, as("host"));
    const propose = async (name: string, newString: string) => {
      const edit = { oldString: "tea", newString, reasoning: "because" };
      const target = { case: "blockLabel", value: label } as const;
      const { proposal } = await memories().proposeEdit({ namespace, target, ...edit }, as(name));
      return required(proposal, "no proposal");
    };
    const own = await propose("both", "milk");
    expect(own.proposedBy).toBe("key:both");
    const refused = await failureOf(
      proposals().approveProposal({ userId, id: own.id }, as("both")),
    );
    expect(refused).toMatchObject({ code: "PERMISSION_DENIED", reason: "SELF_APPROVAL" });
    const { proposal: withdrawn } = await proposals().rejectProposal(
      { userId, id: own.id },
      as("both"),
    );
    expect(withdrawn?.decidedBy).toBe("key:both");
    const other = await propose("ann", "coffee");
    const headers = { ...as("approver").headers, "vademecum-actor": "Ann%20L%C3%A9e" };
    const { proposal } = await proposals().approveProposal({ userId, id: other.id }, { headers });
    expect(proposal).toMatchObject({
      proposedBy: "key:ann",
      decidedBy: "key:approver",
      decidedFor: "Ann Lée",
    });
    const { versions } = await blocks().listBlockVersions({ userId, label }, as("reader"));
    expect(versions.map(({ writtenBy }) => writtenBy)).toEqual(["key:approver", "key:host"]);
  });

  it("a server with credentials hides proposals of agents that the caller's key does not allow", async () => {
    const { id } = await memories().add({ namespace, content: "the safe is open" }, as("ann"));
    const target = { case: "memoryId", value: id } as const;
    const edit = { oldString: "open", newString: "shut", reasoning: "because" };
    const { proposal } = await memories().proposeEdit({ namespace, target, ...edit }, as("ann"));
    const proposalId = required(proposal, "no proposal").id;
    const userId = "ann";
    const listed = await proposals().listProposals({ userId, limit: 1000 }, as("planner"));
    expect(listed.proposals.map((it) => it.id)).not.toContain(proposalId);
    const hidden = await failureOf(
      proposals().approveProposal({ userId, id: proposalId }, as("planner")),
    );
    expect(hidden).toMatchObject({ code: "NOT_FOUND", reason: "PROPOSAL_NOT_FOUND" });
    expect(
      (await proposals().getProposal({ userId, id: proposalId }, as("reader"))).proposal?.id,
    ).toBe(proposalId);
  });

  it("a server with credentials keeps the idempotency keys of two principals apart", async () => {
    const idempotencyKey = `turn-${protocol().name}`;
    const agent = { userId: "ann", agentId: "plan-1" };
    await memories().add({ namespace: agent, content: "one", idempotencyKey }, as("ann"));
    const { id } = await memories().add(
      { namespace: agent, content: "two", idempotencyKey },
      as("planner"),
    );
    expect((await memories().get({ namespace: agent, id }, as("planner"))).memory?.content).toBe(
      "two",
    );
  });

  it("callers without credentials get only the health of the whole server", async () => {
    const health = createClient(Health, connection().transport);
    expect((await health.check({})).status).toBe(1);
    const named = { service: MemoryProvider.typeName };
    expect(await failureOf(health.check(named))).toMatchObject({ reason: "CREDENTIALS_REQUIRED" });
    expect((await health.check(named, as("operator"))).status).toBe(1);
    expect(await failureOf(health.list({}))).toMatchObject({ reason: "CREDENTIALS_REQUIRED" });
  });
});

describe("a server with credentials", () => {
  const running = () => required(server, "no server");

  it("a server with credentials refuses a call before it reads the request", async () => {
    const path = "/vademecum.v1.MemoryProvider/Add";
    const grpc = await rawGrpcCall(
      running().grpcUrl,
      path,
      Buffer.alloc(0),
      {},
      { keepOpen: true },
    );
    expect(grpc.failure).toMatchObject({ reason: "CREDENTIALS_REQUIRED" });
    const json = await rawJsonCall(running().httpUrl, path, "no JSON at all");
    expect(json).toMatchObject({
      httpStatus: 401,
      failure: { reason: "CREDENTIALS_REQUIRED" },
    });
    const role = await rawJsonCall(
      running().httpUrl,
      path,
      "no JSON at all",
      running().headerOf("reader"),
    );
    expect(role).toMatchObject({ httpStatus: 403, failure: { reason: "ROLE_REQUIRED" } });
    expect((await fetch(`${running().httpUrl}/healthz`)).status).toBe(200);
  });

  it("a call to an unknown path gets the same reply with any credentials, before its request is read", async () => {
    const { grpcUrl, httpUrl } = running();
    const wrongKey = { authorization: `Bearer vdm_${"0".repeat(88)}` };
    const empty = Buffer.alloc(0);
    const open = { keepOpen: true };
    for (const path of ["/vademecum.v1.MemoryProvider/Remember", "/vademecum.v1.Missing/Add"]) {
      const repliesTo = (headers: Readonly<Record<string, string>>) =>
        Promise.all([
          rawGrpcCall(grpcUrl, path, empty, headers, open),
          rawGrpcCall(httpUrl, path, empty, headers, open),
          rawJsonCall(httpUrl, path, "no JSON at all", headers),
        ]);
      const replies = await repliesTo({});
      expect(replies.map(({ failure }) => failure?.code)).toEqual(
        replies.map(() => "UNIMPLEMENTED"),
      );
      expect(await repliesTo(wrongKey)).toEqual(replies);
      expect(await repliesTo(running().headerOf("reader"))).toEqual(replies);
    }
  });

  it("reflection and the health of single services need credentials, and any principal may use them", async () => {
    const connection = nativeGrpc.connect(running());
    onTestFinished(() => connection.close());
    const health = createClient(Health, connection.transport);
    const reflection = createClient(ServerReflection, connection.transport);
    const list = (options = {}) =>
      collect(
        reflection.serverReflectionInfo(
          streamOf([{ messageRequest: { case: "listServices", value: "" } } as const]),
          options,
        ),
      );
    const service = MemoryProvider.typeName;
    const required = { code: "UNAUTHENTICATED", reason: "CREDENTIALS_REQUIRED" };
    await health.check({ service: "" });
    expect(await failureOf(health.check({ service }))).toMatchObject(required);
    expect(await failureOf(list())).toMatchObject(required);
    for (const name of ["reader", "notes-tool", "operator"]) {
      const options = { headers: running().headerOf(name) };
      await health.check({ service }, options);
      expect(await list(options)).toHaveLength(1);
    }
  });

  it("a server does not start with a credentials file that is faulty or that others may read", async () => {
    const own = await startCredentialedServer([{ name: "a", roles: ["reader"] }]);
    await chmod(own.file, 0o644);
    const start = () => startTestServer({ provider: "memory", credentials: own.file });
    await expect(start()).rejects.toThrow("run `chmod 600");
    await chmod(own.file, 0o600);
    await writeFile(own.file, '{"principals":[{"name":"a","roles":["king"]}]}');
    await expect(start()).rejects.toThrow("/principals/0/roles/0");
    await own.stop();
  });
});

describe("a credentials file that changes", () => {
  it("a changed credentials file takes effect at the next check, within 5 seconds, and a faulty file has no effect", async () => {
    /** Runs the next check of the files. Absent while a check is under way. */
    let nextCheck: (() => void) | undefined;
    const time = {
      clock: { nowMs: () => Date.now() },
      timer: {
        after: (delayMs: number, run: () => void) => {
          if (delayMs === checkEveryMs) nextCheck = run;
          return () => undefined;
        },
      },
    };
    const own = await startCredentialedServer(
      [{ name: "a", roles: ["reader"], ...everything }],
      {},
      time,
    );
    const call = () =>
      rawJsonCall(
        own.httpUrl,
        "/vademecum.v1.MemoryProvider/GetAll",
        '{"namespace":{"userId":"u","agentId":"a"}}',
        own.headerOf("a"),
      );
    const check = async (expected: number) => {
      const run = required(nextCheck, "no check is due");
      nextCheck = undefined;
      run();
      await expect.poll(() => nextCheck, { timeout: 60_000 }).toBeDefined();
      expect((await call()).httpStatus).toBe(expected);
    };
    expect((await call()).httpStatus).toBe(200);
    const text = await readFile(own.file, "utf8");
    await writeFile(own.file, text.replace('"a"', '"a", "disabled": true'));
    await check(401);
    await writeFile(own.file, "{");
    await check(401);
    await writeFile(own.file, text);
    await check(200);
    await own.stop();
  });
});
