import { type Client, createClient } from "@connectrpc/connect";
import { afterEach } from "vitest";
import { AdminService } from "#gen/vademecum/v1/admin_pb.js";
import { MemoryType } from "#gen/vademecum/v1/memory_pb.js";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { ToolService } from "#gen/vademecum/v1/tool_service_pb.js";
import { createNamespaceClient } from "../harness/namespace-client.js";
import { type Connection, nativeGrpc, type ServerUrls } from "../harness/protocols.js";
import { startTestServer, type TestServer } from "../harness/test-server.js";

/** What to end after the case. */
export const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

export async function serve(flags: Readonly<Record<string, string>> = {}): Promise<TestServer> {
  const server = await startTestServer({ provider: "memory", embedder: "none", ...flags });
  ends.push(() => server.stop());
  return server;
}

export function connect(server: Pick<ServerUrls, "grpcUrl">, protocol = nativeGrpc): Connection {
  const connection = protocol.connect({ httpUrl: "", ...server });
  ends.push(() => connection.close());
  return connection;
}

/** All slots below the slot of the user `bob`, and so the user `ann` alone. */
export const rangeOfAnn = { first: 0, last: 0x7fff_ffff };
export const ann = { userId: "ann", agentId: "x" };
export const bob = { userId: "bob", agentId: "x" };

export type Admin = Client<typeof AdminService>;

export function adminOf(server: ServerUrls): Admin {
  return createClient(AdminService, connect(server).transport);
}

/** Moves a range without data: the server forwards its calls to an address from now on. */
export async function sendTo(
  admin: Admin,
  movedTo: string,
  range: object = { first: 0 },
): Promise<void> {
  const { holdId } = await admin.holdWrites({ range });
  await admin.holdWrites({ range, holdId, movedTo });
}

/** Two servers. The first forwards the calls of the user `ann` to the second. */
export async function servePair(flags: Readonly<Record<string, string>> = {}) {
  const [old, current] = [await serve(flags), await serve()];
  await sendTo(adminOf(old), current.grpcUrl, rangeOfAnn);
  return { old, current, admin: adminOf(old) };
}

export function memoriesOn(server: ServerUrls, namespace = ann, protocol = nativeGrpc) {
  const { transport } = connect(server, protocol);
  return createNamespaceClient(createClient(MemoryProvider, transport), namespace);
}

/** The tool of `declareTool`, which asks about the user `ann`. */
export const turn = {
  requestId: "turn",
  toolId: "notes",
  toolVersion: "1",
  agentContext: { agentId: "x" },
  userId: "ann",
};

export const query = (queryId: string) => ({
  queryId,
  memoryType: MemoryType.EPISODIC,
  queryText: "milk",
});

export async function declareTool(server: ServerUrls): Promise<void> {
  const memoryAccess = [{ memoryType: MemoryType.EPISODIC, enabled: true }];
  await createClient(ToolService, connect(server).transport).registerTool({
    manifest: { toolId: turn.toolId, version: turn.toolVersion, memoryAccess },
  });
}
