import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createClient } from "@connectrpc/connect";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { bySuite, isFullSuite } from "../suite.js";
import { failureOf } from "./harness/failure.js";
import { createNamespaceClient } from "./harness/namespace-client.js";
import { protocols } from "./harness/protocols.js";
import { type ServerProcess, startServerProcess } from "./harness/server-process.js";

/** Loaded before the server. Records each connection attempt and fails it. */
const recorder = fileURLToPath(new URL("network/record-connections.mjs", import.meta.url));

let folder = "";
let server: ServerProcess | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "vademecum-network-"));
});
afterEach(async () => {
  await server?.end("SIGKILL");
  await rm(folder, { recursive: true });
});

describe("a working server", () => {
  it.runIf(isFullSuite)("a working server opens no connection and looks up no name", async () => {
    const record = join(folder, "connections.txt");
    server = await startServerProcess(join(folder, "data"), {
      environment: { NODE_OPTIONS: `--import ${recorder}`, CONNECTIONS_FILE: record },
    });
    for (const protocol of protocols) {
      const connection = protocol.connect(server);
      await exercise(
        createNamespaceClient(createClient(MemoryProvider, connection.transport), {
          userId: "ann",
          agentId: protocol.name,
        }),
      );
      connection.close();
    }
    expect(await server.end("SIGTERM")).toBe(0);
    expect(await readFile(record, "utf8")).toBe("watching\n");
  });

  it("the log has no text, query, name or key of a caller, even at the finest level", async () => {
    server = await startServerProcess(join(folder, "data"), { flags: ["--log-level", "trace"] });
    const marker = "quagga";
    for (const protocol of bySuite({ quick: protocols.slice(0, 1), full: protocols })) {
      const connection = protocol.connect(server);
      const provider = createClient(MemoryProvider, connection.transport);
      const memories = createNamespaceClient(provider, {
        userId: `${marker} user`,
        agentId: `${marker} agent`,
      });
      const { id } = await memories.add(`${marker} content`, {
        tags: [marker],
        metadata: { [marker]: marker },
      });
      await memories.add(`${marker} again`, { idempotencyKey: marker });
      await memories.search(`${marker} query`, { filter: { tagsAny: [marker] } });
      await memories.update(id, { content: `${marker} changed` });
      await failureOf(memories.search(marker, { filter: { expression: `${marker} ==` } }));
      await failureOf(memories.get(`${marker} id`));
      await failureOf(memories.add(`${marker} other`, { idempotencyKey: marker }));
      await failureOf(memories.add(marker.repeat(20_000)));
      await memories.reset();
      connection.close();
    }
    expect(await server.end("SIGTERM")).toBe(0);
    expect(server.log()).toContain("stopped");
    expect(server.log()).not.toContain(marker);
  });
});

async function exercise(memories: ReturnType<typeof createNamespaceClient>): Promise<void> {
  const { id } = await memories.add("The user prefers red wine");
  await memories.search("Which wine?");
  await memories.recall("Which wine?", { budgetTokens: 10 });
  await memories.list();
  await memories.update(id, { content: "The user prefers white wine" });
  await memories.delete(id);
}
