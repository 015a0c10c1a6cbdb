import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ConnectError, createClient } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { QuotaFailureSchema } from "#gen/google/rpc/error_details_pb.js";
import { BlockService } from "#gen/vademecum/v1/block_service_pb.js";
import { KeyValueService } from "#gen/vademecum/v1/key_value_service_pb.js";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { SkillService } from "#gen/vademecum/v1/skill_service_pb.js";
import { ToolService } from "#gen/vademecum/v1/tool_service_pb.js";
import { roles } from "../../src/core/model/principal.js";
import type { Credentials } from "../../src/credentials/credentials.js";
import { type CredentialedServer, startCredentialedServer } from "./harness/credentialed-server.js";
import { describeFailure, failureOf } from "./harness/failure.js";
import { callMethod } from "./harness/generic-call.js";
import { required } from "./harness/namespace-client.js";
import { nativeGrpc } from "./harness/protocols.js";
import { useConnection } from "./harness/use-connection.js";

const limitBytes = 1024 * 1024;
const everything = { roles, users: ["*"], agents: ["*"], runs: ["*"], tools: ["*"] };
const principals = [
  { name: "limited", ...everything, limits: { quota_total_bytes: limitBytes } },
  { name: "free", ...everything },
  { name: "one", ...everything, tenant: "acme" },
  { name: "two", ...everything, tenant: "acme" },
] as const;
const exceeded = { code: "RESOURCE_EXHAUSTED", reason: "QUOTA_EXCEEDED" };
/** Texts that do not repeat, so that no store could keep them in less space. */
const text = (bytes: number): string => randomBytes(bytes / 2).toString("hex");

describe("quota_total_bytes", () => {
  let folder: string;
  let server: CredentialedServer | undefined;
  const start = async (): Promise<void> => {
    const flags = { provider: "level", data: join(folder, "data"), embedder: "none" };
    const limit = (credentials: Credentials): Credentials => ({
      ...credentials,
      tenants: [{ name: "acme", quota_total_bytes: 100_000 }],
    });
    server = await startCredentialedServer(principals, flags, undefined, limit);
  };
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "vademecum-total-"));
    await start();
  });
  afterAll(async () => {
    await server?.stop();
    await rm(folder, { recursive: true });
  });
  const connect = useConnection(
    () => nativeGrpc,
    () => server,
  );
  const as = (name: string) => ({ headers: required(server, "no server").headerOf(name) });

  let unique = 0;
  /** One write of each kind, each to another user or run, of at least so many bytes. */
  const kinds: Readonly<Record<string, (name: string, bytes: number) => Promise<unknown>>> = {
    memory: (name, bytes) =>
      createClient(MemoryProvider, connect().transport).add(
        { namespace: { userId: `user ${++unique}`, agentId: "a" }, content: text(bytes) },
        as(name),
      ),
    note: (name, bytes) =>
      createClient(KeyValueService, connect().transport).writeKey(
        { runId: `run ${++unique}`, key: "k", value: text(bytes) },
        as(name),
      ),
    block: (name, bytes) =>
      createClient(BlockService, connect().transport).putBlock(
        { userId: `user ${++unique}`, label: "b", body: text(bytes) },
        as(name),
      ),
    skill: (name, bytes) =>
      createClient(SkillService, connect().transport).storeSkill(
        {
          namespace: { userId: `user ${++unique}`, agentId: "a" },
          context: "c",
          lesson: text(Math.min(bytes, 8_000)),
        },
        as(name),
      ),
    manifest: (name) =>
      createClient(ToolService, connect().transport).registerTool(
        { manifest: { toolId: `tool ${++unique}`, version: "1" } },
        as(name),
      ),
    reply: (name) =>
      createClient(KeyValueService, connect().transport).deleteKey(
        { runId: `run ${++unique}`, key: "k", idempotencyKey: text(128) },
        as(name),
      ),
  };

  it("a key with 1 MiB cannot store more by making new users and runs", async () => {
    let writes = 0;
    let refused: unknown;
    while (refused === undefined && writes < 200) {
      const write = Object.values(kinds)[writes++ % 4] as (typeof kinds)[string];
      refused = await write("limited", 32_000).then(
        () => undefined,
        (error: unknown) => error,
      );
    }
    // Memories, notes and blocks of 32,000 bytes and skills of 8,000 bytes.
    expect(writes).toBeGreaterThan(30);
    expect(writes).toBeLessThan(limitBytes / 26_000 + 2);
    const { add } = MemoryProvider.method;
    const request = { namespace: { userId: "one more", agentId: "a" }, content: text(60_000) };
    const { transport } = connect();
    const outcome = await callMethod(transport, add, [request], as("limited").headers);
    const error = required(outcome.error, "no error");
    expect(describeFailure(error)).toMatchObject({
      ...exceeded,
      metadata: { quota: "total_bytes", limit: String(limitBytes) },
    });
    expect(error.rawMessage).toMatch(
      /^the principal would hold \d+ bytes in all users and runs; quota_total_bytes is 1048576\. Delete/,
    );
    expect(error.findDetails(QuotaFailureSchema)[0]?.violations[0]?.subject).toBe(
      "principal:key:limited",
    );
    await kinds["memory"]?.("free", 32_000);
  });

  it.each(Object.keys(kinds))("a full principal stores no %s without end", async (kind) => {
    const write = kinds[kind] as (typeof kinds)[string];
    let refused: unknown;
    for (let n = 0; n < 1_000 && refused === undefined; n++)
      refused = await write("limited", 8_000).then(
        () => undefined,
        (error: unknown) => error,
      );
    expect(describeFailure(ConnectError.from(refused))).toMatchObject(exceeded);
  });

  it("a full principal can delete, and then store again", async () => {
    const memories = createClient(MemoryProvider, connect().transport);
    const namespace = { userId: "freed", agentId: "a" };
    const { id } = await memories.add({ namespace, content: text(60_000) }, as("free"));
    expect((await memories.delete({ namespace, id }, as("limited"))).deleted).toBe(true);
    // Replies to deletions may have taken 64 KiB above the limit.
    const blocks = createClient(BlockService, connect().transport);
    for (const userId of ["user 3", "user 7", "user 11", "user 15"]) {
      const block = { userId, label: "b", idempotencyKey: userId };
      expect((await blocks.deleteBlock(block, as("limited"))).deleted).toBe(true);
    }
    await kinds["memory"]?.("limited", 8_000);
  });

  it("the limit of a tenant holds for all of its principals together", async () => {
    await kinds["memory"]?.("one", 60_000);
    await kinds["note"]?.("two", 32_000);
    expect(await failureOf(kinds["memory"]?.("one", 32_000) ?? Promise.resolve())).toMatchObject({
      ...exceeded,
      metadata: { quota: "total_bytes", limit: "100000" },
    });
  });

  it("the totals stay the same after a restart", async () => {
    await required(server, "no server").stop();
    await start();
    const connection = nativeGrpc.connect(required(server, "no server"));
    try {
      const memories = createClient(MemoryProvider, connection.transport);
      const add = (name: string, bytes: number) =>
        memories.add(
          { namespace: { userId: "late", agentId: "a" }, content: text(bytes) },
          as(name),
        );
      const attempts = async () => {
        for (let n = 0; n < 20; n++) await add("limited", 60_000);
      };
      expect(await failureOf(attempts())).toMatchObject(exceeded);
      expect(await failureOf(add("one", 32_000))).toMatchObject(exceeded);
      await add("free", 60_000);
    } finally {
      connection.close();
    }
  });
});
