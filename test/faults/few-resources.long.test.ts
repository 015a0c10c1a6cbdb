import { execFileSync, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@connectrpc/connect";
import { afterEach, beforeEach, expect, it, onTestFinished } from "vitest";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { runCommand } from "../cli/run-command.js";
import { type Connection, nativeGrpc } from "../e2e/harness/protocols.js";
import { FailedStart, type ServerProcess, startServerProcess } from "./server/server-process.js";

const canLimit = spawnSync("prlimit", ["--version"], { stdio: "ignore" }).status === 0;
const namespace = { userId: "ann", agentId: "a" };

let folder = "";
let data = "";
let server: ServerProcess | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "vademecum-few-"));
  data = join(folder, "data");
});
afterEach(async () => {
  await server?.end("SIGKILL");
  server = undefined;
  await rm(folder, { recursive: true });
});

function open(running: ServerProcess): Connection {
  const connection = nativeGrpc.connect(running);
  onTestFinished(() => connection.close());
  return connection;
}

it.skipIf(!canLimit)(
  "a server without free file descriptors serves open connections, loses nothing, and recovers",
  async () => {
    server = await startServerProcess(data, { flags: ["--embedder", "none"] });
    const memories = createClient(MemoryProvider, open(server).transport);
    const acknowledged = [(await memories.add({ namespace, content: "before" })).id];
    const used = readdirSync(`/proc/${server.pid}/fd`).length;
    const spare = 5;
    execFileSync("prlimit", ["--pid", String(server.pid), `--nofile=${used + spare}:`]);
    const { hostname: host, port } = new URL(server.grpcUrl);
    const sockets: Socket[] = Array.from({ length: 10 * spare }, () =>
      connect({ host, port: Number(port) })
        .on("error", () => undefined)
        .resume(),
    );
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
    });
    await Promise.all(
      sockets.map((socket) => Promise.race([once(socket, "connect"), once(socket, "close")])),
    );
    for (let count = 0; count < 20; count++) {
      const { id } = await memories.add({ namespace, content: `without descriptors ${count}` });
      acknowledged.push(id);
    }
    for (const socket of sockets) socket.destroy();
    const later = createClient(MemoryProvider, open(server).transport);
    for (const id of acknowledged) expect((await later.get({ namespace, id })).memory?.id).toBe(id);
    expect(await server.end("SIGTERM")).toBe(0);
    server = undefined;
    expect(await runCommand(["verify", "--data", data])).toMatchObject({ exitCode: 0 });
  },
);

it("a server on a read-only disk refuses to start, and names the reason", async ({ skip }) => {
  const disk = join(folder, "disk");
  mkdirSync(disk);
  const mount = (options: string) =>
    spawnSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", disk], { stdio: "ignore" }).status;
  skip(mount("size=256m") !== 0, "this machine does not allow to mount a tmpfs");
  try {
    const filled = await startServerProcess(join(disk, "filled"), {
      flags: ["--embedder", "none"],
    });
    expect(await filled.end("SIGTERM")).toBe(0);
    mkdirSync(join(disk, "empty"));
    expect(mount("remount,ro")).toBe(0);
    for (const name of ["filled", "empty", "missing"]) {
      const { exitCode, output } = await failedStart(join(disk, name));
      expect(exitCode).toBe(1);
      expect(output).toContain(`the data folder ${join(disk, name)} cannot be used (EROFS`);
    }
  } finally {
    execFileSync("umount", [disk]);
  }
});

/** Starts a server that must refuse to start. */
async function failedStart(path: string): Promise<FailedStart> {
  const start = startServerProcess(path, { flags: ["--embedder", "none"] });
  const failure = await start.then(
    (running) => running.end("SIGKILL"),
    (error: unknown) => error,
  );
  if (failure instanceof FailedStart) return failure;
  throw new Error("the server started, but it must not");
}
