import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, open, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@connectrpc/connect";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { runCommand } from "../cli/run-command.js";
import { failureOf } from "../e2e/harness/failure.js";
import { createGrpcJsTransport } from "../e2e/harness/grpc-js-transport.js";
import { createNamespaceClient, type NamespaceClient } from "../e2e/harness/namespace-client.js";
import { FailedStart, type ServerProcess, startServerProcess } from "./server/server-process.js";

let folder = "";
let server: ServerProcess | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "vademecum-folder-"));
});
afterEach(async () => {
  await server?.end("SIGKILL");
  await rm(folder, { recursive: true });
});

describe("a server on a damaged folder", () => {
  it("a server on a damaged folder refuses every start with advice, and a new folder serves what is readable", async () => {
    server = await startServerProcess(folder);
    const written = Array.from({ length: 50 }, (_, i) => `memory ${i} ${"x".repeat(5000)}`);
    await connect(server).addAll(...written);
    const { commitSeq } = await connect(server).add("the last memory");
    written.push("the last memory");
    await server.end("SIGKILL");
    expect(await exitCodeOfCutBackup()).toBe(1);
    await flipByteInLog();
    for (let start = 1; start <= 2; start++) {
      const refusal = await failedStart();
      expect(refusal.exitCode).toBe(1);
      expect(refusal.output).toContain(`vademecum backup --readable-only --data ${folder} FILE`);
      expect(refusal.output).toContain("vademecum restore FILE --data NEW_FOLDER");
      expect(refusal.output).toContain("damaged");
      expect(refusal.output).not.toMatch(/^\s+at /m);
    }
    const file = `${folder}.backup`;
    const restored = `${folder}-restored`;
    onTestFinished(async () => {
      for (const path of [file, restored]) await rm(path, { recursive: true, force: true });
    });
    const backup = await runCommand(["backup", "--readable-only", "--data", folder, file]);
    expect(backup.stdout).toContain("Damaged or missing");
    await runCommand(["restore", file, "--data", restored]);
    server = await startServerProcess(restored);
    const saved = await connect(server).contents();
    expect(written).toEqual(expect.arrayContaining(saved));
    expect(
      await failureOf(connect(server).search("memory", { minCommitSeq: commitSeq })),
    ).toMatchObject({ code: "INVALID_ARGUMENT", reason: "FOREIGN_COMMIT_SEQ" });
    await connect(server).add("life goes on");
    expect(await server.end("SIGTERM")).toBe(0);
    server = await startServerProcess(restored);
    expect(await connect(server).contents()).toEqual(["life goes on", ...saved]);
    expect((await failedStart()).output).toContain("damaged");
  });
});

describe("a server on a folder with foreign files", () => {
  it("a server on a folder with foreign files names the folder, ends, and leaves the files alone", async () => {
    const precious = join(folder, "thesis.txt");
    const file = await open(precious, "w");
    await file.writeFile("precious");
    await file.close();
    const refusal = await failedStart();
    expect(refusal.exitCode).toBe(1);
    expect(refusal.output).toContain(folder);
    expect((await readdir(folder)).filter((name) => name !== "lock")).toEqual(["thesis.txt"]);
  });
});

/** Backs up to a program that reads only the first byte. Returns the exit code of the backup. */
async function exitCodeOfCutBackup(): Promise<number | null> {
  const command = '"$0" dist/main.js backup --readable-only --data "$1" - | head -c 1';
  const child = spawn(
    "bash",
    ["-c", `${command}; exit "\${PIPESTATUS[0]}"`, process.execPath, folder],
    { stdio: "ignore" },
  );
  const [code] = (await once(child, "exit")) as [number | null];
  return code;
}

async function failedStart(): Promise<FailedStart> {
  try {
    const started = await startServerProcess(folder);
    await started.end("SIGKILL");
  } catch (error) {
    if (error instanceof FailedStart) return error;
    throw error;
  }
  throw new Error("the server started, but it must not");
}

/** Flips one bit in the middle of LevelDB's newest log. */
async function flipByteInLog(): Promise<void> {
  const records = join(folder, "records");
  const [log] = (await readdir(records))
    .filter((name) => name.endsWith(".log"))
    .toSorted()
    .toReversed();
  const file = await open(join(records, log ?? "no log"), "r+");
  const { size } = await file.stat();
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size >> 1);
  buffer.writeUInt8(buffer.readUInt8() ^ 1);
  await file.write(buffer, 0, 1, size >> 1);
  await file.close();
}

function connect({ grpcUrl }: ServerProcess): NamespaceClient {
  const transport = createGrpcJsTransport(new URL(grpcUrl).host);
  return createNamespaceClient(createClient(MemoryProvider, transport), {
    userId: "ann",
    agentId: "one",
  });
}
