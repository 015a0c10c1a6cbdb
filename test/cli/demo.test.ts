import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, expect, it } from "vitest";
import { AdminService } from "#gen/vademecum/v1/admin_pb.js";
import { ProposalStatus } from "#gen/vademecum/v1/proposal_pb.js";
import { Applicability, ProposalService } from "#gen/vademecum/v1/proposal_service_pb.js";
import { ToolService } from "#gen/vademecum/v1/tool_service_pb.js";
import { fillDemoFolder } from "../../src/cli/demo/fill-demo-folder.js";
import { startTestServer, type TestServer } from "../e2e/harness/test-server.js";
import { runCommand } from "./run-command.js";

let folder: string;
let server: TestServer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "vademecum-demo-test-"));
  const data = join(folder, "data");
  await fillDemoFolder(data, Date.now(), new Writable({ write: (_, __, done) => done() }));
  server = await startTestServer({ provider: "level", data });
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true });
});

const transport = () => createConnectTransport({ baseUrl: server.httpUrl, httpVersion: "1.1" });

it("the example has two users and three agents", async () => {
  const admin = createClient(AdminService, transport());
  const { users } = await admin.listUsers({});
  expect(users.map(({ userId }) => userId)).toEqual(["ada", "ben"]);
  const { namespaces } = await admin.listNamespaces({});
  const agents = new Set(namespaces.map(({ namespace }) => namespace?.agentId));
  expect(agents).toEqual(new Set(["guide", "sommelier", "tutor"]));
});

it("the example has proposals in every state, and waiting ones in every group", async () => {
  const client = createClient(ProposalService, transport());
  const { proposals } = await client.listProposals({ limit: 100 });
  const { APPROVED, CONFLICTED, EXPIRED, PENDING, REJECTED } = ProposalStatus;
  expect(new Set(proposals.map(({ status }) => status))).toEqual(
    new Set([PENDING, APPROVED, REJECTED, CONFLICTED, EXPIRED]),
  );
  const waiting = proposals.filter(({ status }) => status === PENDING);
  const previews = await Promise.all(
    waiting.map(({ namespace, id }) => client.getProposal({ userId: namespace?.userId ?? "", id })),
  );
  const found = new Set(previews.map(({ preview }) => preview?.applicability));
  expect(found).toContain(Applicability.APPLIES);
  expect(found).toContain(Applicability.APPLIES_TO_CHANGED_TEXT);
  expect(found).toContain(Applicability.TEXT_CHANGED);
  expect(waiting.some(({ repeatOf }) => repeatOf !== undefined)).toBe(true);
});

it("a tool of the example was denied a query", async () => {
  const tools = createClient(ToolService, transport());
  const { turns } = await tools.listTurns({ userId: "ada", agentId: "sommelier" });
  expect(turns.some(({ denied }) => denied > 0)).toBe(true);
  expect(turns.some(({ truncated }) => truncated > 0)).toBe(true);
});

it("the command does not fill a folder that has something in it", async () => {
  const data = join(folder, "other");
  await writeFile(data, "");
  const file = await runCommand(["demo", "--data", data]);
  expect([file.exitCode, file.stderr]).toEqual([2, expect.stringContaining("--data")]);
  const full = await runCommand(["demo", "--data", folder]);
  expect([full.exitCode, full.stderr]).toEqual([2, expect.stringContaining("not empty")]);
});
