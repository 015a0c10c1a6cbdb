import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { timestampDate, timestampFromMs } from "@bufbuild/protobuf/wkt";
import { type Client, Code, createClient } from "@connectrpc/connect";
import { afterEach, beforeEach, expect, it } from "vitest";
import { AdminService } from "#gen/vademecum/v1/admin_pb.js";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { runCommand } from "../cli/run-command.js";
import { failureOf } from "./harness/failure.js";
import { createNamespaceClient, type NamespaceClient } from "./harness/namespace-client.js";
import { nativeGrpc } from "./harness/protocols.js";
import { startTestServer } from "./harness/test-server.js";
import { createUserClient } from "./harness/user-client.js";

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;
const minuteMs = 60_000;
const namespace = { userId: "ada", agentId: "guide" };

let folder: string;
/** The time of the machine's clock. Tests make it jump. */
let machineMs: number;
/** The time of a clock that never jumps. */
let monotonicMs: number;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "vademecum-clock-"));
  machineMs = Date.UTC(2026, 0, 10);
  monotonicMs = 0;
});

afterEach(() => rm(folder, { recursive: true }));

type Use = (
  memories: NamespaceClient,
  user: ReturnType<typeof createUserClient>,
  admin: Client<typeof AdminService>,
  serverUrl: string,
) => Promise<void>;

/** Runs a server on the folder during `use`. Waits of its start end at once, but time passes. */
async function withServer(use: Use, flags: Readonly<Record<string, string>> = {}): Promise<void> {
  let isStarting = true;
  const timer = {
    after(ms: number, run: () => void) {
      if (isStarting) {
        pass(ms);
        setImmediate(run);
      }
      return () => undefined;
    },
  };
  const server = await startTestServer(
    { data: join(folder, "data"), pruning: "off", "proposal-lifetime": "1d", ...flags },
    { clock: { nowMs: () => machineMs }, monotonicMs: () => monotonicMs, timer },
  );
  isStarting = false;
  const connection = nativeGrpc.connect(server);
  try {
    const provider = createClient(MemoryProvider, connection.transport);
    const admin = createClient(AdminService, connection.transport);
    const user = createUserClient(connection, namespace);
    await use(createNamespaceClient(provider, namespace), user, admin, server.grpcUrl);
  } finally {
    connection.close();
    await server.stop();
  }
}

/** Lets time pass on both clocks. */
function pass(ms: number): void {
  machineMs += ms;
  monotonicMs += ms;
}

it("ids and times keep the order of writing when the clock jumps and the server restarts", async () => {
  const written: string[] = [];
  const add = async (memories: NamespaceClient) => {
    pass(1);
    const content = `memory ${written.length}`;
    written.push((await memories.add(content)).id);
  };
  for (const jumpMs of [0, -20 * hourMs, 3 * dayMs, -20 * hourMs]) {
    await withServer(async (memories) => {
      await add(memories);
      machineMs += jumpMs;
      for (let i = 0; i < 3; i++) await add(memories);
    });
  }
  expect(written.toSorted()).toEqual(written);
  await withServer(async (memories) => {
    const newestFirst = await memories.list();
    expect(newestFirst.map(({ id }) => id)).toEqual(written.toReversed());
    const times = newestFirst.map(({ createTime }) => createTime && timestampDate(createTime));
    expect(times.toReversed().toSorted((a, b) => Number(a) - Number(b))).toEqual(
      times.toReversed(),
    );
  });
});

it("create_time stays correct while the clock is wrong by three days for one second", async () => {
  await withServer(async (memories) => {
    const startMs = machineMs;
    await memories.add("before");
    machineMs += 3 * dayMs;
    await memories.add("during the jump");
    pass(1_000);
    machineMs -= 3 * dayMs;
    await memories.add("after");
    for (const { createTime } of await memories.list())
      expect(createTime && timestampDate(createTime).getTime()).toBeLessThanOrEqual(
        startMs + 1_000,
      );
  });
});

it("expired records stay expired when the clock is set back and the server restarts", async () => {
  let proposal = "";
  await withServer(async (memories, user) => {
    await memories.add("expires", { expireTime: timestampFromMs(machineMs + dayMs) });
    await user.put("one two");
    proposal = await user.proposed({ old: "one", new: "1" });
    pass(dayMs);
    expect(await memories.contents()).toEqual([]);
    await memories.add("written after it");
    machineMs -= 20 * hourMs;
    expect(await memories.contents()).toEqual(["written after it"]);
  });
  await withServer(async (memories, user) => {
    expect(await memories.contents()).toEqual(["written after it"]);
    const approval = user.proposals.approveProposal({ userId: namespace.userId, id: proposal });
    expect(await failureOf(approval)).toMatchObject({ reason: "PROPOSAL_EXPIRED" });
  });
});

const acceptClock = { "accept-clock": "true" };

it("a server does not start on data that is more than a day ahead, unless the clock is accepted", async () => {
  await withServer(async (memories) => void (await memories.add("of the future")));
  const startMs = machineMs;
  machineMs -= dayMs + 10 * minuteMs;
  await expect(withServer(async () => undefined)).rejects.toMatchObject({
    reason: "CLOCK_BEHIND_DATA",
    message: expect.stringMatching(/user "ada".*2026-01-10.*--accept-clock/s) as unknown,
  });
  const nowMs = machineMs;
  await withServer(async (memories) => {
    // The start did not wait until the clock was that of the data. Its other timers have passed.
    expect(machineMs - nowMs).toBeLessThan(dayMs);
    await memories.add("of today");
    const [newer] = await memories.list({ filter: { contentContains: "today" } });
    expect(newer?.createTime && timestampDate(newer.createTime).getTime()).toBeLessThan(startMs);
  }, acceptClock);
  // Once is enough: the times of the data are those of the clock now.
  await withServer(async (memories) => {
    expect((await memories.contents()).toSorted()).toEqual(["of the future", "of today"]);
  });
});

it("a start waits until the machine's clock has caught up with the data", async () => {
  await withServer(async (memories) => void (await memories.add("kept")));
  machineMs -= dayMs + 30_000;
  await withServer(async (memories) => expect(await memories.contents()).toEqual(["kept"]));
});

it("nothing is pruned by a clock that is 30 days ahead of the newest write, for a day", async () => {
  const pruned = async (admin: Client<typeof AdminService>, options: object = {}) =>
    (await admin.prune(options)).outcomes.find(({ name }) => name === "expired_memories")?.result;
  const notTrusted = { case: "error", value: { code: Code.FailedPrecondition } };
  const soon = (): object => ({ expireTime: timestampFromMs(machineMs + dayMs) });
  await withServer(async (memories) => {
    await memories.add("one", soon());
    await memories.add("two", soon());
  });
  machineMs += 400 * dayMs;
  await withServer(async (memories, _, admin) => {
    expect(await pruned(admin)).toMatchObject(notTrusted);
    expect(await pruned(admin, { dryRun: true })).toEqual({ case: "removed", value: 2n });
    // A write by the wrong clock, and a restart, confirm nothing.
    await memories.add("three");
  });
  await withServer(async (_memories, _user, admin) => {
    expect(await pruned(admin)).toMatchObject(notTrusted);
  });
  machineMs -= 400 * dayMs;
  await withServer(async (memories, _, admin, serverUrl) => {
    expect((await memories.contents()).toSorted()).toEqual(["one", "three", "two"]);
    expect(await pruned(admin)).toEqual({ case: "removed", value: 0n });
    machineMs += 31 * dayMs;
    expect(await pruned(admin)).toMatchObject(notTrusted);
    pass(dayMs);
    expect(await pruned(admin)).toEqual({ case: "removed", value: 2n });
    await memories.add("four", soon());
    machineMs += 31 * dayMs;
    expect(await pruned(admin)).toMatchObject(notTrusted);
    // The time follows the jump a minute later.
    await memories.contents();
    pass(minuteMs);
    expect(await pruned(admin, { acceptClock: true })).toEqual({ case: "removed", value: 1n });
    machineMs += 31 * dayMs;
    expect(await pruned(admin)).toMatchObject(notTrusted);
    const environment = { VADEMECUM_SERVER: serverUrl };
    expect(await runCommand(["prune"], { environment })).toMatchObject({ exitCode: 1 });
    const confirmed = await runCommand(["prune", "--accept-clock"], { environment });
    expect(confirmed).toMatchObject({ exitCode: 0 });
    expect(confirmed.stdout).toContain("expired memories: 0");
  }, acceptClock);
});

it("nothing is pruned while the data is ahead of the machine's clock", async () => {
  await withServer(async (memories, _, admin) => {
    await memories.add("gone", { expireTime: timestampFromMs(machineMs + hourMs) });
    pass(2 * hourMs);
    await memories.add("kept");
    machineMs -= 2 * hourMs;
    expect((await admin.prune({})).outcomes).toSatisfy(
      (outcomes: { name: string; result: { case?: string } }[]) =>
        outcomes.every(({ name, result }) => name === "compaction" || result.case === "error"),
    );
    machineMs += 2 * hourMs;
    const { outcomes } = await admin.prune({});
    expect(outcomes).toContainEqual(
      expect.objectContaining({ name: "expired_memories", result: { case: "removed", value: 1n } }),
    );
  });
});
