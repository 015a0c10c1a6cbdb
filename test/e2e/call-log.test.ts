import { PassThrough } from "node:stream";
import { createClient } from "@connectrpc/connect";
import { afterAll, beforeAll, expect, it } from "vitest";
import { AdminService } from "#gen/vademecum/v1/admin_pb.js";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { describeOver } from "../over-protocols.js";
import { type CredentialedServer, startCredentialedServer } from "./harness/credentialed-server.js";
import { failureOf } from "./harness/failure.js";
import { collect, required } from "./harness/namespace-client.js";
import { nativeGrpc, protocols } from "./harness/protocols.js";
import { startTestServer } from "./harness/test-server.js";
import { useConnection } from "./harness/use-connection.js";

const principals = [{ name: "ann", roles: ["writer"], users: ["*"], agents: ["*"] }] as const;
const namespace = { userId: "u", agentId: "a" };

describeOver("the log of calls at level debug", protocols, (protocol) => {
  let lines: Record<string, unknown>[] = [];
  let text = "";
  let server: CredentialedServer | undefined;
  beforeAll(async () => {
    const output = new PassThrough().on("data", (chunk: Buffer) => {
      text += String(chunk);
      for (const line of String(chunk).trim().split("\n"))
        lines.push(JSON.parse(line) as Record<string, unknown>);
    });
    const flags = { embedder: "none", "log-level": "debug" };
    server = await startCredentialedServer(principals, flags, undefined, undefined, output);
  });
  afterAll(() => server?.stop());
  const connection = useConnection(protocol, () => server);
  const memories = () => createClient(MemoryProvider, connection().transport);
  const as = () => ({ headers: required(server, "no server").headerOf("ann") });
  const callsOf = async (run: () => Promise<unknown>) => {
    lines = [];
    await run();
    return lines.filter(({ msg }) => msg === "a call ended" || msg === "a call failed");
  };
  const line = (name: string, code: string, more: object = {}) => ({
    ...{ level: "debug", msg: "a call ended", principal: "key:ann", code },
    method: `/vademecum.v1.MemoryProvider/${name}`,
    time: expect.any(String) as string,
    peer: expect.stringMatching(/^127\.0\.0\.1:\d+$/) as string,
    requestId: expect.stringMatching(/^[-0-9a-f]{36}$/) as string,
    durationMs: expect.any(Number) as number,
    requestBytes: expect.any(Number) as number,
    replyBytes: expect.any(Number) as number,
    ...more,
  });

  const failed = { level: "info", msg: "a call failed", replyBytes: 0 };

  it("each call has a line with its caller, code, duration and sizes, and no texts", async () => {
    const calls = await callsOf(async () => {
      await memories().add({ namespace, content: "the secret plan" }, as());
      await failureOf(memories().get({ namespace, id: "none" }, as()));
      await failureOf(memories().add({ namespace, content: "" }, as()));
      await collect(memories().search({ namespace, query: "secret plan" }, as()));
      await failureOf(memories().add({ namespace, content: "the secret plan" }));
    });
    expect(calls).toEqual([
      line("Add", "OK"),
      line("Get", "NOT_FOUND", { ...failed, reason: "MEMORY_NOT_FOUND" }),
      line("Add", "INVALID_ARGUMENT", { ...failed, reason: "INVALID_FIELD" }),
      line("Search", "OK"),
      line("Add", "UNAUTHENTICATED", {
        ...{ principal: undefined, reason: "CREDENTIALS_REQUIRED" },
        ...{ requestBytes: 0, replyBytes: 0 },
      }),
    ]);
    const [added, , , searched] = calls;
    expect(added?.["requestBytes"]).toBeGreaterThan(15);
    expect(added?.["replyBytes"]).toBeGreaterThan(30);
    expect(searched?.["replyBytes"]).toBeGreaterThan(15);
    expect(text).not.toContain("secret plan");
  });
});

it("a server without credentials logs copies of all data and prunes", async () => {
  let text = "";
  const output = new PassThrough().on("data", (chunk: Buffer) => {
    text += String(chunk);
  });
  const server = await startTestServer({ embedder: "none" }, undefined, output);
  const connection = nativeGrpc.connect(server);
  const admin = createClient(AdminService, connection.transport);
  await collect(admin.backup({}));
  await admin.prune({});
  connection.close();
  await server.stop();
  const decided = text
    .split("\n")
    .filter((line) => line.includes('"a call decided"'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(decided).toMatchObject([
    { method: "/vademecum.v1.AdminService/Backup", principal: "anonymous" },
    { method: "/vademecum.v1.AdminService/Prune", principal: "anonymous", dryRun: false },
  ]);
});
