import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@connectrpc/connect";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { markOf } from "../../src/store/restored-backup.js";
import { runCommand } from "../cli/run-command.js";
import { postgresFlags, startPostgres, type TestPostgres } from "../fixtures/postgres.js";
import { failureOf } from "./harness/failure.js";
import { createNamespaceClient, type NamespaceClient } from "./harness/namespace-client.js";
import { nativeGrpc } from "./harness/protocols.js";
import { startTestServer, type TestServer } from "./harness/test-server.js";

const unfinished = { code: "FAILED_PRECONDITION", reason: "RESTORE_UNFINISHED" };

let postgres: TestPostgres;
let folder: string;
const ends: (() => unknown)[] = [];

beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.close());

beforeEach(async () => {
  await postgres.dropTables();
  folder = await mkdtemp(join(tmpdir(), "vademecum-restore-"));
  ends.push(() => rm(folder, { recursive: true }));
});
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function serve(flags: Readonly<Record<string, string>>): Promise<TestServer> {
  const server = await startTestServer({ embedder: "none", ...flags });
  ends.push(() => server.stop());
  return server;
}

function memoriesOn(server: TestServer): NamespaceClient {
  const connection = nativeGrpc.connect(server);
  ends.push(() => connection.close());
  const provider = createClient(MemoryProvider, connection.transport);
  return createNamespaceClient(provider, { userId: "ann", agentId: "x" });
}

/** Writes a backup of a server's data. Returns the path of the file. */
async function backUp(server: TestServer, name: string): Promise<string> {
  const file = join(folder, name);
  expect(await runCommand(["backup", file, "--server", server.grpcUrl])).toMatchObject({
    exitCode: 0,
  });
  return file;
}

const restore = (file: string, ...more: readonly string[]) =>
  runCommand(["restore", file, "--json", ...more], {
    environment: {
      VADEMECUM_POSTGRES_URL: postgres.urls.join(","),
      VADEMECUM_POSTGRES_OWNER_URL: postgres.ownerUrl,
    },
  });

it("a backup of LevelDB is restored into an empty database with a new epoch", async () => {
  const source = await serve({ provider: "level" });
  const memories = memoriesOn(source);
  await memories.addAll("likes dry Burgundy", "has a sister");
  const file = await backUp(source, "a.backup");
  expect(await restore(file)).toMatchObject({ exitCode: 0, stderr: "" });
  const server = await serve(postgresFlags(postgres));
  const copy = memoriesOn(server);
  expect(await copy.list()).toEqual(await memories.list());
  expect((await copy.search("Burgundy")).contents[0]).toBe("likes dry Burgundy");
  const { nextPageToken } = await memories.page({ limit: 1 });
  expect(await failureOf(copy.page({ limit: 1, pageToken: nextPageToken }))).toMatchObject({
    reason: "INVALID_PAGE_TOKEN",
  });
  await copy.add("after the restore");
});

it("a restore refuses a database that has data or running servers, and changes nothing", async () => {
  const server = await serve(postgresFlags(postgres));
  const file = await backUp(server, "a.backup");
  const inUse = await restore(file);
  expect(inUse).toMatchObject({ exitCode: 1 });
  expect(inUse.stderr).toContain("servers still use this database");
  await memoriesOn(server).addAll("own");
  const full = await restore(file);
  expect(full).toMatchObject({ exitCode: 1 });
  expect(full.stderr).toContain("holds data");
  expect(await memoriesOn(server).contents()).toEqual(["own"]);
});

it("a restore of one tenant keeps the data of other tenants", async () => {
  const source = await serve({ provider: "memory" });
  await memoriesOn(source).addAll("own");
  const file = await backUp(source, "a.backup");
  for (const tenant of ["acme", "bolt"])
    expect(await restore(file, "--tenant", tenant)).toMatchObject({ exitCode: 0, stderr: "" });
  const again = await restore(file, "--tenant", "acme");
  expect(again.stderr).toContain("holds data of the tenant acme");
  const rows = await postgres.query<{ tenant: string }>(
    "select convert_from(tenant, 'UTF8') as tenant, epoch from vademecum.vm_scope order by 1",
  );
  expect(rows.map(({ tenant }) => tenant)).toEqual(["acme", "bolt"]);
});

it("no server starts on the database of an interrupted restore until the restore is repeated", async () => {
  const source = await serve({ provider: "memory" });
  await memoriesOn(source).addAll("own");
  const [file, other] = [await backUp(source, "a.backup"), await backUp(source, "b.backup")];
  expect(await restore(file)).toMatchObject({ exitCode: 0 });
  const { stdout } = await runCommand(["verify", "--backup", file, "--json"]);
  const { backupId } = JSON.parse(stdout) as { readonly backupId: string };
  await postgres.query("update vademecum.vm_meta set restoring = $1", [
    JSON.stringify({ backupId }),
  ]);
  await expect(startTestServer(postgresFlags(postgres))).rejects.toMatchObject(unfinished);
  expect((await restore(other)).stderr).toContain("only in part");
  expect(await restore(file)).toMatchObject({ exitCode: 0, stderr: "" });
  expect(await memoriesOn(await serve(postgresFlags(postgres))).contents()).toEqual(["own"]);
});

it("an interrupted restore into a tenant can be continued only for this tenant", async () => {
  const source = await serve({ provider: "memory" });
  await memoriesOn(source).addAll("own");
  const file = await backUp(source, "a.backup");
  const { stdout } = await runCommand(["verify", "--backup", file, "--json"]);
  const { backupId } = JSON.parse(stdout) as { readonly backupId: string };
  expect(await restore(file, "--tenant", "acme")).toMatchObject({ exitCode: 0 });
  await postgres.query("update vademecum.vm_meta set restoring = $1", [
    markOf({ backupId, tenant: "acme" }),
  ]);
  for (const other of [["--tenant", "bolt"], []])
    expect((await restore(file, ...other)).stderr).toContain("only in part");
  expect(await restore(file, "--tenant", "acme")).toMatchObject({ exitCode: 0, stderr: "" });
});
