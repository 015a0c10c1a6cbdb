import { ConnectError, createClient } from "@connectrpc/connect";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { AdminService } from "#gen/vademecum/v1/admin_pb.js";
import { BackupContent } from "#gen/vademecum/v1/backup_pb.js";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { runCommand } from "../cli/run-command.js";
import { postgresFlags, startPostgres, type TestPostgres } from "../fixtures/postgres.js";
import { describeFailure, failureOf } from "./harness/failure.js";
import { createNamespaceClient, type NamespaceClient } from "./harness/namespace-client.js";
import { type Connection, nativeGrpc, type ServerUrls } from "./harness/protocols.js";
import { startTestServer, type TestServer } from "./harness/test-server.js";
import { createUserClient } from "./harness/user-client.js";

let postgres: TestPostgres;
const ends: (() => unknown)[] = [];

beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.close());

beforeEach(() => postgres.empty());
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
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

/** Returns a client of a user's memories on a server. */
function memoriesOn(server: ServerUrls, userId = "ann"): NamespaceClient {
  const provider = createClient(MemoryProvider, connect(server).transport);
  return createNamespaceClient(provider, { userId, agentId: "x" });
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

it("data has the same SHA-256 all the way from LevelDB to PostgreSQL and back", async () => {
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
    const moved = await runCommand(["move", "--from", from.grpcUrl, "--to", to.grpcUrl, "--json"]);
    expect(moved).toMatchObject({ exitCode: 0, stderr: "" });
    expect(await digestsOf(to)).toEqual(before);
    const { contents } = await memoriesOn(to).search("wine from Burgundy");
    expect(contents[0]).toBe("likes dry Burgundy");
    expect(await memoriesOn(from).contents()).toEqual(await memoriesOn(to).contents());
  }
});

it("a move away from a database with several servers loses no acknowledged write of any server", async () => {
  const flags = { ...postgresFlags(postgres), embedder: "none" };
  const [called, other] = [await serve(flags), await serve(flags)];
  const target = await serve({ provider: "level", embedder: "none" });
  const users = ["dan", "eve", "fay"];
  const added = new Map(users.map((user) => [user, [] as string[]]));
  const addMore = async (user: string): Promise<void> => {
    const contents = added.get(user) ?? [];
    const content = `${user} ${contents.length}`;
    await memoriesOn(other, user).add(content);
    contents.push(content);
  };
  for (const user of users) await addMore(user);
  let isMoved = false;
  const writers = users.map(async (user) => {
    while (!isMoved) {
      try {
        await addMore(user);
      } catch (error) {
        const failure = describeFailure(ConnectError.from(error));
        if (failure.reason !== "WRITES_HELD") throw error;
      }
    }
  });
  const watch = createUserClient(connect(other), { userId: "dan", agentId: "x" }).watch();
  const watched = failureOf(watch.next());
  const moved = await runCommand([
    "move",
    "--from",
    called.grpcUrl,
    "--to",
    target.grpcUrl,
    "--json",
  ]);
  expect(moved).toMatchObject({ exitCode: 0, stderr: "" });
  isMoved = true;
  await Promise.all(writers);
  expect(await watched).toMatchObject({
    reason: "MOVED",
    metadata: { address: target.grpcUrl },
  });
  for (const user of users) await addMore(user);
  for (const [user, contents] of added)
    for (const server of [called, other, target])
      expect((await memoriesOn(server, user).contents()).toSorted()).toEqual(contents.toSorted());
});
