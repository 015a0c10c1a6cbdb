import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Client, createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, expect, it } from "vitest";
import { AdminService } from "#gen/vademecum/v1/admin_pb.js";
import { BlockService } from "#gen/vademecum/v1/block_service_pb.js";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { fillStore } from "../../bench/harness/fill-store.js";
import { sampleMemories } from "../../bench/harness/sample-memories.js";
import { writeBlock } from "../../src/core/blocks/records.js";
import { userScope } from "../../src/core/model/namespace.js";
import { openLevelStore } from "../../src/store/level/level-store.js";
import { systemClock } from "../../src/system/clock.js";
import { startTestServer, type TestServer } from "./harness/test-server.js";
import { withHeldBytes } from "./turns/held-memory.js";

const userId = "ann";
const namespace = { userId, agentId: "notes" };
const expired = { userId, agentId: "expired" };

/** Size of the content of a memory. Together, the memories of a namespace have 77 MB. */
const contentBytes = 64_000;
const memoryCount = 1_200;
const bodyBytes = 256_000;
const versionCount = 280;

/**
 * Maximum number of bytes in memory at any time during a call. They include the bytes of the
 * client, which runs in the process of the server. Each call reads more bytes than this from the
 * store.
 */
const heldMaxBytes = 64e6;

let folder = "";
let server: TestServer;
let admin: Client<typeof AdminService>;
let blocks: Client<typeof BlockService>;
let provider: Client<typeof MemoryProvider>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "vademecum-held-"));
  const data = join(folder, "data");
  const large = sampleMemories(memoryCount, 1).map((memory) => ({
    ...memory,
    content: memory.content.padEnd(contentBytes, "."),
  }));
  await fillStore(data, namespace, large, false);
  const expireTime = { seconds: 1_000, nanos: 0 };
  await fillStore(
    data,
    expired,
    large.map((memory) => ({ ...memory, expireTime })),
    false,
  );
  for (const label of ["notes", "plans"]) await fillBlock(data, label);
  server = await startTestServer({ data, "allow-reset": "true" });
  const transport = createGrpcTransport({ baseUrl: server.grpcUrl });
  admin = createClient(AdminService, transport);
  blocks = createClient(BlockService, transport);
  provider = createClient(MemoryProvider, transport);
});

afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true });
});

/** Writes a block with many versions. */
async function fillBlock(data: string, label: string): Promise<void> {
  const store = await openLevelStore({ folder: data, clock: systemClock });
  for (let version = 1; version <= versionCount; version++) {
    const content = { body: `${version} `.padEnd(bodyBytes, "b") };
    await store.update(userScope(userId), async (tx) => {
      const previous = await tx.get("blocks", userScope(userId), label);
      const origin = { writtenBy: "" };
      writeBlock(tx, { userId, label, content, tokenCount: 1, previous, origin }, 1_000);
    });
  }
  await store.close();
}

/** Calls that read or remove many records, ordered so that each call finds the records it needs. */
const calls: readonly (readonly [string, () => Promise<unknown>])[] = [
  ["a dry run of DeleteWhere", () => deleteWhere(true)],
  ["GetAll", () => provider.getAll({ namespace, limit: 1_000 })],
  ["ListBlockVersions", () => blocks.listBlockVersions({ userId, label: "notes", limit: 100 })],
  ["Backup", backUp],
  ["DeleteBlock", () => blocks.deleteBlock({ userId, label: "notes" })],
  ["a dry run of Prune", () => admin.prune({ dryRun: true })],
  ["Prune", () => admin.prune({})],
  ["DeleteWhere", () => deleteWhere(false)],
  ["Reset", () => provider.reset({ target: { case: "everything", value: true } })],
];

function deleteWhere(dryRun: boolean) {
  return provider.deleteWhere({ namespace, filter: { importanceMin: 0 }, dryRun });
}

async function backUp(): Promise<number> {
  let chunks = 0;
  for await (const _ of admin.backup({})) chunks++;
  return chunks;
}

it.each(calls)(
  "%s holds less than 64 MB in memory at any time, although it reads more",
  async (_, call) => {
    const { heldBytes } = await withHeldBytes(call);
    expect(heldBytes).toBeLessThan(heldMaxBytes);
  },
);
