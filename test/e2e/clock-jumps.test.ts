import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { timestampDate, timestampFromMs } from "@bufbuild/protobuf/wkt";
import { createClient } from "@connectrpc/connect";
import { afterEach, beforeEach, expect, it } from "vitest";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { createManualTimer } from "../server/manual-timer.js";
import { failureOf } from "./harness/failure.js";
import { createNamespaceClient, type NamespaceClient } from "./harness/namespace-client.js";
import { nativeGrpc } from "./harness/protocols.js";
import { startTestServer } from "./harness/test-server.js";
import { createUserClient } from "./harness/user-client.js";

const dayMs = 24 * 60 * 60 * 1000;
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

/** Runs a server on the folder during `use`. */
async function withServer(
  use: (memories: NamespaceClient, user: ReturnType<typeof createUserClient>) => Promise<void>,
): Promise<void> {
  const server = await startTestServer(
    { data: join(folder, "data"), pruning: "off", "proposal-lifetime": "1d" },
    {
      clock: { nowMs: () => machineMs },
      monotonicMs: () => monotonicMs,
      timer: createManualTimer(),
    },
  );
  const connection = nativeGrpc.connect(server);
  try {
    const provider = createClient(MemoryProvider, connection.transport);
    await use(createNamespaceClient(provider, namespace), createUserClient(connection, namespace));
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
  for (const jumpMs of [0, -2 * dayMs, 3 * dayMs, -3 * dayMs]) {
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
    await memories.add("expires", { expireTime: timestampFromMs(machineMs + 1_000) });
    await user.put("one two");
    proposal = await user.proposed({ old: "one", new: "1" });
    pass(dayMs);
    expect(await memories.contents()).toEqual([]);
    await memories.add("written after it");
    machineMs -= 2 * dayMs;
    expect(await memories.contents()).toEqual(["written after it"]);
  });
  await withServer(async (memories, user) => {
    expect(await memories.contents()).toEqual(["written after it"]);
    const approval = user.proposals.approveProposal({ userId: namespace.userId, id: proposal });
    expect(await failureOf(approval)).toMatchObject({ reason: "PROPOSAL_EXPIRED" });
  });
});
