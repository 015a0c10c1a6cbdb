import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@connectrpc/connect";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { AdminService } from "#gen/vademecum/v1/admin_pb.js";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { WebhookState } from "#gen/vademecum/v1/server_pb.js";
import { postgresFlags, startPostgres, type TestPostgres } from "../fixtures/postgres.js";
import { nativeGrpc } from "./harness/protocols.js";
import { startTestServer, type TestServer } from "./harness/test-server.js";
import { WebhookReceiver, webhookSecret } from "./harness/webhook-receiver.js";

const patience = { timeout: 30_000 };
let postgres: TestPostgres;
let folder: string;
beforeAll(async () => {
  postgres = await startPostgres();
  await postgres.empty();
  folder = await mkdtemp(join(tmpdir(), "vademecum-webhooks-"));
  await writeFile(join(folder, "secret"), webhookSecret);
});
afterAll(async () => {
  await postgres.close();
  await rm(folder, { recursive: true });
});

function connect(server: TestServer) {
  const connection = nativeGrpc.connect(server);
  onTestFinished(() => connection.close());
  const admin = createClient(AdminService, connection.transport);
  return {
    provider: createClient(MemoryProvider, connection.transport),
    state: async () => (await admin.getServer({})).webhook?.state,
  };
}

it("one of two servers delivers the changes of both, and the other goes on when it stops", async () => {
  const receiver = await new WebhookReceiver().start();
  onTestFinished(() => receiver.stop());
  const flags = {
    ...{ ...postgresFlags(postgres), embedder: "none" },
    ...{ webhook: receiver.url, "webhook-secret-file": join(folder, "secret") },
  };
  const first = await startTestServer(flags);
  const one = connect(first);
  await expect.poll(one.state, patience).toBe(WebhookState.OK);
  const second = await startTestServer(flags);
  onTestFinished(() => second.stop());
  const two = connect(second);
  expect(await two.state()).toBe(WebhookState.STANDBY);
  const namespace = { userId: "kim", agentId: "chat" };
  const ids: string[] = [];
  for (const { provider } of [one, two, two, one, two])
    ids.push((await provider.add({ namespace, content: `memory ${ids.length}` })).id);
  await receiver.expectIds("kim", ids);
  receiver.refuse(503);
  ids.push((await one.provider.add({ namespace, content: "while the receiver is down" })).id);
  const { requests } = receiver;
  await expect.poll(() => receiver.requests, patience).toBeGreaterThan(requests);
  await first.stop();
  receiver.accept();
  ids.push((await two.provider.add({ namespace, content: "by the other server" })).id);
  await receiver.expectIds("kim", ids);
  expect(await two.state()).toBe(WebhookState.OK);
  await postgres.endSessions();
  ids.push((await two.provider.add({ namespace, content: "after a lost connection" })).id);
  await expect.poll(() => [...new Set(receiver.idsOf("kim"))], patience).toEqual(ids);
});
