import { createClient } from "@connectrpc/connect";
import { expect, it, onTestFinished } from "vitest";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { sameDigest } from "../../src/core/backup/record-digest.js";
import type { Scope } from "../../src/core/model/namespace.js";
import type { RawRecords } from "../../src/core/ports/backup.js";
import { runCommand } from "../cli/run-command.js";
import { postgresFlags, startPostgres, type TestPostgres } from "../fixtures/postgres.js";
import { digestOf, fillScopes } from "../fixtures/raw-scopes.js";
import { createTestFolder, openTestStore } from "../store/level/level-folder.js";
import { createNamespaceClient } from "./harness/namespace-client.js";
import { nativeGrpc } from "./harness/protocols.js";
import { startTestServer, type TestServer } from "./harness/test-server.js";

async function start(): Promise<TestPostgres> {
  const postgres = await startPostgres();
  onTestFinished(() => postgres.close());
  await postgres.empty();
  return postgres;
}

async function copy(from: RawRecords, to: RawRecords, scope: Scope): Promise<void> {
  await using reader = await from.openScope(scope);
  const { head, lastTimeMs } = reader.state;
  const restored = { scope, seq: head.seq, lastTimeMs, epoch: head.epoch };
  await to.restoreScope(restored, await to.head(scope), reader.pages());
}

it("records from LevelDB to PostgreSQL and back keep their digests and heads", async () => {
  const postgres = await start();
  const [before, between, after] = [
    await openTestStore(await createTestFolder(onTestFinished)),
    await postgres.openStore(),
    await openTestStore(await createTestFolder(onTestFinished)),
  ];
  onTestFinished(async () => {
    for (const store of [before, between, after]) await store.close();
  });
  for (const scope of await fillScopes(before)) {
    await copy(before, between, scope);
    await copy(between, after, scope);
    const digest = await digestOf(before, scope);
    for (const store of [between, after]) {
      expect(sameDigest(await digestOf(store, scope), digest)).toBe(true);
      expect(await store.head(scope)).toEqual(await before.head(scope));
    }
  }
});

it("vademecum move takes the memories of a server on LevelDB to PostgreSQL and back", async () => {
  const postgres = await start();
  const flags = { embedder: "none" };
  const level = await startTestServer({ ...flags, provider: "level" });
  const shared = await startTestServer({ ...flags, ...postgresFlags(postgres) });
  onTestFinished(async () => {
    await level.stop();
    await shared.stop();
  });
  const memoriesOn = (server: TestServer, userId: string) => {
    const connection = nativeGrpc.connect(server);
    onTestFinished(() => connection.close());
    const provider = createClient(MemoryProvider, connection.transport);
    return createNamespaceClient(provider, { userId, agentId: "a" });
  };
  const users = ["ann", "bob", "cia"];
  for (const user of users)
    for (let i = 0; i < 20; i++) await memoriesOn(level, user).add(`fact ${i} of ${user}`);
  for (const [from, to] of [
    [level, shared],
    [shared, level],
  ] as const) {
    const moved = await runCommand(["move", "--from", from.grpcUrl, "--to", to.grpcUrl, "--json"]);
    expect(moved).toMatchObject({ exitCode: 0 });
    for (const user of users) {
      expect(await memoriesOn(to, user).contents()).toHaveLength(20);
      expect((await memoriesOn(to, user).search("fact 7")).contents).toContain(`fact 7 of ${user}`);
      await expect(memoriesOn(from, user).contents()).rejects.toThrow();
    }
  }
});
