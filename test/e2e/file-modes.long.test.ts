import { execFile } from "node:child_process";
import { chmod, mkdir, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { platform, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createClient } from "@connectrpc/connect";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { startTestEndpoint } from "../embed/openai/test-endpoint.js";
// The data folder is under test, so these servers always use one.
import { type ServerProcess, startServerProcess } from "../faults/server/server-process.js";
import { createNamespaceClient } from "./harness/namespace-client.js";
import { nativeGrpc } from "./harness/protocols.js";

const program = fileURLToPath(new URL("../../dist/main.js", import.meta.url));
/** Makes a process start with a umask that lets everybody read and write new files. */
const openUmask = ["--import", "data:text/javascript,process.umask(0)"];
const warning = "other users of this machine may read or change the data folder";

let folder: string;
let data: string;
const ends: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "vademecum-modes-"));
  data = join(folder, "parent", "data");
});

afterEach(async () => {
  for (const end of ends.splice(0)) await end();
  await rm(folder, { recursive: true });
});

async function serve(...flags: readonly string[]): Promise<ServerProcess> {
  const server = await startServerProcess(data, { flags, nodeFlags: openUmask });
  ends.push(() => server.end("SIGKILL"));
  return server;
}

/** Stores memories, and searches them. */
async function addSome(server: ServerProcess): Promise<void> {
  const connection = nativeGrpc.connect(server);
  ends.push(async () => connection.close());
  const provider = createClient(MemoryProvider, connection.transport);
  const memories = createNamespaceClient(provider, { userId: "ann", agentId: "guide" });
  await memories.addAll("Ann's door code is 4711", "Ann sings", "Ann has a boat");
  await memories.search("door code");
}

/** Returns the mode of everything in a folder, and of the folder, by path. */
async function modesIn(path: string): Promise<Map<string, string>> {
  const paths = [
    path,
    ...(await readdir(path, { recursive: true })).map((name) => join(path, name)),
  ];
  const modes = new Map<string, string>();
  for (const each of paths) modes.set(each, ((await stat(each)).mode & 0o777).toString(8));
  return modes;
}

async function expectNoneForOthers(path: string): Promise<void> {
  const modes = await modesIn(path);
  expect([...modes].filter(([, mode]) => !mode.endsWith("00"))).toEqual([]);
}

describe.skipIf(platform() === "win32")("modes of files", () => {
  it("whatever the umask, only the user of the server can read the data folder, its caches and backups", async () => {
    const endpoint = await startTestEndpoint();
    ends.push(() => endpoint.stop());
    const flags = ["--embedder", "openai", "--openai-url", endpoint.url];
    const server = await serve(...flags);
    await addSome(server);
    const names = await readdir(data);
    expect(names).toEqual(
      expect.arrayContaining(["embeddings", "high-water-mark", "lock", "records"]),
    );
    const backup = join(folder, "parent", "backup");
    const backUp = ["backup", backup, "--server", server.grpcUrl.replace("http://", "")];
    await promisify(execFile)(process.execPath, [...openUmask, program, ...backUp]);
    await expectNoneForOthers(join(folder, "parent"));
    expect((await stat(backup)).size).toBeGreaterThan(0);
    expect(await server.end("SIGTERM")).toBe(0);
    await expectNoneForOthers(join(folder, "parent"));
    expect(server.log()).not.toContain(warning);
  });

  it("the server warns at start if others can read an existing data folder, and not after chmod 700", async () => {
    await mkdir(data, { recursive: true });
    await chmod(data, 0o750);
    const first = await serve();
    await addSome(first);
    expect(await first.end("SIGTERM")).toBe(0);
    expect(first.log()).toContain(`${warning}; run chmod 700`);
    expect(first.log()).toContain('"mode":"750"');
    await chmod(data, 0o700);
    const second = await serve();
    expect(await second.end("SIGTERM")).toBe(0);
    expect(second.log()).not.toContain(warning);
  });
});
