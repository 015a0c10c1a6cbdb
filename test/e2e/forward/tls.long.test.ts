import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@connectrpc/connect";
import { expect, it, onTestFinished } from "vitest";
import { AdminService } from "#gen/vademecum/v1/admin_pb.js";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { nativeGrpc } from "../harness/protocols.js";
import { startServerProcess } from "../harness/server-process.js";
import { startTestServer } from "../harness/test-server.js";
import { tlsFile, tlsMemories, tlsUrl } from "../harness/tls-client.js";

it("calls are forwarded over TLS to a server whose authority NODE_EXTRA_CA_CERTS names", async () => {
  const current = await startTestServer({
    provider: "memory",
    embedder: "none",
    "tls-cert": tlsFile("cert.pem"),
    "tls-key": tlsFile("key.pem"),
  });
  onTestFinished(() => current.stop());
  const folder = await mkdtemp(join(tmpdir(), "vademecum-forward-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const old = await startServerProcess(folder, {
    flags: ["--embedder", "none", "--move-targets", "localhost"],
    environment: { NODE_EXTRA_CA_CERTS: tlsFile("cert.pem") },
  });
  onTestFinished(async () => void (await old.end("SIGTERM")));
  const connection = nativeGrpc.connect(old);
  onTestFinished(() => connection.close());
  const admin = createClient(AdminService, connection.transport);
  const { holdId } = await admin.holdWrites({ range: {} });
  await admin.holdWrites({ range: {}, holdId, movedTo: tlsUrl(current.grpcUrl) });
  const namespace = { userId: "ann", agentId: "x" };
  const through = createClient(MemoryProvider, connection.transport);
  const { id } = await through.add({ namespace, content: "tea" });
  const direct = await tlsMemories(current.grpcUrl);
  expect((await direct.get({ namespace, id })).memory?.content).toBe("tea");
});
