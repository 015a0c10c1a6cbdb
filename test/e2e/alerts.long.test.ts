import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { type Client, createClient } from "@connectrpc/connect";
import { beforeAll, beforeEach, expect, it, onTestFinished } from "vitest";
import { AdminService } from "#gen/vademecum/v1/admin_pb.js";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { auditFolder } from "../../src/audit/audit-files.js";
import type { EndedCall } from "../../src/core/ports/ended-call.js";
import { createMetrics } from "../../src/metrics/metrics.js";
import { openDatabase } from "../../src/store/level/folder/database.js";
import { startTestEndpoint } from "../embed/openai/test-endpoint.js";
import { createManualTimer } from "../server/manual-timer.js";
import { fires, type Reading, readAlertRules } from "./harness/alert-rules.js";
import { startCredentialedServer } from "./harness/credentialed-server.js";
import { failureOf } from "./harness/failure.js";
import { required } from "./harness/namespace-client.js";
import { nativeGrpc } from "./harness/protocols.js";
import { startTestServer, type TestServer } from "./harness/test-server.js";
import { WebhookReceiver, webhookSecret } from "./harness/webhook-receiver.js";

const namespace = { userId: "ann", agentId: "cook" };
// Images have copies of the records, which would answer in place of damaged ones.
const level = { provider: "level", embedder: "none", images: "off", metrics: "127.0.0.1:0" };

let rules: ReadonlyMap<string, string>;
let folder = "";
beforeAll(async () => {
  rules = await readAlertRules();
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "vademecum-alerts-"));
  onTestFinished(() => rm(folder, { recursive: true }));
});

async function read({ metricsUrl }: TestServer): Promise<Reading> {
  return (await fetch(required(metricsUrl, "no metrics"))).text();
}

/**
 * Returns the names of the alerts that two readings fire. The delay of the event loop depends on
 * what else this machine does, so its alert has a case of its own.
 */
function alertsOf(before: Reading, now: Reading): readonly string[] {
  const fired = [...rules].filter(([, expr]) => fires(expr, before, now));
  return fired.map(([name]) => name).filter((name) => name !== eventLoopSlow);
}

const eventLoopSlow = "VademecumEventLoopSlow";

async function start(flags: Readonly<Record<string, string>> = {}): Promise<TestServer> {
  const server = await startTestServer({ ...level, data: join(folder, "data"), ...flags });
  onTestFinished(() => server.stop().catch(() => undefined));
  return server;
}

/** Calls a server. Resolves when the connection is closed. */
async function call<T>(
  server: TestServer,
  use: (memories: Client<typeof MemoryProvider>) => Promise<T>,
): Promise<T> {
  const connection = nativeGrpc.connect(server);
  try {
    return await use(createClient(MemoryProvider, connection.transport));
  } finally {
    connection.close();
  }
}

const tea = { namespace, content: "Ann likes tea" };

it("a server at rest fires no alert, and one that is gone fires VademecumDown", async () => {
  const server = await start();
  const before = await read(server);
  await call(server, (memories) => memories.add(tea));
  const now = await read(server);
  expect(alertsOf(before, now)).toEqual([]);
  await server.stop();
  const gone = await read(server).catch(() => undefined);
  expect(alertsOf(now, gone)).toEqual(["VademecumDown"]);
});

it("a small disk fires VademecumDiskLow", async ({ skip }) => {
  const disk = join(folder, "disk");
  await mkdir(disk);
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=300m", "tmpfs", disk], { stdio: "ignore" });
  } catch {
    skip("this machine does not allow to mount a tmpfs");
  }
  const server = await startTestServer({ ...level, data: join(disk, "data") });
  try {
    const reading = await read(server);
    expect(alertsOf(reading, reading)).toEqual(["VademecumDiskLow"]);
  } finally {
    await server.stop();
    execFileSync("umount", [disk]);
  }
});

it("a lost record fires VademecumDamage", async () => {
  const first = await start();
  await call(first, (memories) => memories.add(tea));
  await first.stop();
  const database = await openDatabase(join(folder, "data", "records"), { createIfMissing: false });
  for await (const [key, value] of database.iterator())
    if (value.includes(tea.content)) await database.del(key);
  await database.close();
  const server = await start();
  const before = await read(server);
  const search = { namespace, query: "tea" };
  const { code } = await call(server, (memories) => failureOf(memories.recall({ search })));
  expect(code).toBe("DATA_LOSS");
  expect(alertsOf(before, await read(server))).toEqual(["VademecumDamage"]);
});

it("a call that keeps the processor fires VademecumEventLoopSlow", async () => {
  const server = await start();
  await read(server);
  for (const busyMs of [50, 1_000]) {
    // The measurement begins with the first turn of the loop after a reading.
    await setImmediate();
    const endMs = performance.now() + busyMs;
    while (performance.now() < endMs);
  }
  const reading = await read(server);
  expect(fires(required(rules.get(eventLoopSlow), "no rule"), reading, reading)).toBe(true);
});

it("more calls than the message buffer takes fire VademecumBacklog", async () => {
  const server = await start({ "message-buffer": "32MiB" });
  const readings: Reading[] = [];
  await call(server, async ({ add }) => {
    const one = (i: number) => add({ ...tea, namespace: { ...namespace, userId: `user-${i}` } });
    const calls = Promise.all(Array.from({ length: 250 }, (_, i) => one(i))).then(() => "done");
    const reading = async () => readings.push(await read(server));
    while ((await Promise.race([calls, reading()])) !== "done");
  });
  expect(readings.flatMap((now) => alertsOf(now, now))).toContain("VademecumBacklog");
});

it("callers without a key fire VademecumRefusals", async () => {
  const server = await startCredentialedServer([], { ...level, data: join(folder, "data") });
  onTestFinished(() => server.stop());
  const refused = (times: number) =>
    call(server, async ({ get }) => {
      for (let i = 0; i < times; i++) await failureOf(get({ namespace, id: "m" }));
    });
  await refused(1);
  const before = await read(server);
  await refused(301);
  expect(alertsOf(before, await read(server))).toEqual(["VademecumRefusals"]);
});

it("a faulty credentials file fires VademecumCredentialsStale", async () => {
  const server = await startCredentialedServer([], { ...level, data: join(folder, "data") });
  onTestFinished(() => server.stop());
  await writeFile(server.file, "no credentials");
  await server.refreshTrust();
  const reading = await read(server);
  expect(alertsOf(reading, reading)).toEqual(["VademecumCredentialsStale"]);
});

it("an audit trail that cannot be written fires VademecumAuditLost", async () => {
  await mkdir(join(folder, "data"));
  await writeFile(auditFolder(join(folder, "data")), "no folder");
  const timer = createManualTimer();
  const time = { clock: { nowMs: () => Date.now() }, timer };
  const server = await startTestServer(
    { ...level, data: join(folder, "data"), audit: "all" },
    time,
  );
  onTestFinished(() => server.stop());
  const before = await read(server);
  await call(server, (memories) => memories.add(tea));
  timer.pass(1_000);
  await expect
    .poll(async () => alertsOf(before, await read(server)))
    .toEqual(["VademecumAuditLost"]);
});

it("an endpoint that fails fires VademecumEmbedderFails", async () => {
  const endpoint = await startTestEndpoint();
  onTestFinished(() => endpoint.stop());
  const openai = { "openai-url": endpoint.url, "openai-model": "m", "openai-dimensions": "8" };
  const server = await start({ ...openai, embedder: "openai" });
  endpoint.answerAll((response) => response.writeHead(401).end("{}"));
  const before = await read(server);
  await call(server, (memories) => failureOf(memories.add(tea)));
  expect(alertsOf(before, await read(server))).toEqual(["VademecumEmbedderFails"]);
});

it("a receiver of webhooks that takes nothing fires VademecumWebhookFails", async () => {
  const receiver = await new WebhookReceiver().start();
  onTestFinished(() => receiver.stop());
  receiver.refuse(500);
  const secretFile = join(folder, "secret");
  await writeFile(secretFile, webhookSecret);
  const server = await start({ webhook: receiver.url, "webhook-secret-file": secretFile });
  const before = await read(server);
  await call(server, (memories) => memories.add(tea));
  await expect
    .poll(async () => alertsOf(before, await read(server)), { timeout: 20_000 })
    .toEqual(["VademecumWebhookFails"]);
});

it("internal errors and a short index memory fire VademecumFailures and VademecumIndexMemoryShort", async () => {
  // No fault of a caller or of a test causes an internal error, or evictions in a second.
  const metrics = createMetrics("1.2.3");
  onTestFinished(() => metrics.stop());
  const call: EndedCall = {
    ...{ path: "/vademecum.v1.MemoryProvider/Add", kind: "unary", durationMs: 3 },
    ...{
      peer: "",
      requestId: "r",
      mayLast: false,
      waitedMs: 0,
      workedMs: 0,
      rows: 0,
      requestBytes: 0,
      replyBytes: 0,
    },
    code: "INTERNAL",
  };
  metrics.observe(call);
  const before = await metrics.text();
  for (let i = 0; i < 16; i++) metrics.observe(call);
  metrics.meter("indexEvictions", 301);
  const alerts = alertsOf(before, await metrics.text());
  expect(alerts).toEqual(["VademecumFailures", "VademecumIndexMemoryShort"]);
});

it("a folder without a backup for 36 hours fires VademecumBackupOld, and a backup ends it", async () => {
  const timer = createManualTimer();
  let nowMs = Date.now();
  const time = { clock: { nowMs: () => nowMs }, timer };
  const server = await startTestServer({ ...level, data: join(folder, "data") }, time);
  onTestFinished(() => server.stop());
  const afterMinute = async (ageSeconds: number): Promise<Reading> => {
    nowMs += 60_000;
    timer.pass(60_000);
    const line = `vademecum_backup_age_seconds ${ageSeconds}\n`;
    await expect.poll(async () => (await read(server))?.includes(line)).toBe(true);
    return read(server);
  };
  const limitSeconds = 36 * 3600;
  nowMs += 1000 * (limitSeconds - 60);
  const before = await afterMinute(limitSeconds);
  expect(alertsOf(before, before)).toEqual([]);
  const old = await afterMinute(limitSeconds + 60);
  expect(alertsOf(old, old)).toEqual(["VademecumBackupOld"]);
  const connection = nativeGrpc.connect(server);
  for await (const _ of createClient(AdminService, connection.transport).backup({}));
  connection.close();
  const after = await afterMinute(60);
  expect(alertsOf(after, after)).toEqual([]);
});

it("a tenant without a backup fires VademecumBackupOld, although another one has a new backup", async () => {
  const timer = createManualTimer();
  let nowMs = Date.now();
  const time = { clock: { nowMs: () => nowMs }, timer };
  const all = { users: ["*"], agents: ["*"], runs: ["*"], tools: ["*"] };
  const server = await startCredentialedServer(
    ["acme", "beta"].map((tenant) => ({
      ...{ name: tenant, tenant, roles: ["writer", "operator"] as const, ...all },
    })),
    { ...level, data: join(folder, "data") },
    time,
  );
  onTestFinished(() => server.stop());
  const connection = nativeGrpc.connect(server);
  onTestFinished(() => connection.close());
  const memories = createClient(MemoryProvider, connection.transport);
  const admin = createClient(AdminService, connection.transport);
  const backUp = async (tenant: string): Promise<void> => {
    for await (const _ of admin.backup({}, { headers: server.headerOf(tenant) }));
  };
  for (const tenant of ["acme", "beta"])
    await memories.add(tea, { headers: server.headerOf(tenant) });
  const limitSeconds = 36 * 3600;
  nowMs += 1000 * limitSeconds;
  await backUp("acme");
  const afterMinute = async (ageSeconds: number): Promise<Reading> => {
    nowMs += 60_000;
    timer.pass(60_000);
    const line = `vademecum_backup_age_seconds ${ageSeconds}\n`;
    await expect.poll(async () => (await read(server))?.includes(line)).toBe(true);
    return read(server);
  };
  const old = await afterMinute(limitSeconds + 60);
  expect(alertsOf(old, old)).toEqual(["VademecumBackupOld"]);
  await backUp("beta");
  const mended = await afterMinute(120);
  expect(alertsOf(mended, mended)).toEqual([]);
});

it("an edit that waits for more than a week fires VademecumProposalsWait", async () => {
  const timer = createManualTimer();
  let nowMs = Date.now();
  const time = { clock: { nowMs: () => nowMs }, timer };
  const server = await startTestServer({ ...level, data: join(folder, "data") }, time);
  onTestFinished(() => server.stop());
  await call(server, async (memories) => {
    const { id } = await memories.add(tea);
    const target = { case: "memoryId", value: id } as const;
    const edit = { reasoning: "she said so", oldString: "tea", newString: "coffee" };
    await memories.proposeEdit({ namespace, target, ...edit });
  });
  nowMs += 7 * 24 * 3600 * 1000;
  timer.pass(60_000);
  await expect
    .poll(async () => (await read(server))?.includes("vademecum_proposals_pending 1\n"))
    .toBe(true);
  const waiting = await read(server);
  // Nobody has made a backup in this week either.
  expect(alertsOf(waiting, waiting)).toEqual(["VademecumBackupOld"]);
  nowMs += 60_000;
  timer.pass(60_000);
  await expect
    .poll(async () => alertsOf(waiting, await read(server)))
    .toEqual(["VademecumBackupOld", "VademecumProposalsWait"]);
});
