import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@connectrpc/connect";
import { afterEach, beforeEach, expect, it } from "vitest";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { bySuite } from "../suite.js";
import { failureOf } from "./harness/failure.js";
import { watchMemories } from "./harness/memory-watch.js";
import type { ProviderClient } from "./harness/namespace-client.js";
import { nativeGrpc } from "./harness/protocols.js";
import { startServerProcess } from "./harness/server-process.js";
import { startTestServer } from "./harness/test-server.js";

const namespace = { userId: "kim", agentId: "chat" };
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "vademecum-watch-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function providerOf(server: { readonly grpcUrl: string }) {
  const connection = nativeGrpc.connect({ ...server, httpUrl: "" });
  return { provider: createClient(MemoryProvider, connection.transport), connection };
}

async function addAll(provider: ProviderClient, contents: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const content of contents) ids.push((await provider.add({ namespace, content })).id);
  return ids;
}

it("a stopping server ends a watch, and after the start the watch goes on where it was", async () => {
  const flags = { data: join(folder, "data"), provider: "level", embedder: "none" } as const;
  const server = await startTestServer(flags);
  const { provider, connection } = providerOf(server);
  const watch = watchMemories(provider, { namespace });
  await watch.next();
  await addAll(provider, ["one"]);
  const { commitSeq, events } = await watch.next();
  expect(events.map(({ memory }) => memory?.content)).toEqual(["one"]);
  const ended = failureOf(watch.next());
  await server.stop();
  expect(await ended).toMatchObject({ code: "UNAVAILABLE", reason: "SERVER_STOPPING" });
  connection.close();
  const again = await startTestServer(flags);
  const after = providerOf(again);
  const ids = await addAll(after.provider, ["two", "three"]);
  const resumed = watchMemories(after.provider, { namespace, afterCommitSeq: commitSeq });
  expect([(await resumed.event()).id, (await resumed.event()).id]).toEqual(ids);
  resumed.end();
  after.connection.close();
  await again.stop();
});

it("over kills of the server, a watch that goes on gets every acknowledged change once, in order", async () => {
  const acknowledged: string[] = [];
  const told: string[] = [];
  let afterCommitSeq: bigint | undefined;
  for (let round = 0; round < bySuite({ quick: 2, full: 15 }); round++) {
    const server = await startServerProcess(folder);
    const { provider, connection } = providerOf(server);
    const watch = watchMemories(provider, {
      namespace,
      ...(afterCommitSeq !== undefined && { afterCommitSeq }),
    });
    ({ commitSeq: afterCommitSeq } = await watch.next());
    const reading = (async () => {
      for (;;) {
        const { events, commitSeq } = await watch.next();
        told.push(...events.map(({ id }) => id));
        afterCommitSeq = commitSeq;
      }
    })().catch(() => undefined);
    const writing = (async () => {
      for (let i = 0; ; i++)
        acknowledged.push((await provider.add({ namespace, content: `${round} ${i}` })).id);
    })().catch(() => undefined);
    while (told.length < 30 * (round + 1)) await new Promise((resolve) => setImmediate(resolve));
    await server.end("SIGKILL");
    await Promise.all([reading, writing]);
    connection.close();
  }
  const server = await startServerProcess(folder);
  const { provider, connection } = providerOf(server);
  const rest = watchMemories(provider, { namespace, ...(afterCommitSeq && { afterCommitSeq }) });
  const last = (await provider.add({ namespace, content: "last" })).id;
  while (told.at(-1) !== last) told.push((await rest.event()).id);
  rest.end();
  // The last add before a kill may be stored although nobody heard of it.
  const stored = await provider.getAll({ namespace, limit: 1000 });
  expect(told).toEqual(stored.memories.map(({ id }) => id).reverse());
  expect(told).toEqual(expect.arrayContaining(acknowledged));
  connection.close();
  await server.end("SIGTERM");
});
