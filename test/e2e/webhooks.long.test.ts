import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { createClient } from "@connectrpc/connect";
import { afterEach, beforeEach, expect, it } from "vitest";
import { AdminService } from "#gen/vademecum/v1/admin_pb.js";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { WebhookState } from "#gen/vademecum/v1/server_pb.js";
import { runCommand } from "../cli/run-command.js";
import { bySuite } from "../suite.js";
import { startCredentialedServer } from "./harness/credentialed-server.js";
import type { ProviderClient } from "./harness/namespace-client.js";
import { type Connection, nativeGrpc } from "./harness/protocols.js";
import { startServerProcess } from "./harness/server-process.js";
import { startTestServer } from "./harness/test-server.js";
import { WebhookReceiver, webhookSecret } from "./harness/webhook-receiver.js";

/** For `expect.poll`, while the machine is busy and until the next attempt. */
const patience = { timeout: 20_000 };

const namespace = { userId: "kim", agentId: "chat" };
let folder: string;
let receiver: WebhookReceiver;
let flags: Readonly<Record<string, string>>;
const connections: Connection[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "vademecum-webhooks-"));
  receiver = await new WebhookReceiver().start();
  const secretFile = join(folder, "secret");
  await writeFile(secretFile, `${webhookSecret}\n`);
  flags = {
    ...{ data: join(folder, "data"), provider: "level", embedder: "none" },
    ...{ webhook: receiver.url, "webhook-secret-file": secretFile },
  };
});
afterEach(async () => {
  for (const connection of connections.splice(0)) connection.close();
  receiver.stop();
  await rm(folder, { recursive: true, force: true });
});

function connect(server: { readonly grpcUrl: string }) {
  const connection = nativeGrpc.connect({ ...server, httpUrl: "" });
  connections.push(connection);
  return {
    provider: createClient(MemoryProvider, connection.transport),
    admin: createClient(AdminService, connection.transport),
  };
}

async function addAll(provider: ProviderClient, ...contents: string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const content of contents) ids.push((await provider.add({ namespace, content })).id);
  return ids;
}

it("each change of a memory reaches the receiver, signed, in order, with ids alone", async () => {
  const server = await startTestServer(flags);
  const { provider, admin } = connect(server);
  const [tea = ""] = await addAll(provider, "Kim likes tea");
  await receiver.expectIds("kim", [tea]);
  await provider.update({ namespace, id: tea, changes: { content: "Kim likes coffee" } });
  await receiver.expectIds("kim", [tea, tea]);
  await provider.delete({ namespace, id: tea });
  await receiver.expectIds("kim", [tea, tea, tea]);
  const { received } = receiver;
  expect(received.map(({ data }) => data.events?.[0]?.kind)).toEqual([
    "MEMORY_EVENT_KIND_ADDED",
    "MEMORY_EVENT_KIND_CHANGED",
    "MEMORY_EVENT_KIND_DELETED",
  ]);
  expect(received[0]).toMatchObject({ type: "memories.changed", data: { userId: "kim" } });
  expect(new Set(received.map(({ id }) => id)).size).toBe(3);
  expect(JSON.stringify(received)).not.toMatch(/likes/);
  await expect
    .poll(async () => (await admin.getServer({})).webhook?.pendingUsers, patience)
    .toBe(0n);
  const { webhook } = await admin.getServer({});
  expect(webhook).toMatchObject({ state: WebhookState.OK, delivered: 3n, lost: 0n });
  const status = await runCommand(["status", "--server", server.grpcUrl]);
  expect(status.stdout).toMatch(/^webhooks +ok, 3 delivered, 0 users pending$/m);
  await server.stop();
});

it("with --webhook-memories, messages have the memories, and one of a tenant has its name", async () => {
  const all = { users: ["*"], agents: ["*"], runs: ["*"], tools: ["*"] };
  const roles = ["writer"] as const;
  const server = await startCredentialedServer(
    [{ name: "acme-key", tenant: "acme", roles: [...roles], ...all }],
    { ...flags, "webhook-memories": "true" },
  );
  const { provider } = connect(server);
  const headers = server.headerOf("acme-key");
  await provider.add({ namespace, content: "Kim likes tea" }, { headers });
  await expect
    .poll(() => receiver.received[0]?.data, patience)
    .toMatchObject({
      ...{ tenant: "acme", userId: "kim" },
      events: [{ agentId: "chat", memory: { content: "Kim likes tea" } }],
    });
  await server.stop();
});

it("a receiver that is down for a while gets what it has missed, also after a restart", async () => {
  let log = "";
  const output = new PassThrough().on("data", (chunk: Buffer) => {
    log += String(chunk);
  });
  receiver.refuse(503);
  const server = await startTestServer(flags, undefined, output);
  const { provider, admin } = connect(server);
  const ids = await addAll(provider, "one", "two");
  await expect.poll(() => receiver.requests, patience).toBeGreaterThan(0);
  await expect
    .poll(async () => (await admin.getServer({})).webhook, patience)
    .toMatchObject({
      ...{ state: WebhookState.FAILING, pendingUsers: 1n, delivered: 0n },
      failure: "the receiver answered with HTTP 503",
    });
  await server.stop();
  expect(log.match(/webhooks are not delivered/g)).toHaveLength(1);
  const again = await startTestServer(flags, undefined, output);
  const { provider: provider2 } = connect(again);
  ids.push(...(await addAll(provider2, "three")));
  receiver.accept();
  await receiver.expectIds("kim", ids);
  await expect.poll(() => log, patience).toMatch(/webhooks are delivered again/);
  await again.stop();
  // Nothing is noted any more.
  const { requests } = receiver;
  const last = await startTestServer(flags);
  ids.push(...(await addAll(connect(last).provider, "four")));
  await receiver.expectIds("kim", ids);
  expect(receiver.requests).toBe(requests + 1);
  await last.stop();
});

it("over kills of the server, the receiver gets every acknowledged change, in order", async () => {
  const acknowledged: string[] = [];
  const more = ["webhook", "webhook-secret-file"].flatMap((name) => [
    `--${name}`,
    flags[name] ?? "",
  ]);
  for (let round = 0; round < bySuite({ quick: 2, full: 15 }); round++) {
    const server = await startServerProcess(join(folder, "data"), { flags: more });
    const { provider } = connect(server);
    const writing = (async () => {
      for (let i = 0; ; i++)
        acknowledged.push((await provider.add({ namespace, content: `${round} ${i}` })).id);
    })().catch(() => undefined);
    await expect
      .poll(() => receiver.idsOf("kim").length, patience)
      .toBeGreaterThanOrEqual(30 * (round + 1));
    await server.end("SIGKILL");
    await writing;
  }
  const server = await startServerProcess(join(folder, "data"), { flags: more });
  const { provider } = connect(server);
  const { id: last } = await provider.add({ namespace, content: "last" });
  await expect.poll(() => receiver.idsOf("kim").at(-1), { timeout: 20_000 }).toBe(last);
  const stored: string[] = [];
  for (let pageToken = ""; ; ) {
    const page = await provider.getAll({ namespace, limit: 1000, pageToken });
    stored.push(...page.memories.map(({ id }) => id));
    pageToken = page.nextPageToken;
    if (pageToken === "") break;
  }
  // A message whose acknowledgement was killed comes again.
  expect([...new Set(receiver.idsOf("kim"))]).toEqual(stored.reverse());
  expect(stored).toEqual(expect.arrayContaining(acknowledged));
  await server.end("SIGTERM");
});

it("a receiver that answers 410 gets nothing more until the server starts again", async () => {
  receiver.refuse(410);
  const server = await startTestServer(flags);
  const { provider, admin } = connect(server);
  const ids = await addAll(provider, "one");
  await expect
    .poll(async () => (await admin.getServer({})).webhook?.state, patience)
    .toBe(WebhookState.GONE);
  receiver.accept();
  ids.push(...(await addAll(provider, "two")));
  await server.stop();
  expect(receiver.requests).toBe(1);
  const again = await startTestServer(flags);
  await receiver.expectIds("kim", ids);
  await again.stop();
});

it("the changes of a forgotten user are never sent", async () => {
  receiver.refuse(503);
  const server = await startTestServer(flags);
  const { provider, admin } = connect(server);
  await addAll(provider, "one", "two");
  await expect.poll(() => receiver.requests, patience).toBeGreaterThan(0);
  await admin.forgetUser({ userId: "kim" });
  receiver.accept();
  const lea = { userId: "lea", agentId: "chat" };
  const { id } = await provider.add({ namespace: lea, content: "Lea likes tea" });
  await receiver.expectIds("lea", [id]);
  await expect
    .poll(async () => (await admin.getServer({})).webhook?.pendingUsers, patience)
    .toBe(0n);
  expect(receiver.idsOf("kim")).toEqual([]);
  await server.stop();
});

it("the server to which a user moves delivers what the first one has not", async () => {
  receiver.refuse(503);
  const from = await startTestServer(flags);
  const to = await startTestServer({ ...flags, data: join(folder, "other") });
  const { provider } = connect(from);
  await addAll(provider, "one", "two");
  await expect.poll(() => receiver.requests, patience).toBeGreaterThan(0);
  const moved = await runCommand(["move", "--from", from.grpcUrl, "--to", to.grpcUrl]);
  expect(moved.exitCode).toBe(0);
  receiver.accept();
  await expect.poll(() => receiver.received[0]?.type, patience).toBe("memories.lost");
  const [three = ""] = await addAll(connect(to).provider, "three");
  await receiver.expectIds("kim", [three]);
  await from.stop();
  await to.stop();
});

it("a wipe tells the receiver of each namespace that it cleared", async () => {
  const server = await startTestServer({ ...flags, "allow-reset": "true" });
  const { provider } = connect(server);
  const ids = await addAll(provider, "one");
  await receiver.expectIds("kim", ids);
  await provider.reset({ target: { case: "everything", value: true } });
  await receiver.expectIds("kim", [...ids, ""]);
  expect(receiver.received.at(-1)?.data.events?.[0]?.kind).toBe("MEMORY_EVENT_KIND_CLEARED");
  await server.stop();
});
