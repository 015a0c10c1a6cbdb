import { Writable } from "node:stream";
import { createClient } from "@connectrpc/connect";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { AdminService } from "#gen/vademecum/v1/admin_pb.js";
import { BlockService } from "#gen/vademecum/v1/block_service_pb.js";
import { MemoryType } from "#gen/vademecum/v1/memory_pb.js";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { ProposalService } from "#gen/vademecum/v1/proposal_service_pb.js";
import { ToolService } from "#gen/vademecum/v1/tool_service_pb.js";
import { describeOver } from "../../over-protocols.js";
import { createManualTimer } from "../../server/manual-timer.js";
import {
  type CredentialedServer,
  startCredentialedServer,
} from "../harness/credentialed-server.js";
import { failureOf } from "../harness/failure.js";
import { required } from "../harness/namespace-client.js";
import { protocols } from "../harness/protocols.js";
import { useConnection } from "../harness/use-connection.js";

type Line = Readonly<Record<string, unknown>>;

let server: CredentialedServer | undefined;
let lines: Line[] = [];
const output = new Writable({
  write(chunk: Buffer, _encoding, done) {
    for (const line of chunk.toString().split("\n").filter(Boolean))
      lines.push(JSON.parse(line) as Line);
    done();
  },
});

let users = 0;

describeOver("the log of a server with credentials", protocols, (protocol) => {
  // Each protocol has a server of its own, because a server logs at most ten lines of a kind in a
  // second.
  beforeAll(async () => {
    const own = { users: ["ann"], agents: ["*"] };
    server = await startCredentialedServer(
      [
        { name: "planner", roles: ["writer", "curator", "proposer", "approver"], ...own },
        { name: "reviewer", roles: ["approver", "curator"], ...own },
        { name: "reader", roles: ["reader"], ...own },
        { name: "keeper", roles: ["operator"] },
      ],
      { embedder: "none" },
      undefined,
      undefined,
      output,
    );
  });
  afterAll(() => server?.stop());

  const connection = useConnection(protocol, () => server);
  const memories = () => createClient(MemoryProvider, connection().transport);
  const as = (name: string, more: Readonly<Record<string, string>> = {}) => ({
    headers: { ...required(server, "no server").headerOf(name), ...more },
  });
  const namespace = { userId: "ann", agentId: "a" };
  /** Runs `cause`. Returns the log lines about denied and decided calls, without level and time. */
  const linesOf = async (cause: () => Promise<unknown>) => {
    lines = [];
    await cause();
    return lines
      .filter(({ msg }) => msg === "a call was denied" || msg === "a call decided")
      .map(({ level: _level, time: _time, ...facts }) => facts);
  };
  const peer = expect.stringMatching(/^127\.0\.0\.1:\d+$/) as string;
  const requestId = expect.any(String) as string;
  const decided = (name: string) => ({
    ...{ principal: `key:${name}`, requestId, msg: "a call decided" },
  });
  const pathOf = (name: string) => `/vademecum.v1.${name}`;

  it("the log has a line for each backup, after its stream has ended", async () => {
    const admin = createClient(AdminService, connection().transport);
    const found = await linesOf(async () => {
      for await (const _ of admin.backup({}, as("keeper")));
    });
    expect(found).toEqual([{ ...decided("keeper"), method: pathOf("AdminService/Backup") }]);
  });

  it("the log has a line for a backup that the client ended early", async () => {
    const admin = createClient(AdminService, connection().transport);
    lines = [];
    for await (const _ of admin.backup({}, as("keeper"))) break;
    await vi.waitFor(
      () =>
        expect(lines).toContainEqual(
          expect.objectContaining({ method: pathOf("AdminService/Backup"), msg: "a call decided" }),
        ),
      { timeout: 60_000 },
    );
  });

  it("the log has a line with the range for each HoldWrites call that holds, moves or releases, and none for calls that list or renew", async () => {
    const admin = createClient(AdminService, connection().transport);
    const range = { first: 3, last: 5 };
    const movedTo = "http://127.0.0.1:9";
    const found = await linesOf(async () => {
      await admin.holdWrites({ listOnly: true }, as("keeper"));
      const { holdId } = await admin.holdWrites({ range }, as("keeper"));
      await admin.holdWrites({ range, holdId }, as("keeper"));
      await admin.holdWrites({ range, holdId, movedTo, movedToStore: "there" }, as("keeper"));
      await admin.holdWrites({ range: {}, release: true }, as("keeper"));
    });
    const held = { ...decided("keeper"), method: pathOf("AdminService/HoldWrites") };
    const target = { address: movedTo, storeId: "there" };
    expect(found).toEqual([
      { ...held, action: "hold", range },
      { ...held, action: "move", range, holdId: expect.any(String) as unknown, target },
      { ...held, action: "release", range: { first: 0, last: 0xffff_ffff } },
    ]);
  });

  it("the log has a line for each call that changes manifests, or deletes by filter or by age", async () => {
    const tools = createClient(ToolService, connection().transport);
    const admin = createClient(AdminService, connection().transport);
    const type = MemoryType.EPISODIC;
    const memoryAccess = [{ memoryType: type, enabled: true, kinds: ["private words"] }];
    const deletion = { namespace, filter: { contentContains: "private words" } };
    const found = await linesOf(async () => {
      const manifest = { toolId: "wine", version: "1", memoryAccess };
      await tools.registerTool({ manifest }, as("keeper"));
      await tools.deleteTool({ toolId: "wine" }, as("keeper"));
      await memories().deleteWhere({ ...deletion, dryRun: true }, as("planner"));
      await memories().deleteWhere(deletion, as("planner"));
      await admin.prune({ dryRun: true }, as("keeper"));
    });
    const keeper = decided("keeper");
    const tool = { method: pathOf("ToolService/RegisterTool"), toolId: "wine", version: "1" };
    expect(found).toEqual([
      { ...tool, ...keeper, reads: ["EPISODIC"], writes: [] },
      { ...keeper, method: pathOf("ToolService/DeleteTool"), toolId: "wine" },
      { ...decided("planner"), method: pathOf("MemoryProvider/DeleteWhere") },
      { ...keeper, method: pathOf("AdminService/Prune"), dryRun: true, acceptClock: false },
    ]);
    expect(JSON.stringify(lines)).not.toContain("private");
  });

  it("the log names each denied call with its reason and its principal", async () => {
    const add = (userId: string, options = {}) =>
      failureOf(memories().add({ namespace: { userId, agentId: "a" }, content: "x" }, options));
    const secret = { headers: { authorization: "Bearer vdm_secret" } };
    const found = await linesOf(async () => {
      await add("ann");
      await add("ann", secret);
      await add("ann", as("reader"));
      await add("bob", as("planner"));
    });
    const from = { peer, requestId };
    const denied = { method: pathOf("MemoryProvider/Add"), msg: "a call was denied", ...from };
    expect(found).toEqual([
      { ...denied, reason: "CREDENTIALS_REQUIRED" },
      { ...denied, reason: "CREDENTIALS_REFUSED" },
      { ...denied, reason: "ROLE_REQUIRED", principal: "key:reader" },
      { ...denied, reason: "OUT_OF_SCOPE", principal: "key:planner" },
    ]);
    expect(JSON.stringify(lines)).not.toContain("secret");
  });

  it("a server that stops has logged or counted every denied call", async () => {
    const time = { clock: { nowMs: () => Date.now() }, timer: createManualTimer() };
    const flags = { embedder: "none" };
    const own = await startCredentialedServer([], flags, time, undefined, output);
    const client = protocol().connect(own);
    const found = await linesOf(async () => {
      const add = createClient(MemoryProvider, client.transport).add;
      for (let i = 0; i < 12; i++) await failureOf(add({ namespace, content: "x" }));
      client.close();
      await own.stop();
    });
    expect(found).toHaveLength(10);
    expect(lines).toContainEqual(
      expect.objectContaining({
        reason: "CREDENTIALS_REQUIRED",
        omitted: 2,
        msg: "further calls were denied",
      }),
    );
  });

  it("the log names who decided what, but no users and records, and who tried to approve an edit of their own", async () => {
    const label = `label ${++users}`;
    const blocks = createClient(BlockService, connection().transport);
    const proposals = createClient(ProposalService, connection().transport);
    await blocks.putBlock({ userId: "ann", label, body: "private words" }, as("planner"));
    const target = { case: "blockLabel", value: label } as const;
    const edit = { oldString: "private", newString: "public", reasoning: "because" };
    const { proposal } = await memories().proposeEdit(
      { namespace, target, ...edit },
      as("planner"),
    );
    const decision = { userId: "ann", id: proposal?.id ?? "" };
    const found = await linesOf(async () => {
      await failureOf(proposals.approveProposal(decision, as("planner")));
      await proposals.approveProposal(decision, as("reviewer", { "vademecum-actor": "Ann%20Lee" }));
      await memories().reset(
        { target: { case: "namespace", value: namespace } },
        as("reviewer", { "vademecum-actor": "%" }),
      );
    });
    const method = pathOf("ProposalService/ApproveProposal");
    const reviewer = decided("reviewer");
    const own = { principal: "key:planner", reason: "SELF_APPROVAL", peer, requestId };
    expect(found).toEqual([
      { method, ...own, msg: "a call was denied" },
      { method, ...reviewer, actor: "Ann Lee" },
      { method: pathOf("MemoryProvider/Reset"), ...reviewer, target: "namespace" },
    ]);
    expect(JSON.stringify(lines)).not.toMatch(/private|"ann"/);
    expect(JSON.stringify(lines)).not.toContain(label);
    expect(JSON.stringify(lines)).not.toContain(decision.id);
  });
});
