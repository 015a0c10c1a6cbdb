import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { env } from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import { createClient } from "@connectrpc/connect";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { createGrpcJsTransport } from "../e2e/harness/grpc-js-transport.js";
import { createNamespaceClient } from "../e2e/harness/namespace-client.js";
import { bySuite, isFullSuite } from "../suite.js";
import { createRandom, type Random } from "./server/random.js";
import { type ServerProcess, startServerProcess } from "./server/server-process.js";
import { createWorker, type Worker } from "./server/worker.js";

/** Number of kills of the server. The suite does a few; run more with VADEMECUM_KILL_ROUNDS=100. */
const rounds = Number(env["VADEMECUM_KILL_ROUNDS"] ?? bySuite({ quick: 1, full: 3 }));
const seed = Number(
  env["VADEMECUM_KILL_SEED"] ?? bySuite({ quick: 1, full: Date.now() % 1_000_000 }),
);

/** Two workers of one user share its transactions. The third and fourth have users of their own. */
const namespaces = [
  { userId: "ann", agentId: "one" },
  { userId: "ann", agentId: "two" },
  { userId: "bob", agentId: "one" },
  { userId: "eve", agentId: "one" },
] as const;

let folder = "";
let server: ServerProcess | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "vademecum-kill-"));
});
afterEach(async () => {
  await server?.end("SIGKILL");
  await rm(folder, { recursive: true });
});

describe("a server that is killed and started again", () => {
  it.runIf(isFullSuite)("finds every acknowledged memory", async () => {
    server = await startServerProcess(folder);
    const first = connect(server);
    const { id } = await first.memories(0).add("p53 suppresses tumours");
    await server.end("SIGKILL");
    first.close();
    server = await startServerProcess(folder);
    const { hits } = await connect(server).memories(0).search("p53");
    expect(hits.map(({ memory }) => memory?.id)).toEqual([id]);
  });

  it(`under load keeps every acknowledged write whole, and brings no deleted memory back (${rounds} rounds, VADEMECUM_KILL_SEED=${seed})`, {
    timeout: 600_000 + rounds * 60_000,
  }, async () => {
    const random = createRandom(seed);
    const workers = namespaces.map((_, i) => createWorker(`w${i}`, createRandom(seed + i + 1)));
    server = await startServerProcess(folder);
    for (let round = 1; round <= rounds; round++) {
      await workUntilKilled(server, workers, random);
      server = await startServerProcess(folder);
      await checkAll(server, workers);
    }
  });
});

async function workUntilKilled(
  running: ServerProcess,
  workers: readonly Worker[],
  random: Random,
): Promise<void> {
  const connections = connect(running);
  let acknowledgementsLeft = random.integer(1, 400);
  const moment = random.integer(0, 15);
  let killed: Promise<unknown> | undefined;
  const acknowledge = () => {
    acknowledgementsLeft -= 1;
    // A random moment after a random write, so that kills hit every phase of a commit.
    if (acknowledgementsLeft === 0) killed = delay(moment).then(async () => running.end("SIGKILL"));
  };
  await Promise.all(
    workers.map(async (worker, i) => worker.work(connections.memories(i), acknowledge)),
  );
  await killed;
  connections.close();
}

async function checkAll(running: ServerProcess, workers: readonly Worker[]): Promise<void> {
  const connections = connect(running);
  await Promise.all(workers.map(async (worker, i) => worker.check(connections.memories(i))));
  connections.close();
}

function connect({ grpcUrl }: ServerProcess) {
  const transport = createGrpcJsTransport(new URL(grpcUrl).host);
  const provider = createClient(MemoryProvider, transport);
  return {
    memories: (i: number) => createNamespaceClient(provider, namespaces[i] ?? namespaces[0]),
    close: () => transport.close(),
  };
}
