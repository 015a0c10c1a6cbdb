import { createClient } from "@connectrpc/connect";
import { afterAll, beforeAll, expect, it } from "vitest";
import { AdminService } from "#gen/vademecum/v1/admin_pb.js";
import { BackupContent } from "#gen/vademecum/v1/backup_pb.js";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { runCommand } from "../cli/run-command.js";
import { postgresFlags, startPostgres, type TestPostgres } from "../fixtures/postgres.js";
import { createNamespaceClient } from "./harness/namespace-client.js";
import { type Connection, nativeGrpc, type ServerUrls } from "./harness/protocols.js";
import { startTestServer, type TestServer } from "./harness/test-server.js";
import { createUserClient } from "./harness/user-client.js";

let postgres: TestPostgres;
const ends: (() => unknown)[] = [];

beforeAll(async () => {
  postgres = await startPostgres();
  await postgres.empty();
});

afterAll(async () => {
  for (const end of ends.splice(0).reverse()) await end();
  await postgres.close();
});

async function serve(flags: Readonly<Record<string, string>>): Promise<TestServer> {
  const server = await startTestServer(flags);
  ends.push(() => server.stop());
  return server;
}

function connect(server: ServerUrls): Connection {
  const connection = nativeGrpc.connect(server);
  ends.push(() => connection.close());
  return connection;
}

/** Returns the digest of each scope by its id, epoch and commit number. */
async function digestsOf(server: ServerUrls): Promise<ReadonlyMap<string, string>> {
  const digests = new Map<string, string>();
  const admin = createClient(AdminService, connect(server).transport);
  let id = "";
  for await (const { chunk } of admin.backup({ content: BackupContent.DIGESTS })) {
    if (chunk?.chunk.case === "scope") {
      const { id: scope, seq, epoch } = chunk.chunk.value;
      id = `${scope?.kind} ${scope?.id} ${epoch} ${seq}`;
    }
    if (chunk?.chunk.case === "scopeEnd")
      digests.set(id, Buffer.from(chunk.chunk.value.sha256).toString("hex"));
  }
  return digests;
}

it("data that moves from LevelDB to PostgreSQL and back has the same SHA-256 all the way", async () => {
  const level = await serve({ provider: "level" });
  const shared = await serve(postgresFlags(postgres));
  const connection = connect(level);
  for (const userId of ["ann", "bob", "cia"]) {
    const namespace = { userId, agentId: "x" };
    const memories = createNamespaceClient(
      createClient(MemoryProvider, connection.transport),
      namespace,
    );
    await memories.addAll("likes dry Burgundy", "has a sister", "plays the oboe");
    await createUserClient(connection, namespace).put("a body", { label: "human" });
  }
  const before = await digestsOf(level);
  expect(before.size).toBe(3);
  for (const [from, to] of [
    [level, shared],
    [shared, level],
  ] as const) {
    const moved = await runCommand(["move", "--from", from.grpcUrl, "--to", to.grpcUrl]);
    expect(moved).toMatchObject({ exitCode: 0, stderr: "" });
    expect(await digestsOf(to)).toEqual(before);
    const memoriesOn = (server: ServerUrls) =>
      createNamespaceClient(createClient(MemoryProvider, connect(server).transport), {
        userId: "ann",
        agentId: "x",
      });
    const { contents } = await memoriesOn(to).search("wine from Burgundy");
    expect(contents[0]).toBe("likes dry Burgundy");
    await expect(memoriesOn(from).contents()).rejects.toThrow("has moved to");
  }
});
