import { timestampFromMs, timestampMs } from "@bufbuild/protobuf/wkt";
import { createClient } from "@connectrpc/connect";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { AdminService } from "#gen/vademecum/v1/admin_pb.js";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { postgresFlags, startPostgres, type TestPostgres } from "../fixtures/postgres.js";
import { createManualTimer } from "../server/manual-timer.js";
import { createNamespaceClient } from "./harness/namespace-client.js";
import { nativeGrpc } from "./harness/protocols.js";
import { startTestServer } from "./harness/test-server.js";

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.close());

/** Starts a server whose clock differs from that of PostgreSQL. */
async function startWithClock(aheadMs: number) {
  const time = {
    clock: { nowMs: () => Date.now() + aheadMs },
    monotonicMs: () => performance.now(),
    isMachineClock: true,
    timer: createManualTimer(),
  };
  const flags = { ...postgresFlags(postgres), embedder: "none", pruning: "off" };
  const server = await startTestServer(flags, time);
  const connection = nativeGrpc.connect(server);
  onTestFinished(async () => {
    connection.close();
    await server.stop();
  });
  return {
    admin: createClient(AdminService, connection.transport),
    memoriesOf: (userId: string) =>
      createNamespaceClient(createClient(MemoryProvider, connection.transport), {
        userId,
        agentId: "agent",
      }),
  };
}

it("ids and times are in the order of the commits, although the clocks of the servers differ", async () => {
  const servers = [await startWithClock(300), await startWithClock(0), await startWithClock(-300)];
  const ids: string[] = [];
  for (let i = 0; i < 39; i++)
    ids.push(...((await servers[i % 3]?.memoriesOf("ordered").addAll(`note ${i}`)) ?? []));
  expect(ids).toEqual(ids.toSorted());
  const listed = await servers[0]?.memoriesOf("ordered").list();
  expect(listed?.map(({ id }) => id)).toEqual(ids.toReversed());
});

it("a server whose clock is ahead keeps what is live for the others, and their time", async () => {
  const ahead = await startWithClock(25_000);
  const other = await startWithClock(0);
  const expireMs = Date.now() + 20_000;
  const expireTime = timestampFromMs(expireMs);
  const { id } = await other.memoriesOf("live").add("until later", { expireTime });
  const { outcomes } = await ahead.admin.prune({});
  expect(outcomes.find(({ name }) => name === "expired_memories")?.result.value).toBe(0n);
  expect(await ahead.memoriesOf("live").get(id)).toMatchObject({ content: "until later" });
  const { id: made } = await ahead.memoriesOf("live").add("made by the server that is ahead");
  const { createTime } = await other.memoriesOf("live").get(made);
  expect(createTime && timestampMs(createTime)).toBeLessThan(expireMs);
});

it.each([31_000, -31_000])(
  "a server whose clock is %s ms ahead does not start",
  async (aheadMs) => {
    await expect(startWithClock(aheadMs)).rejects.toMatchObject({ reason: "CLOCK_DIFFERS" });
  },
);

it("a server whose clock jumps by more than 30 seconds refuses calls until it is right", async () => {
  let aheadMs = 0;
  const store = await postgres.openStore({ machineClock: { nowMs: () => Date.now() + aheadMs } });
  onTestFinished(() => store.close());
  const scope = { kind: "user", userId: "kim" } as const;
  await store.head(scope);
  aheadMs = 60_000;
  await postgres.endSessions();
  await expect(store.head(scope)).rejects.toMatchObject({ reason: "CLOCK_DIFFERS" });
});
