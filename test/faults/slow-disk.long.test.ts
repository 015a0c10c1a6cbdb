import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { createClient } from "@connectrpc/connect";
import { expect, it, onTestFinished } from "vitest";
import { Health, HealthCheckResponse_ServingStatus } from "#gen/grpc/health/v1/health_pb.js";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { failureOf } from "../e2e/harness/failure.js";
import { nativeGrpc } from "../e2e/harness/protocols.js";
import { type ServerProcess, startServerProcess } from "./server/server-process.js";

const hasStrace =
  spawnSync("strace", ["-qq", "-e", "trace=none", "true"], { stdio: "ignore" }).status === 0;
/** How long each sync takes. Far longer than all reads of the test together. */
const syncMs = 10_000;
const namespace = { userId: "ann", agentId: "a" };

/** Makes each sync of a server slow until the test ends. */
async function slowSyncs({ pid }: ServerProcess): Promise<ChildProcess> {
  const slow = `fsync,fdatasync:delay_enter=${syncMs * 1_000}`;
  const tracer = spawn(
    "strace",
    ["-f", "-p", String(pid), "-e", "trace=fsync,fdatasync", "-e", `inject=${slow}`],
    { stdio: ["ignore", "ignore", "pipe"] },
  );
  for await (const line of createInterface(tracer.stderr)) if (line.includes("attached")) break;
  tracer.stderr.resume();
  return tracer;
}

it.skipIf(!hasStrace)(
  "on a slow disk, reads and health checks continue, and a write ends at its deadline or is acknowledged",
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "vademecum-slow-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const server = await startServerProcess(join(folder, "data"), {
      flags: ["--embedder", "none"],
    });
    onTestFinished(() => void server.end("SIGKILL"));
    const connection = nativeGrpc.connect(server);
    onTestFinished(() => connection.close());
    const memories = createClient(MemoryProvider, connection.transport);
    const { id } = await memories.add({ namespace, content: "before" });
    const tracer = await slowSyncs(server);
    const order: string[] = [];
    const write = memories.add({ namespace, content: "slow" }).then((reply) => {
      order.push("written");
      return reply;
    });
    const impatient = memories.add({ namespace, content: "impatient" }, { timeoutMs: 1_000 });
    expect(await failureOf(impatient)).toMatchObject({ code: "DEADLINE_EXCEEDED" });
    const health = createClient(Health, connection.transport);
    for (let read = 0; read < 20; read++) {
      expect((await memories.get({ namespace, id })).memory?.content).toBe("before");
      const { hits } = await memories.recall({ search: { namespace, query: "before" } });
      expect(hits.map(({ memory }) => memory?.content)).toContain("before");
      expect((await health.check({})).status).toBe(HealthCheckResponse_ServingStatus.SERVING);
    }
    order.push("read");
    const { id: slowId } = await write;
    expect(order).toEqual(["read", "written"]);
    const ended = once(tracer, "close");
    tracer.kill("SIGINT");
    await ended;
    expect((await memories.get({ namespace, id: slowId })).memory?.content).toBe("slow");
    await memories.add({ namespace, content: "after" });
  },
);
