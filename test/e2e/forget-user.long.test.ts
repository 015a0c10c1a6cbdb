import { writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runCommand } from "../cli/run-command.js";
// The data folder is under test, so these servers always use one.
import { type ServerProcess, startServerProcess } from "../faults/server/server-process.js";
import { failureOf } from "./harness/failure.js";
import {
  type Clients,
  clientsOver,
  filesWith as filesWithIn,
  newMark,
  writeEverything,
  writeRun,
} from "./harness/marked-records.js";
import { nativeGrpc } from "./harness/protocols.js";

let folder: string;
let data: string;
const ends: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "vademecum-forget-"));
  data = join(folder, "data");
});

afterEach(async () => {
  for (const end of ends.splice(0)) await end();
  await rm(folder, { recursive: true });
});

async function serve(...flags: readonly string[]): Promise<ServerProcess> {
  const server = await startServerProcess(data, { flags: ["--audit", "all", ...flags] });
  ends.push(() => server.end("SIGKILL"));
  return server;
}

function clientsOf(server: ServerProcess): Clients {
  const connection = nativeGrpc.connect(server);
  ends.push(async () => connection.close());
  return clientsOver(connection.transport);
}

/** Returns the paths of the files of the data folder, or in a folder of it, that have a text. */
function filesWith(text: string, at = data): readonly string[] {
  return filesWithIn(text, at);
}

/** LevelDB's list of its files has some keys until the next start. */
function isListOfFiles(path: string): boolean {
  return /MANIFEST-\d+$/.test(path);
}

/** Runs a command that must succeed. Returns its output. */
async function command(...args: readonly string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await runCommand([...args]);
  expect([exitCode, stderr]).toEqual([0, expect.anything()]);
  return stdout;
}

describe("ForgetUser", () => {
  it("no file of the data folder has anything of an erased user or run, and others stay", async () => {
    const mark = newMark();
    const kept = newMark();
    const first = await serve("--graph-threshold", "2");
    const clients = clientsOf(first);
    await writeEverything(clients, "ann", mark);
    await writeRun(clients, "run of ann", mark);
    await writeEverything(clients, "ben", kept);
    await writeRun(clients, "run of ben", kept);
    // A stop writes images and graphs.
    await first.end("SIGTERM");
    expect(filesWith(mark, join(data, "images"))).not.toEqual([]);
    const second = await serve("--graph-threshold", "2");
    const again = clientsOf(second);
    expect(filesWith(mark)).not.toEqual([]);
    const { receipt } = await again.admin.forgetUser({ userId: "ann", runIds: ["run of ann"] });
    expect(receipt?.counts).toMatchObject({
      ...{ memories: 4n, memoryVersions: 1n, vectors: 5n, blocks: 1n, blockVersions: 2n },
      ...{ proposals: 2n, skills: 1n, keys: 1n, replies: 2n, graphs: 1n },
    });
    for (const count of [receipt?.counts?.traces, receipt?.counts?.images])
      expect(count).toBeGreaterThan(0n);
    expect(receipt?.scopes.map(({ commitSeq }) => commitSeq > 0n)).toEqual([true, true]);
    expect(JSON.stringify(receipt?.scopes, (_, value) => String(value))).not.toContain("ann");
    expect(filesWith(mark).filter((path) => !isListOfFiles(path))).toEqual([]);
    expect(await again.blocks.listBlocks({ userId: "ann" })).toMatchObject({ blocks: [] });
    const { blocks } = await again.blocks.listBlocks({ userId: "ben" });
    expect(blocks.map(({ body }) => body)).toEqual([`Moved to ${kept}.`]);
    const { found } = await again.keyValues.readKey({ runId: "run of ben", key: `key ${kept}` });
    expect(found).toBe(true);
    await second.end("SIGTERM");
    const third = clientsOf(await serve("--graph-threshold", "2"));
    expect(filesWith(mark)).toEqual([]);
    expect(await third.blocks.listBlocks({ userId: "ann" })).toMatchObject({ blocks: [] });
    expect(filesWith(kept)).not.toEqual([]);
  });

  it("a run is erased alone, and an erased user may come back", async () => {
    const mark = newMark();
    const clients = clientsOf(await serve());
    await writeRun(clients, "run", mark);
    await writeEverything(clients, "ann", newMark());
    const { receipt } = await clients.admin.forgetUser({ runIds: ["run"] });
    expect(receipt?.counts).toMatchObject({ keys: 1n, memories: 0n });
    expect(filesWith(mark).filter((path) => !isListOfFiles(path))).toEqual([]);
    expect((await clients.blocks.listBlocks({ userId: "ann" })).blocks).toHaveLength(1);
    await clients.admin.forgetUser({ userId: "ann" });
    const namespace = { userId: "ann", agentId: "guide" };
    await clients.memories.add({ namespace, content: "Ann is back" });
    const { memories } = await clients.memories.getAll({ namespace });
    expect(memories.map(({ content }) => content)).toEqual(["Ann is back"]);
  });

  it("a dry run counts what would be erased, and erases nothing", async () => {
    const mark = newMark();
    const clients = clientsOf(await serve());
    await writeEverything(clients, "ann", mark);
    const before = await clients.admin.listUsers({});
    const { receipt } = await clients.admin.forgetUser({ userId: "ann", dryRun: true });
    expect(await clients.admin.listUsers({})).toEqual(before);
    expect(filesWith(mark)).not.toEqual([]);
    const { receipt: done } = await clients.admin.forgetUser({ userId: "ann" });
    expect(done?.counts).toEqual(receipt?.counts);
  });

  it("a repeated call with the same key returns the same receipt and erases nothing new", async () => {
    const clients = clientsOf(await serve());
    await writeEverything(clients, "ann", newMark());
    const request = { userId: "ann", idempotencyKey: "erase ann" };
    const { receipt } = await clients.admin.forgetUser(request);
    const namespace = { userId: "ann", agentId: "guide" };
    await clients.memories.add({ namespace, content: "Ann is back" });
    expect((await clients.admin.forgetUser(request)).receipt).toEqual(receipt);
    expect((await clients.memories.getAll({ namespace })).memories).toHaveLength(1);
    const other = await failureOf(clients.admin.forgetUser({ ...request, userId: "ben" }));
    expect(other).toMatchObject({ reason: "IDEMPOTENCY_KEY_REUSED" });
  });

  it("restore --receipts leaves out whom a receipt names, and restores who has come back since", async () => {
    const mark = newMark();
    const server = await serve();
    const clients = clientsOf(server);
    for (const userId of ["ann", "ben"]) await writeEverything(clients, userId, mark);
    await writeRun(clients, "run", mark);
    const to = ["--server", new URL(server.grpcUrl).host];
    const backup = join(folder, "vademecum.backup");
    await command("backup", backup, ...to);
    const receipts = join(folder, "receipts.jsonl");
    await command("forget", "ann", "--run", "run", "--receipt", receipts, ...to);
    await command("forget", "carl", "--receipt", receipts, ...to);
    await clients.blocks.putBlock({ userId: "carl", label: "l", body: "Carl is back" });
    const later = join(folder, "later.backup");
    await command("backup", later, ...to);
    data = join(folder, "restored");
    const restored = await command("restore", backup, "--data", data, "--receipts", receipts);
    expect(restored).toContain("erased and left out: 2");
    const { blocks, keyValues } = clientsOf(await serve());
    expect((await blocks.listBlocks({ userId: "ann" })).blocks).toEqual([]);
    expect((await blocks.listBlocks({ userId: "ben" })).blocks).toHaveLength(1);
    expect((await keyValues.readKey({ runId: "run", key: `key ${mark}` })).found).toBe(false);
    data = join(folder, "restored later");
    await command("restore", later, "--data", data, "--receipts", receipts);
    const { blocks: laterBlocks } = clientsOf(await serve());
    expect((await laterBlocks.listBlocks({ userId: "carl" })).blocks).toHaveLength(1);
  });

  it("restore refuses a file that is not of receipts, with the number of the line", async () => {
    const receipts = join(folder, "receipts.jsonl");
    writeFileSync(receipts, '{"scopes": []}\n');
    const args = ["restore", "absent", "--data", data, "--receipts", receipts];
    const { exitCode, stderr } = await runCommand(args);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining(`line 1 of ${receipts}`)]);
  });

  it("an erasure that kill -9 interrupts ends after the next start", async () => {
    const mark = newMark();
    const server = await serve();
    const clients = clientsOf(server);
    await writeEverything(clients, "ann", mark);
    const erased = failureOf(clients.admin.forgetUser({ userId: "ann" }));
    const { memories } = clients;
    const namespace = { userId: "ann", agentId: `agent ${mark}` };
    // The user is gone before the files are compacted.
    while ((await memories.count({ namespace })).count > 0n);
    await server.end("SIGKILL");
    await erased.catch(() => undefined);
    const next = await serve();
    expect((await clientsOf(next).memories.count({ namespace })).count).toBe(0n);
    await expect.poll(() => filesWith(mark).filter((path) => !isListOfFiles(path))).toEqual([]);
    await next.end("SIGTERM");
    const last = await serve();
    expect(filesWith(mark)).toEqual([]);
    await last.end("SIGTERM");
  });

  it("a call that names nobody is refused", async () => {
    const { admin } = clientsOf(await serve());
    expect(await failureOf(admin.forgetUser({}))).toMatchObject({ code: "INVALID_ARGUMENT" });
  });
});
