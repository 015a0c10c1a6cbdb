import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { createClient } from "@connectrpc/connect";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { AdminService } from "#gen/vademecum/v1/admin_pb.js";
import { BlockService } from "#gen/vademecum/v1/block_service_pb.js";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { ProposalService } from "#gen/vademecum/v1/proposal_service_pb.js";
import type { ListAuditEventsRequestSchema } from "#gen/vademecum/v1/server_pb.js";
import { auditFolder } from "../../../src/audit/audit-files.js";
import { findLines, type LineQuery } from "../../../src/audit/find-lines.js";
import { verifyTrail } from "../../../src/audit/verify-trail.js";
import { addPrincipal } from "../../../src/credentials/change-credentials.js";
import { formatCredentials } from "../../../src/credentials/credentials.js";
import { startServerProcess } from "../../faults/server/server-process.js";
import { describeOver } from "../../over-protocols.js";
import {
  type CredentialedServer,
  startCredentialedServer,
} from "../harness/credentialed-server.js";
import { failureOf } from "../harness/failure.js";
import { collect } from "../harness/namespace-client.js";
import { type Connection, nativeGrpc, protocols } from "../harness/protocols.js";
import { startTestServer } from "../harness/test-server.js";

const ann = { users: ["ann-user"], agents: ["*"] };
const principals = [
  { name: "planner", roles: ["writer", "curator", "proposer"], ...ann },
  { name: "reviewer", roles: ["approver", "curator"], ...ann },
] as const;
const namespace = { userId: "ann-user", agentId: "cook-agent" };

let parent: string;
let data: string;

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), "vademecum-trail-"));
  data = join(parent, "data");
});

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
  await rm(parent, { recursive: true });
});

type Line = Readonly<Record<string, unknown>>;

async function found(query: Partial<LineQuery> = {}): Promise<readonly Line[]> {
  const lines: Line[] = [];
  for await (const line of findLines(auditFolder(data), { tenant: "", ...query })) lines.push(line);
  return lines;
}

/** Returns the methods and the outcomes of lines. */
function summary(lines: readonly Line[]): readonly string[] {
  return lines.map(({ method, outcome, reason = "" }) =>
    [String(method).split("/").at(-1), outcome, reason].join(" ").trim(),
  );
}

async function rawText(): Promise<string> {
  const folder = auditFolder(data);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const texts = files.map(({ parentPath, name }) => readFile(join(parentPath, name), "latin1"));
  return (await Promise.all(texts)).join();
}

/** Proposes an edit of a new block. Returns its id, and the user. */
async function propose(connection: Connection, headers: Readonly<Record<string, string>>) {
  const blocks = createClient(BlockService, connection.transport);
  await blocks.putBlock({ userId: "ann-user", label: "persona", body: "old words" }, { headers });
  const { proposal } = await createClient(MemoryProvider, connection.transport).proposeEdit(
    {
      namespace,
      target: { case: "blockLabel", value: "persona" },
      ...{ oldString: "old", newString: "new", reasoning: "because" },
    },
    { headers },
  );
  return { userId: "ann-user", id: proposal?.id ?? "" };
}

describeOver("the audit trail of a server with credentials", protocols, (protocol) => {
  const withServer = async (
    flags: Readonly<Record<string, string>>,
    use: (connection: Connection, server: CredentialedServer) => Promise<void>,
  ): Promise<void> => {
    const all = { provider: "level", embedder: "none", data, ...flags };
    const server = await startCredentialedServer(principals, all);
    const connection = protocol().connect(server);
    try {
      await use(connection, server);
    } finally {
      connection.close();
      await server.stop();
    }
  };

  it("says who changed, decided and was denied what, without texts and ids in clear", async () => {
    let memoryId = "";
    await withServer({}, async (connection, server) => {
      const memories = createClient(MemoryProvider, connection.transport);
      const planner = server.headerOf("planner");
      const actor = { "vademecum-actor": "Ann%20Lee", "x-request-id": "request-7" };
      const headers = { ...server.headerOf("reviewer"), ...actor };
      ({ id: memoryId } = await memories.add(
        { namespace, content: "secret plan" },
        { headers: planner },
      ));
      await collect(memories.search({ namespace, query: "secret" }, { headers: planner }));
      await failureOf(memories.get({ namespace, id: "absent" }, { headers: planner }));
      await failureOf(memories.add({ namespace, content: "x" }));
      const foreign = { userId: "ben-user", agentId: "cook-agent" };
      await failureOf(memories.add({ namespace: foreign, content: "x" }, { headers: planner }));
      const proposals = createClient(ProposalService, connection.transport);
      const unknown = { userId: "ann-user", id: "absent" };
      await failureOf(proposals.approveProposal(unknown, { headers }));
      await proposals.approveProposal(await propose(connection, planner), { headers });
    });
    expect(summary(await found())).toEqual([
      "Add OK",
      "Add UNAUTHENTICATED CREDENTIALS_REQUIRED",
      "Add PERMISSION_DENIED OUT_OF_SCOPE",
      "ApproveProposal NOT_FOUND PROPOSAL_NOT_FOUND",
      "PutBlock OK",
      "ProposeEdit OK",
      "ApproveProposal OK",
    ]);
    expect(summary(await found({ user: "ben-user" }))).toEqual([
      "Add PERMISSION_DENIED OUT_OF_SCOPE",
    ]);
    const own = { user: "ann-user", agent: "cook-agent", id: memoryId };
    expect(summary(await found(own))).toEqual(["Add OK"]);
    expect((await found({ user: "ann-user" })).at(-1)).toMatchObject({
      method: "/vademecum.v1.ProposalService/ApproveProposal",
      ...{ principal: "key:reviewer", actor: "Ann Lee", requestId: "request-7", outcome: "OK" },
      peer: expect.stringMatching(/^127\.0\.0\.1:\d+$/) as string,
      ids: expect.arrayContaining([expect.any(String)]) as unknown,
    });
    expect(await rawText()).not.toMatch(
      /ann-user|ben-user|cook-agent|persona|secret|words|because/,
    );
    expect(await rawText()).not.toContain(memoryId);
    expect((await verifyTrail(auditFolder(data))).fault).toBeUndefined();
  });

  it("of many denied calls, has ten lines a second and the number of the others", async () => {
    await withServer({ audit: "denied" }, async (connection, server) => {
      const memories = createClient(MemoryProvider, connection.transport);
      await memories.add({ namespace, content: "x" }, { headers: server.headerOf("planner") });
      const add = () => failureOf(memories.add({ namespace, content: "x" }));
      await Promise.all(Array.from({ length: 30 }, add));
    });
    const lines = await found();
    expect(lines.length).toBeLessThan(30);
    const calls = lines.map(({ omitted = 1 }) => Number(omitted));
    expect(calls.reduce((sum, each) => sum + each, 0)).toBe(30);
    expect(lines.every(({ outcome }) => outcome === "UNAUTHENTICATED")).toBe(true);
  });

  it("has all calls with --audit all, and none with --audit off", async () => {
    const search = async (connection: Connection, server: CredentialedServer): Promise<void> => {
      const memories = createClient(MemoryProvider, connection.transport);
      const headers = server.headerOf("planner");
      await memories.add({ namespace, content: "x" }, { headers });
      await collect(memories.search({ namespace, query: "x" }, { headers }));
    };
    await withServer({ audit: "off" }, search);
    expect(existsSync(auditFolder(data))).toBe(false);
    await withServer({ audit: "all" }, search);
    expect(summary(await found({ user: "ann-user" }))).toEqual(["Add OK", "Search OK"]);
  });
});

describe("ListAuditEvents", () => {
  const operator = {
    roles: ["operator", "writer", "curator"],
    users: ["*"],
    agents: ["*"],
  } as const;
  const owners = [
    { name: "acme", tenant: "acme", ...operator },
    { name: "bolt", tenant: "bolt", ...operator },
    { name: "planner", roles: ["writer"], ...ann },
  ] as const;
  const open = async (flags: Readonly<Record<string, string>> = {}) => {
    const all = { provider: "level", embedder: "none", data, audit: "all", ...flags };
    const server = await startCredentialedServer(owners, all);
    const connection = nativeGrpc.connect(server);
    ends.push(async () => {
      connection.close();
      await server.stop();
    });
    const admin = createClient(AdminService, connection.transport);
    const memories = createClient(MemoryProvider, connection.transport);
    const as = (name: string) => ({ headers: server.headerOf(name) });
    return {
      memories,
      as,
      list: async (
        name: string,
        query: MessageInitShape<typeof ListAuditEventsRequestSchema> = {},
      ) => (await admin.listAuditEvents(query, as(name))).events,
      forget: (name: string, userId: string) => admin.forgetUser({ userId }, as(name)),
    };
  };

  it("lists the lines of the caller's tenant, the newest first, in pages, and those about a user", async () => {
    const { memories, as, list, forget } = await open();
    for (const [userId, content] of [
      ["ann", "tea"],
      ["ben", "tea"],
      ["ann", "a bicycle"],
    ] as const)
      await memories.add({ namespace: { userId, agentId: "a" }, content }, as("acme"));
    await memories.add({ namespace: { userId: "ann", agentId: "a" }, content: "x" }, as("bolt"));
    const all = await list("acme");
    expect(all.map(({ method, principal, code }) => [method, principal, code])).toEqual(
      Array.from({ length: 3 }, () => ["vademecum.v1.MemoryProvider/Add", "key:acme", "OK"]),
    );
    expect(all.map(({ userPseudonym }) => userPseudonym === all[0]?.userPseudonym)).toEqual([
      ...[true, false, true],
    ]);
    expect(all[0]).toMatchObject({
      ...{ requestId: expect.stringMatching(/./) as string, omitted: 0n, trailEvent: "" },
      ...{ recordPseudonyms: [expect.any(String)], time: expect.anything() as unknown },
    });
    const first = await list("acme", { limit: 2 });
    const beforeNumber = first.at(-1)?.number ?? 0n;
    const calls = (events: typeof first) => events.filter(({ method }) => method.endsWith("/Add"));
    const rest = calls(await list("acme", { beforeNumber }));
    expect([...calls(first), ...rest].map(({ number }) => number)).toEqual(
      all.map(({ number }) => number),
    );
    const ofBen = await list("acme", { userId: "ben" });
    expect(calls(ofBen).map(({ number }) => number)).toEqual([all[1]?.number]);
    expect(calls(await list("bolt"))).toHaveLength(1);
    expect(await list("acme", { since: timestampFromMs(Date.now() + 3_600_000) })).toEqual([]);
    await forget("acme", "ben");
    expect(await list("acme", { userId: "ben" })).toEqual([]);
  });

  it("needs the role operator, a trail, and one of a user and a run", async () => {
    const { list } = await open();
    expect(await failureOf(list("planner"))).toMatchObject({ reason: "ROLE_REQUIRED" });
    expect(await failureOf(list("acme", { userId: "ann", runId: "r" }))).toMatchObject({
      ...{ code: "INVALID_ARGUMENT", fields: ["run_id"] },
    });
    data = join(parent, "other");
    const other = await open({ audit: "off" });
    expect(await failureOf(other.list("acme"))).toMatchObject({
      ...{ code: "FAILED_PRECONDITION", reason: "NO_AUDIT_TRAIL" },
    });
  });
});

it("a stream of additions has a line for each of its users", async () => {
  const flags = { provider: "level", embedder: "none", data, audit: "changes" };
  const server = await startTestServer(flags);
  const connection = nativeGrpc.connect(server);
  const items = async function* () {
    for (const [i, userId] of ["ann-user", "ben-user", "ann-user"].entries())
      yield { clientId: `${i}`, add: { namespace: { userId, agentId: "a" }, content: `x ${i}` } };
  };
  await collect(createClient(MemoryProvider, connection.transport).addBatch(items()));
  connection.close();
  await server.stop();
  expect(summary(await found())).toEqual(["AddBatch OK", "AddBatch OK"]);
  expect(summary(await found({ user: "ben-user" }))).toEqual(["AddBatch OK"]);
});

it("a server without credentials has no audit trail, unless it is told so", async () => {
  const flags = { provider: "level", embedder: "none", data };
  await (await startTestServer(flags)).stop();
  expect(existsSync(auditFolder(data))).toBe(false);
  const server = await startTestServer({ ...flags, audit: "changes" });
  const connection = nativeGrpc.connect(server);
  const memories = createClient(MemoryProvider, connection.transport);
  await memories.add({ namespace, content: "x" });
  connection.close();
  await server.stop();
  expect(await found({ user: "ann-user" })).toMatchObject([
    { principal: "anonymous", outcome: "OK" },
  ]);
});

it("approvals are in the trail of a server that is killed right after its replies", async () => {
  const file = join(parent, "credentials.json");

  const planner = addPrincipal({ principals: [] }, principals[0], { nowMs: Date.now() });
  const both = addPrincipal(planner.credentials, principals[1], { nowMs: Date.now() });
  await writeFile(file, formatCredentials(both.credentials), { mode: 0o600 });
  const flags = ["--credentials", file, "--embedder", "none"];
  for (const round of [1, 2]) {
    const server = await startServerProcess(data, { flags });
    const connection = nativeGrpc.connect(server);
    const proposal = await propose(connection, { authorization: `Bearer ${planner.key}` });
    const proposals = createClient(ProposalService, connection.transport);
    const headers = { authorization: `Bearer ${both.key}` };
    await proposals.approveProposal(proposal, { headers });
    await server.end("SIGKILL");
    connection.close();
    const approvals = (await found({ user: "ann-user" })).filter(({ method }) =>
      String(method).endsWith("/ApproveProposal"),
    );
    expect(approvals).toHaveLength(round);
    expect((await found({ user: "ann-user", id: proposal.id })).at(-1)).toEqual(approvals.at(-1));
    expect((await verifyTrail(auditFolder(data))).fault).toBeUndefined();
  }
});

it("a server whose trail cannot be written refuses no call, and says so", async () => {
  await mkdir(data);
  await writeFile(auditFolder(data), "no folder");
  let log = "";
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      log += chunk.toString();
      done();
    },
  });
  const flags = { provider: "level", embedder: "none", data };
  const server = await startCredentialedServer(principals, flags, undefined, undefined, output);
  const connection = nativeGrpc.connect(server);
  const { approveProposal } = createClient(ProposalService, connection.transport);
  const proposal = await propose(connection, server.headerOf("planner"));
  const approved = await approveProposal(proposal, { headers: server.headerOf("reviewer") });
  expect(approved.alreadyDecided).toBe(false);
  connection.close();
  await server.stop();
  expect(log.match(/cannot write the audit trail/g)).toHaveLength(1);
});

it("the trail goes on in a folder from which all else was removed", async () => {
  const flags = { provider: "level", embedder: "none", data, audit: "changes" };
  const addOne = async (): Promise<void> => {
    const server = await startTestServer(flags);
    const connection = nativeGrpc.connect(server);
    await createClient(MemoryProvider, connection.transport).add({ namespace, content: "x" });
    connection.close();
    await server.stop();
  };
  await addOne();
  for (const name of await readdir(data))
    if (name !== "audit") await rm(join(data, name), { recursive: true });
  await addOne();
  expect(await verifyTrail(auditFolder(data))).toMatchObject({ first: 1, last: { number: 2 } });
});
