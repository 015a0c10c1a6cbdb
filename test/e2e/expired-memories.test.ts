import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { createClient } from "@connectrpc/connect";
import { afterEach, beforeEach, expect, it } from "vitest";
import { AdminService } from "#gen/vademecum/v1/admin_pb.js";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { ProposalStatus } from "#gen/vademecum/v1/proposal_pb.js";
import { createManualTimer } from "../server/manual-timer.js";
import { isOverPostgres } from "../suite.js";
import { createNamespaceClient } from "./harness/namespace-client.js";
import { type Connection, nativeGrpc } from "./harness/protocols.js";
import { startTestServer, type TestServer } from "./harness/test-server.js";
import { createUserClient } from "./harness/user-client.js";

const minuteMs = 60_000;
const namespace = { userId: "ada", agentId: "guide" };

let folder: string;
let nowMs: number;
let server: TestServer | undefined;
let connection: Connection;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "vademecum-expired-"));
  nowMs = Date.UTC(2026, 0, 1);
  server = await startTestServer(
    { data: join(folder, "data"), pruning: "off" },
    { clock: { nowMs: () => nowMs }, timer: createManualTimer() },
  );
  connection = nativeGrpc.connect(server);
});

afterEach(async () => {
  await stopServer();
  await rm(folder, { recursive: true });
});

async function stopServer(): Promise<void> {
  connection.close();
  await server?.stop();
  server = undefined;
}

function memories() {
  return createNamespaceClient(createClient(MemoryProvider, connection.transport), namespace);
}

async function prune(dryRun: boolean): Promise<unknown> {
  const { outcomes } = await createClient(AdminService, connection.transport).prune({ dryRun });
  return outcomes.find(({ name }) => name === "expired_memories")?.result;
}

function inOneMinute() {
  return { expireTime: timestampFromMs(nowMs + minuteMs) };
}

it("a dry run counts expired memories, and only pruning removes them", async () => {
  await memories().add("kept");
  const { id } = await memories().add("kept for a minute", inOneMinute());
  const { id: renewed } = await memories().add("kept for another minute", inOneMinute());
  expect(await prune(true)).toEqual({ case: "removed", value: 0n });
  nowMs += minuteMs - 1;
  await memories().update(renewed, { expireTime: timestampFromMs(nowMs + minuteMs) });
  nowMs += 1;
  expect(await prune(true)).toEqual({ case: "removed", value: 1n });
  expect(await memories().delete("no such id")).toBe(false);
  expect(await prune(false)).toEqual({ case: "removed", value: 1n });
  expect(await memories().delete(id)).toBe(false);
  expect(await prune(false)).toEqual({ case: "removed", value: 0n });
  expect((await memories().contents()).toSorted()).toEqual(["kept", "kept for another minute"]);
});

it("pruning removes the text from a proposal about an expired memory", async () => {
  const { id } = await memories().add("The code is 4711", inOneMinute());
  const { proposal } = await memories().provider.proposeEdit({
    namespace,
    target: { case: "memoryId", value: id },
    oldString: "4711",
    newString: "1234",
    reasoning: "it was changed",
  });
  nowMs += minuteMs;
  await prune(false);
  const user = createUserClient(connection, namespace);
  const found = (await user.proposal(proposal?.id ?? "")).proposal;
  expect(found?.status).toBe(ProposalStatus.CONFLICTED);
  expect(
    JSON.stringify(found, (_, value: unknown) => (typeof value === "bigint" ? "" : value)),
  ).not.toMatch(/4711|1234/);
});

it.skipIf(isOverPostgres)(
  "no file of the data folder contains an expired or deleted text after Prune",
  async () => {
    // These texts have no repetitions, so the compression of LevelDB leaves them unchanged.
    const [expired, deleted] = ["zq81Kx4vPw7mRt2yLn9c", "Hb5dYf3sGj6uWe8oTa1i"] as const;
    const user = createUserClient(connection, namespace);
    await memories().add(expired, {
      ...inOneMinute(),
      metadata: { mark: expired },
      tags: [expired],
    });
    await user.put(`a block with ${deleted}`);
    await user.propose({ old: deleted, new: "another text" });
    await user.blocks.deleteBlock({ userId: namespace.userId, label: "student" });
    nowMs += minuteMs;
    for (const mark of [expired, deleted]) expect(await filesWith(mark)).not.toEqual([]);
    await prune(false);
    for (const mark of [expired, deleted]) expect(await filesWith(mark)).toEqual([]);
  },
);

/** Returns the names of the files in the data folder that contain a text. */
async function filesWith(text: string): Promise<string[]> {
  const entries = await readdir(join(folder, "data"), { recursive: true, withFileTypes: true });
  const names: string[] = [];
  for (const { parentPath, name } of entries.filter((entry) => entry.isFile()))
    if ((await readFile(join(parentPath, name))).includes(text)) names.push(name);
  return names;
}
