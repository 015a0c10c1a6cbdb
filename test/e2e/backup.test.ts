import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@connectrpc/connect";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { AdminService } from "#gen/vademecum/v1/admin_pb.js";
import { type BackupChunk, BackupContent, ScopeKind } from "#gen/vademecum/v1/backup_pb.js";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { fromBackupChunk } from "../../src/backup-format/chunk-messages.js";
import { sameDigest } from "../../src/core/backup/record-digest.js";
import { slotOf } from "../../src/core/model/slot-range.js";
import { createInMemoryStore } from "../../src/store/in-memory/in-memory-store.js";
import { runCommand } from "../cli/run-command.js";
import { collect } from "../contract/store/context.js";
import { backupOf, eachOf } from "../fixtures/backups.js";
import { digestOf, fillScopes } from "../fixtures/raw-scopes.js";
import { describeOver } from "../over-protocols.js";
import { openTestStore } from "../store/level/level-folder.js";
import { isOverPostgres } from "../suite.js";
import { failureOf } from "./harness/failure.js";
import { createNamespaceClient, type NamespaceClient } from "./harness/namespace-client.js";
import { nativeGrpc, protocols, type ServerUrls } from "./harness/protocols.js";
import { startTestServer, type TestServer } from "./harness/test-server.js";
import { createUserClient } from "./harness/user-client.js";

const duplexProtocols = protocols.filter(({ duplex }) => duplex);
const ada = { userId: "ada", agentId: "one" };

let folder: string;
const ends: (() => unknown)[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "vademecum-backup-"));
  ends.push(() => rm(folder, { recursive: true }));
});

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function serve(flags: Readonly<Record<string, string>> = {}): Promise<TestServer> {
  const server = await startTestServer(flags);
  ends.push(() => server.stop());
  return server;
}

function clientsOf(server: ServerUrls): {
  readonly memories: NamespaceClient;
  readonly admin: ReturnType<typeof createClient<typeof AdminService>>;
} {
  const connection = nativeGrpc.connect(server);
  ends.push(() => connection.close());
  return {
    memories: createNamespaceClient(createClient(MemoryProvider, connection.transport), ada),
    admin: createClient(AdminService, connection.transport),
  };
}

function providerOf(server: ServerUrls) {
  const connection = nativeGrpc.connect(server);
  ends.push(() => connection.close());
  return createClient(MemoryProvider, connection.transport);
}

async function fill(server: ServerUrls): Promise<NamespaceClient> {
  const { memories } = clientsOf(server);
  await memories.addAll("likes dry Burgundy", "has a sister", "plays the oboe");
  const connection = nativeGrpc.connect(server);
  ends.push(() => connection.close());
  await createUserClient(connection, ada).put("a body", { label: "human" });
  return memories;
}

describe("vademecum backup and restore", () => {
  it.skipIf(isOverPostgres)(
    "a server on a restored folder lists and finds the same memories",
    async () => {
      const server = await serve({ provider: "level" });
      const memories = await fill(server);
      const file = join(folder, "b.backup");
      const data = join(folder, "restored");
      const backup = await runCommand(["backup", file, "--server", server.grpcUrl]);
      expect(backup).toMatchObject({ exitCode: 0, stderr: "" });
      expect(backup.stdout).toMatch(
        /^Wrote .*b\.backup \(scopes: 1, records: \d+, bytes: \d+\)\.\n$/,
      );
      const { mode } = await stat(file);
      expect(mode & 0o077).toBe(0);
      const verified = await runCommand(["verify", "--backup", file]);
      expect(verified).toMatchObject({ exitCode: 0 });
      expect(verified.stdout).toContain("is a sound backup of 20");
      const restored = await runCommand(["restore", file, "--data", data]);
      expect(restored).toMatchObject({ exitCode: 0, stderr: "" });
      expect((await runCommand(["verify", "--data", data])).exitCode).toBe(0);
      const copy = clientsOf(await serve({ provider: "level", data })).memories;
      expect(await copy.list()).toEqual(await memories.list());
      expect((await copy.search("wine from Burgundy")).contents[0]).toBe("likes dry Burgundy");
      const { nextPageToken } = await memories.page({ limit: 1 });
      expect(await failureOf(copy.page({ limit: 1, pageToken: nextPageToken }))).toMatchObject({
        reason: "INVALID_PAGE_TOKEN",
      });
      expect((await copy.add("after the restore")).commitSeq).not.toBe(0n);
    },
  );

  it("a backup under load has all data of a user as it was at one moment", async () => {
    const server = await serve({ provider: "level", embedder: "none" });
    const { memories } = clientsOf(server);
    await memories.addAll("first");
    let stopped = false;
    let added = 1;
    const writers = Array.from({ length: 4 }, async (_, writer) => {
      while (!stopped) {
        await memories.add(`${writer}: ${added++}`);
      }
    });
    const file = join(folder, "b.backup");
    for (let round = 0; round < 3; round++) {
      const before = (await memories.list()).length;
      await runCommand(["backup", `${file}${round}`, "--server", server.grpcUrl]);
      const after = (await memories.list()).length;
      const data = join(folder, `restored${round}`);
      expect(await runCommand(["restore", `${file}${round}`, "--data", data])).toMatchObject({
        exitCode: 0,
      });
      const store = await openTestStore(data);
      await using snapshot = await store.snapshot({ kind: "user", userId: "ada" });
      const count = await snapshot.count("memories", ada);
      expect(count).toBeGreaterThanOrEqual(before);
      expect(count).toBeLessThanOrEqual(after + writers.length);
      expect(await snapshot.count("timeline", ada)).toBe(count);
      expect((await collect(snapshot.scan("memories", ada))).length).toBe(count);
      await snapshot[Symbol.asyncDispose]();
      await store.close();
    }
    stopped = true;
    await Promise.all(writers);
  });

  it("a backup that was interrupted at any byte completes when it is repeated", async () => {
    const server = await serve({ embedder: "none" });
    const { memories } = clientsOf(server);
    for (const userId of ["a", "b", "c"])
      await memories.provider.add({ namespace: { userId, agentId: "x" }, content: userId });
    const file = join(folder, "b.backup");
    await runCommand(["backup", file, "--server", server.grpcUrl]);
    const whole = await readFile(file);
    const idOf = async (path: string) =>
      (
        JSON.parse((await runCommand(["verify", "--backup", path, "--json"])).stdout) as {
          readonly backupId: string;
        }
      ).backupId;
    // A repeated backup copies only the scopes that are incomplete in its file. So the memory that
    // is added here is missing in every scope that the interrupted backup had completed.
    for (const userId of ["a", "b", "c"])
      await memories.provider.add({ namespace: { userId, agentId: "x" }, content: "later" });
    const part = join(folder, "p.backup");
    for (const length of [0, 20, 200, Math.floor(whole.length / 2), whole.length - 5]) {
      await writeFile(`${part}.part`, whole.subarray(0, length));
      const { exitCode } = await runCommand(["backup", part, "--server", server.grpcUrl]);
      expect(exitCode, `${length} bytes`).toBe(0);
      const verified = await runCommand(["verify", "--backup", part, "--json"]);
      expect(JSON.parse(verified.stdout)).toMatchObject({ sound: true, scopes: 3 });
      if (length > whole.length / 3) expect(await idOf(part)).toBe(await idOf(file));
      if (length === whole.length - 5) expect(await readFile(part)).toEqual(whole);
      await rm(part);
    }
  });

  it("backup does not continue the unfinished backup of another server", async () => {
    const [server, other] = [await serve({ provider: "memory" }), await serve()];
    for (const { memories } of [server, other].map(clientsOf)) await memories.addAll("one");
    const file = join(folder, "b.backup");
    await runCommand(["backup", file, "--server", server.grpcUrl]);
    const part = `${file}.part`;
    await writeFile(part, (await readFile(file)).subarray(0, -5));
    await rm(file);
    const refused = await runCommand(["backup", file, "--server", other.grpcUrl]);
    expect(refused).toMatchObject({ exitCode: 2, stdout: "" });
    expect(refused.stderr).toBe(
      `error: file: '${part}' is the unfinished backup of other users, of another store or tenant, or from before ` +
        "a restore; choose another name, or remove it\n",
    );
    expect(await runCommand(["backup", file, "--server", server.grpcUrl])).toMatchObject({
      exitCode: 0,
    });
  });

  it("backup refuses to overwrite a file, and prints the number of scopes with --dry-run", async () => {
    const server = await serve({ provider: "memory" });
    await fill(server);
    const file = join(folder, "b.backup");
    const planned = await runCommand(["backup", file, "--dry-run", "--server", server.grpcUrl]);
    expect(planned.stdout).toBe("1 scopes (users, runs and manifests) would be backed up.\n");
    expect((await readdir(folder)).filter((name) => name.startsWith("b.backup"))).toEqual([]);
    await writeFile(file, "mine");
    const refused = await runCommand(["backup", file, "--server", server.grpcUrl]);
    expect(refused).toMatchObject({ exitCode: 2 });
    expect(refused.stderr).toContain("exists; choose another name");
    expect(await readFile(file, "utf8")).toBe("mine");
  });

  it("verify and restore refuse a damaged, shortened or foreign file and write nothing", async () => {
    const server = await serve({ provider: "memory" });
    await fill(server);
    const file = join(folder, "b.backup");
    const data = join(folder, "restored");
    await runCommand(["backup", file, "--server", server.grpcUrl]);
    const whole = await readFile(file);
    const damaged = Buffer.from(whole);
    damaged.writeUInt8(damaged.readUInt8(whole.length >> 1) ^ 4, whole.length >> 1);
    const cases = [
      { bytes: damaged, why: /damaged at or after byte \d+/ },
      { bytes: whole.subarray(0, -30), why: /cut off/ },
      { bytes: Buffer.from('{"memories":[]}'), why: /does not begin as a backup/ },
      { bytes: Buffer.alloc(0), why: /does not begin as a backup/ },
    ];
    for (const { bytes, why } of cases) {
      await writeFile(file, bytes);
      for (const args of [
        ["verify", "--backup", file],
        ["restore", file, "--data", data],
      ]) {
        const { exitCode, stdout, stderr } = await runCommand(args);
        expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
        expect(stderr).toMatch(why);
        expect(stderr).toContain(file);
      }
      await expect(stat(data)).rejects.toMatchObject({ code: "ENOENT" });
    }
    expect((await runCommand(["verify", "--backup", join(folder, "none")])).stderr).toContain(
      "ENOENT",
    );
  });

  it("restore writes into the folder of --data, even if the environment names a database", async () => {
    const server = await serve({ provider: "memory", embedder: "none" });
    await clientsOf(server).memories.addAll("one");
    const file = join(folder, "b.backup");
    const data = join(folder, "restored");
    await runCommand(["backup", file, "--server", server.grpcUrl]);
    const environment = { VADEMECUM_POSTGRES_URL: "postgres://vademecum@127.0.0.1:1/vademecum" };
    expect(await runCommand(["restore", file, "--data", data], { environment })).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining(` into ${data} `) as unknown,
    });
    expect((await runCommand(["verify", "--data", data])).exitCode).toBe(0);
  });

  it("a backup and a restore can be limited to users and to ranges of slots", async () => {
    const server = await serve({ provider: "memory", embedder: "none" });
    const provider = providerOf(server);
    for (const userId of ["ann", "bob", "cay"])
      await createNamespaceClient(provider, { userId, agentId: "one" }).addAll(`by ${userId}`);
    const usersIn = async (...options: readonly string[]) => {
      const file = join(folder, `${options.join("")}.backup`);
      const data = join(folder, `${options.join("")}.data`);
      const all = join(folder, "all.backup");
      await rm(all, { force: true });
      await runCommand(["backup", all, "--server", server.grpcUrl]);
      await runCommand(["backup", file, "--server", server.grpcUrl, ...options]);
      await runCommand(["restore", all, "--data", data, ...options]);
      const restored = await openTestStore(data);
      const users = await collect(restored.scopeStates());
      await restored.close();
      const counted = await runCommand(["verify", "--backup", file, "--json"]);
      expect(JSON.parse(counted.stdout)).toMatchObject({ scopes: users.length });
      return users.map(({ scope }) => (scope.kind === "user" ? scope.userId : "")).sort();
    };
    expect(await usersIn("--user", "ann", "--user", "cay")).toEqual(["ann", "cay"]);
    const half = (scope: { userId: string }) => slotOf({ kind: "user", ...scope }) < 2 ** 31;
    const low = ["ann", "bob", "cay"].filter((userId) => half({ userId }));
    expect(await usersIn("--range", "00000000-7fffffff")).toEqual(low);
    const missing = await runCommand([
      ...["backup", join(folder, "x.backup"), "--server", server.grpcUrl, "--user", "dan"],
    ]);
    expect(missing).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining("the server has no data of the user 'dan'") as unknown,
    });
  });

  it("restore refuses a tenant name that credentials do not allow", async () => {
    const file = join(folder, "b.backup");
    const data = join(folder, "restored");
    for (const tenant of ["", "Acme", "a/b", "a".repeat(65)]) {
      const refused = await runCommand(["restore", file, "--data", data, "--tenant", tenant]);
      expect(refused).toMatchObject({ exitCode: 2, stdout: "" });
      expect(refused.stderr).toContain("It must be 1 to 64 characters of a-z, 0-9 and . _ -.");
    }
  });

  it.skipIf(isOverPostgres)(
    "no server starts on the folder of an interrupted restore until the restore is repeated",
    async () => {
      const server = await serve({ provider: "memory" });
      await fill(server);
      const file = join(folder, "b.backup");
      const other = join(folder, "other.backup");
      const data = join(folder, "restored");
      for (const name of [file, other])
        await runCommand(["backup", name, "--server", server.grpcUrl]);
      await runCommand(["restore", file, "--data", data]);
      const { backupId } = JSON.parse(
        (await runCommand(["verify", "--backup", file, "--json"])).stdout,
      ) as { readonly backupId: string };
      await writeFile(join(data, "RESTORING"), `${JSON.stringify({ backupId })}\n`);
      const unfinished = { code: "FAILED_PRECONDITION", reason: "RESTORE_UNFINISHED" };
      await expect(startTestServer({ data })).rejects.toMatchObject(unfinished);
      const wrong = await runCommand(["restore", other, "--data", data]);
      expect(wrong.stderr).toContain("only in part");
      expect(await runCommand(["restore", file, "--data", data])).toMatchObject({ exitCode: 0 });
      const again = await runCommand(["restore", file, "--data", data]);
      expect(again.stderr).toContain("holds data");
      await serve({ data });
    },
  );
});

describeOver("Backup and Restore", duplexProtocols, (protocol) => {
  it("Restore restores all records, with the digests of the source, and changes nothing the second time", async () => {
    const source = createInMemoryStore();
    const scopes = (await fillScopes(source)).filter(({ tenant }) => tenant === undefined);
    const server = await serve({ provider: "level", embedder: "none" });
    const connection = protocol().connect(server);
    ends.push(() => connection.close());
    const admin = createClient(AdminService, connection.transport);
    const chunks = (await backupOf(source, { content: "records", scopes })).map(fromBackupChunk);
    const progress = await collect(admin.restore(requestsOf(chunks)));
    expect(progress.at(-1)).toMatchObject({ scopes: 4n, unchanged: 0n });
    const digests = await collect(admin.backup({ content: BackupContent.DIGESTS }));
    const found = digests.flatMap(({ chunk }) =>
      chunk?.chunk.case === "scopeEnd" ? [chunk.chunk.value] : [],
    );
    const expected = await Promise.all(scopes.map((scope) => digestOf(source, scope)));
    expect(found).toHaveLength(expected.length);
    for (const digest of expected)
      expect(
        found.some(({ records, sha256 }) =>
          sameDigest(digest, { records: Number(records), sha256 }),
        ),
      ).toBe(true);
    const again = await collect(admin.restore(requestsOf(chunks)));
    expect(again.at(-1)).toMatchObject({ scopes: 4n, unchanged: 4n });
  });

  it("Restore refuses a garbled stream, and Backup refuses a faulty range or scope", async () => {
    const server = await serve({ provider: "memory" });
    const connection = protocol().connect(server);
    ends.push(() => connection.close());
    const admin = createClient(AdminService, connection.transport);
    const source = createInMemoryStore();
    await fillScopes(source);
    const chunks = (await backupOf(source)).map(fromBackupChunk);
    const invalid = { code: "INVALID_ARGUMENT", reason: "INVALID_BACKUP" };
    for (const given of [[], chunks.slice(1), chunks.slice(0, -1), chunks.toSpliced(3, 1)])
      expect(await failureOf(collect(admin.restore(requestsOf(given))))).toMatchObject(invalid);
    expect(await failureOf(collect(admin.restore(eachOf([{}]))))).toMatchObject({
      code: "INVALID_ARGUMENT",
      fields: ["chunk"],
    });
    expect(await failureOf(collect(admin.backup({ range: { first: 2, last: 1 } })))).toMatchObject({
      code: "INVALID_ARGUMENT",
    });
    expect(
      await failureOf(collect(admin.backup({ scopes: [{ kind: ScopeKind.UNSPECIFIED }] }))),
    ).toMatchObject({ code: "INVALID_ARGUMENT", fields: ["scopes[0].kind"] });
  });
});

function requestsOf(chunks: readonly BackupChunk[]) {
  return eachOf(chunks.map((chunk) => ({ chunk })));
}
