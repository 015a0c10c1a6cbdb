import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Duration, durationMs } from "@bufbuild/protobuf/wkt";
import { createClient } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AdminService } from "#gen/vademecum/v1/admin_pb.js";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { JobKind, ServerWrites, type WatchJobsResponse } from "#gen/vademecum/v1/server_pb.js";
import { productVersion } from "../../src/edge/version.js";
import { runCommand } from "../cli/run-command.js";
import { describeOver } from "../over-protocols.js";
import { isOverPostgres } from "../suite.js";
import { type CredentialedServer, startCredentialedServer } from "./harness/credentialed-server.js";
import { failureOf } from "./harness/failure.js";
import { collect, required } from "./harness/namespace-client.js";
import { nativeGrpc, protocols } from "./harness/protocols.js";
import { startTestServer, type TestServer } from "./harness/test-server.js";
import { useConnection } from "./harness/use-connection.js";

const namespace = { userId: "ada", agentId: "cook" };
let server: TestServer | undefined;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server?.stop());

describeOver("GetServer", protocols, (protocol) => {
  const connection = useConnection(protocol, () => server);

  it("GetServer tells what the server is, how it was started, and how it does", async () => {
    const admin = createClient(AdminService, connection().transport);
    const memories = createClient(MemoryProvider, connection().transport);
    const { pendingProposals: before, ...held } = await admin.getServer({});
    const user = `user ${held.users}`;
    const { id } = await memories.add({ namespace, content: "tea" });
    for (const agentId of ["cook", "maid"])
      await memories.add({ namespace: { userId: user, agentId }, content: "coffee" });
    await collect(memories.search({ namespace, query: "tea" }));
    const edit = { oldString: "tea", newString: "coffee", reasoning: "because" };
    await memories.proposeEdit({ namespace, target: { case: "memoryId", value: id }, ...edit });
    await admin.prune({});
    await collect(admin.backup({}));
    const status = await admin.getServer({});
    expect(status).toMatchObject({
      version: productVersion(),
      provider: isOverPostgres ? "postgres" : "level",
      format: isOverPostgres ? 3 : 2,
      modelId: "static-256@1",
      dimension: 256,
      credentialsInUse: false,
      writes: ServerWrites.OK,
      indexMaxBytes: 1024n ** 3n,
      pendingProposals: before + 1n,
      jobs: [],
    });
    const { users, namespaces, memories: memoryCount, storedBytes } = status;
    const cooks = held.users === 0n ? 1n : 0n;
    expect([users - held.users, namespaces - held.namespaces]).toEqual([1n + cooks, 2n + cooks]);
    expect(memoryCount - held.memories).toBe(3n);
    expect(storedBytes).toBeGreaterThan(held.storedBytes);
    expect(status.hotCollections).toBeGreaterThan(0);
    expect(status.indexBytes).toBeGreaterThan(0n);
    expect(status.residentBytes).toBeGreaterThan(10_000_000n);
    for (const time of [status.startTime, status.lastBackupTime, status.lastPruneTime])
      expect(time?.seconds).toBeLessThanOrEqual(required(status.time, "no time").seconds);
    const { callsPerSecond = 0, p50, p99 } = status.lastMinute ?? {};
    expect(callsPerSecond).toBeGreaterThan(0);
    expect(durationMs(required(p50, "no p50"))).toBeLessThanOrEqual(
      durationMs(required(p99, "no p99")),
    );
  });

  it.skipIf(isOverPostgres)(
    "GetServer tells the size of the data folder and its free space",
    async () => {
      const admin = createClient(AdminService, connection().transport);
      const { dataBytes, freeBytes } = await admin.getServer({});
      expect(dataBytes).toBeGreaterThan(0n);
      expect(freeBytes).toBeGreaterThan(0n);
    },
  );
});

describeOver("operators watch a server", protocols, (protocol) => {
  const connection = useConnection(protocol, () => server);

  it("WatchServer sends a sample at once and each interval, with counts that only grow", async () => {
    const admin = createClient(AdminService, connection().transport);
    const memories = createClient(MemoryProvider, connection().transport);
    const ended = new AbortController();
    const watch = admin.watchServer(
      { interval: { seconds: 1n, nanos: 0 } },
      { signal: ended.signal },
    );
    const samples = [];
    for await (const { sample, earlier } of watch) {
      if (earlier) continue;
      samples.push(required(sample, "no sample"));
      if (samples.length === 2) break;
      await memories.add({ namespace, content: "more tea" });
    }
    ended.abort();
    const [first, second] = samples;
    const callsOf = (sample: typeof first) =>
      sample?.methods.find(
        ({ method, code }) => method === "vademecum.v1.MemoryProvider/Add" && code === "OK",
      )?.calls ?? 0n;
    expect(callsOf(second) - callsOf(first)).toBe(1n);
    expect(second?.commits).toBeGreaterThan(first?.commits ?? 0n);
    expect(second?.time?.seconds).toBeGreaterThanOrEqual(first?.time?.seconds ?? 0n);
    expect(second?.durationCounts).toHaveLength(40);
    expect(second?.openCalls).toBeGreaterThan(0);
  });

  it("ListSlowCalls lists calls by duration, with whom they named, and no texts", async () => {
    const admin = createClient(AdminService, connection().transport);
    const memories = createClient(MemoryProvider, connection().transport);
    const user = `slow ${protocol().name}`;
    const headers = { "x-request-id": "the-request" };
    const namespace = { userId: user, agentId: "cook" };
    for (const content of ["salt", "pepper"]) await memories.add({ namespace, content });
    await memories.count({ namespace }, { headers });
    const { calls } = await admin.listSlowCalls({ userId: user, method: "Count" });
    expect(calls).toMatchObject([
      {
        method: "vademecum.v1.MemoryProvider/Count",
        userId: user,
        agentId: "cook",
        code: "OK",
        requestId: "the-request",
        rows: 2n,
      },
    ]);
    const [call] = calls;
    const parts = call?.parts ?? [];
    expect(parts.map(({ name }) => name)).toEqual(["queue", "handler", "transfer"]);
    const nanosOf = (duration: Duration | undefined): number => {
      const { seconds, nanos } = required(duration, "no duration");
      return 1e9 * Number(seconds) + nanos;
    };
    const partNanos = parts.map(({ duration }) => nanosOf(duration));
    const differing = partNanos.reduce((sum, nanos) => sum + nanos) - nanosOf(call?.duration);
    expect(Math.abs(differing)).toBeLessThan(1000);
    expect(partNanos[1]).toBeGreaterThan(0);
    const all = await admin.listSlowCalls({});
    const durations = all.calls.map(({ duration }) => durationMs(required(duration, "none")));
    expect(durations).toEqual(durations.toSorted((a, b) => b - a));
    const { calls: none } = await admin.listSlowCalls({
      minDuration: { seconds: 3600n, nanos: 0 },
    });
    expect(none).toEqual([]);
  });

  it("WatchJobs shows jobs that have ended and one that begins, and CancelJob knows no ended job", async () => {
    const admin = createClient(AdminService, connection().transport);
    await admin.prune({});
    const ended = new AbortController();
    const watch = admin.watchJobs({}, { signal: ended.signal })[Symbol.asyncIterator]();
    const first = (await watch.next()).value as WatchJobsResponse;
    const prune = required(
      first.jobs.findLast(({ kind }) => kind === JobKind.PRUNE),
      "no job",
    );
    expect(prune.endTime).toBeDefined();
    expect(prune.error).toBeUndefined();
    expect(await admin.cancelJob({ job: prune.id })).toMatchObject({ cancelled: false });
    await collect(admin.backup({}));
    const next = (await watch.next()).value as WatchJobsResponse;
    expect(next.jobs).toMatchObject([{ kind: JobKind.BACKUP }]);
    ended.abort();
  });
});

it("a stopping server ends the watches of operators at once, with a reason", async () => {
  const stopping = await startTestServer();
  const connection = nativeGrpc.connect(stopping);
  const admin = createClient(AdminService, connection.transport);
  const begin = async <T>(stream: AsyncIterable<T>) => {
    const watch = stream[Symbol.asyncIterator]();
    await watch.next();
    return { ended: failureOf(collect({ [Symbol.asyncIterator]: () => watch })) };
  };
  const watches = [
    await begin(admin.watchServer({ interval: { seconds: 60n, nanos: 0 } })),
    await begin(admin.watchJobs({})),
  ];
  await stopping.stop();
  for (const { ended } of watches)
    expect(await ended).toMatchObject({ code: "UNAVAILABLE", reason: "SERVER_STOPPING" });
  connection.close();
});

describe("vademecum status", () => {
  it("status prints a line for each fact, and --json the reply", async () => {
    const { grpcUrl } = required(server, "no server");
    const { exitCode, stdout } = await runCommand(["status", "--server", grpcUrl]);
    expect(exitCode).toBe(0);
    expect(stdout).toContain(`server     ${productVersion()}, up `);
    expect(stdout).toContain("embedder   static-256@1, 256 dimensions");
    expect(stdout).toContain("callers    are NOT checked");
    expect(stdout).toMatch(/^writes {5}ok$/m);
    expect(stdout).toMatch(/^calls {6}[\d.]+ a second in the last minute, p50 .*, p99 /m);
    const json = await runCommand(["status", "--json", "--server", grpcUrl]);
    expect(JSON.parse(json.stdout)).toMatchObject({ writes: "SERVER_WRITES_OK" });
  });
});

it("vademecum backup is the last backup that GetServer and status tell", async () => {
  const folder = await mkdtemp(join(tmpdir(), "vademecum-backup-"));
  const backedUp = await startTestServer();
  const address = ["--server", backedUp.grpcUrl];
  const added = ["add", "tea", "--user", "ada", "--agent", "cook", ...address];
  expect(await runCommand(added)).toMatchObject({ exitCode: 0 });
  expect((await runCommand(["status", ...address])).stdout).toContain("backup     none since");
  expect(await runCommand(["backup", join(folder, "all"), ...address])).toMatchObject({
    exitCode: 0,
  });
  expect((await runCommand(["status", ...address])).stdout).toMatch(/^backup {5}\d{4}-/m);
  await backedUp.stop();
  await rm(folder, { recursive: true });
});

describe("GetServer on a server with credentials", () => {
  let checked: CredentialedServer | undefined;
  beforeAll(async () => {
    checked = await startCredentialedServer([
      { name: "operator", roles: ["operator"] },
      { name: "reader", roles: ["reader"], users: ["*"], agents: ["*"], runs: ["*"] },
    ]);
  });
  afterAll(() => checked?.stop());

  it("only an operator may ask, and learns that callers are checked", async () => {
    const server = required(checked, "no server");
    const connection = nativeGrpc.connect(server);
    const admin = createClient(AdminService, connection.transport);
    const { credentialsInUse } = await admin.getServer(
      {},
      { headers: server.headerOf("operator") },
    );
    expect(credentialsInUse).toBe(true);
    expect(
      await failureOf(admin.getServer({}, { headers: server.headerOf("reader") })),
    ).toMatchObject({
      code: "PERMISSION_DENIED",
      reason: "ROLE_REQUIRED",
    });
    connection.close();
  });
});
