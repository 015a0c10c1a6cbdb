import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type Client, ConnectError, createClient } from "@connectrpc/connect";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { AdminService } from "#gen/vademecum/v1/admin_pb.js";
import { BackupContent } from "#gen/vademecum/v1/backup_pb.js";
import { MemoryProvider, OnConflict } from "#gen/vademecum/v1/memory_provider_pb.js";
import { ProposalService } from "#gen/vademecum/v1/proposal_service_pb.js";
import { sliceRanges } from "../../src/cli/backups/move-data.js";
import { allSlots, lastSlot } from "../../src/core/model/slot-range.js";
import { runCommand } from "../cli/run-command.js";
import { collect } from "../contract/store/context.js";
import { isFullSuite } from "../suite.js";
import { describeFailure, type Failure, failureOf } from "./harness/failure.js";
import { watchMemories } from "./harness/memory-watch.js";
import { createNamespaceClient } from "./harness/namespace-client.js";
import { type Connection, nativeGrpc, type ServerUrls } from "./harness/protocols.js";
import { startTestServer, type TestServer } from "./harness/test-server.js";

/** The built program, as `npm test` makes it. */
const entry = fileURLToPath(new URL("../../dist/main.js", import.meta.url));

const users = ["ann", "bob", "cia", "dan", "eve", "fay"];

let folder: string;
const ends: (() => unknown)[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "vademecum-move-"));
  ends.push(() => rm(folder, { recursive: true }));
});

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function serve(flags: Readonly<Record<string, string>> = {}): Promise<TestServer> {
  const server = await startTestServer({ embedder: "none", ...flags });
  ends.push(() => server.stop());
  return server;
}

function connect(server: Pick<ServerUrls, "grpcUrl">): Connection {
  const connection = nativeGrpc.connect({ ...server, httpUrl: "" });
  ends.push(() => connection.close());
  return connection;
}

/** A client that repeats calls which a move holds up, as our clients do. */
class PatientClient {
  readonly #provider: Client<typeof MemoryProvider>;
  /** The reasons of all refusals. */
  readonly refusals = new Set<string | undefined>();

  constructor(address: string) {
    this.#provider = createClient(MemoryProvider, connect({ grpcUrl: address }).transport);
  }

  async add(userId: string, content: string): Promise<void> {
    const idempotencyKey = randomUUID();
    const namespace = { userId, agentId: "x" };
    for (;;) {
      let failure: Failure;
      try {
        await this.#provider.add({ namespace, content, idempotencyKey });
        return;
      } catch (error) {
        failure = describeFailure(ConnectError.from(error));
      }
      this.refusals.add(failure.reason);
      if (failure.code !== "UNAVAILABLE") throw new Error(JSON.stringify(failure));
      await delay(5);
    }
  }
}

/** Returns the digest of every scope of a server, as text, by the id of the scope. */
async function digestsOf(server: ServerUrls): Promise<ReadonlyMap<string, string>> {
  const admin = createClient(AdminService, connect(server).transport);
  const digests = new Map<string, string>();
  let id = "";
  for await (const { chunk } of admin.backup({ content: BackupContent.DIGESTS })) {
    if (chunk?.chunk.case === "scope") {
      const { seq, epoch } = chunk.chunk.value;
      id = `${chunk.chunk.value.id?.id} ${epoch} ${seq}`;
    }
    if (chunk?.chunk.case === "scopeEnd")
      digests.set(id, Buffer.from(chunk.chunk.value.sha256).toString("hex"));
  }
  return digests;
}

/** Starts a client for each user, which adds memories one after another. */
function startWriters(server: ServerUrls) {
  const added = new Map(users.map((user) => [user, [] as string[]]));
  let stopped = false;
  const clients = users.map(() => new PatientClient(server.grpcUrl));
  const writers = clients.map(async (client, index) => {
    const user = users[index] ?? "";
    for (let count = 0; !stopped; count++) {
      await client.add(user, `${user} ${count}`);
      added.get(user)?.push(`${user} ${count}`);
      await delay(0);
    }
  });
  return {
    /** Resolves when each client has added a memory. */
    async untilAllHaveAdded(): Promise<void> {
      await vi.waitFor(
        () => expect([...added.values()].filter(({ length }) => length === 0)).toEqual([]),
        { timeout: 60_000 },
      );
    },
    /**
     * Stops all clients. Checks that a server has each acknowledged memory once and no other.
     * Returns the reasons of all refusals.
     */
    async stop(owner: ServerUrls): Promise<ReadonlySet<string | undefined>> {
      stopped = true;
      await Promise.all(writers);
      const memories = createClient(MemoryProvider, connect(owner).transport);
      for (const [userId, contents] of added) {
        const client = createNamespaceClient(memories, { userId, agentId: "x" });
        expect((await client.contents()).toSorted()).toEqual(contents.toSorted());
      }
      return new Set(clients.flatMap((client) => [...client.refusals]));
    },
  };
}

function move(
  from: Pick<ServerUrls, "grpcUrl">,
  to: Pick<ServerUrls, "grpcUrl">,
  ...more: readonly string[]
) {
  return runCommand(["move", "--from", from.grpcUrl, "--to", to.grpcUrl, "--json", ...more]);
}

describe("vademecum move", () => {
  it.runIf(isFullSuite)(
    "a move and a move back lose and duplicate no memory while clients write",
    async () => {
      const a = await serve({ provider: "level" });
      const b = await serve({ provider: "level" });
      const writing = startWriters(a);
      await writing.untilAllHaveAdded();
      for (let journey = 0; journey < 3; journey++) {
        for (const [from, to] of [
          [a, b],
          [b, a],
        ] as const) {
          const { exitCode, stdout, stderr } = await move(from, to, "--slices", "3");
          expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
          expect(JSON.parse(stdout)).toMatchObject({ scopes: users.length });
          await delay(50);
        }
      }
      const refusals = await writing.stop(a);
      expect([...refusals].filter((reason) => reason !== "WRITES_HELD")).toEqual([]);
    },
  );

  it.runIf(isFullSuite)(
    "the next move completes a move that was killed again and again, and loses nothing",
    { timeout: 300_000 },
    async () => {
      const a = await serve({ provider: "level" });
      const b = await serve({ provider: "level" });
      const writing = startWriters(a);
      for (const lifetimeMs of [700, 1_200, 1_800, 2_500, 3_500, 5_000]) {
        const child = spawn(
          process.execPath,
          [entry, "move", "--from", a.grpcUrl, "--to", b.grpcUrl, "--slices", "6"],
          { stdio: "ignore", timeout: lifetimeMs, killSignal: "SIGKILL" },
        );
        await once(child, "exit");
      }
      expect(await move(a, b, "--slices", "4")).toMatchObject({ exitCode: 0, stderr: "" });
      await writing.stop(b);
    },
  );

  it("vademecum move gives both servers the same digests; commit numbers stay valid, page tokens do not", async () => {
    const a = await serve({ provider: "level" });
    const b = await serve({ provider: "memory" });
    const namespace = { userId: "ann", agentId: "x" };
    const before = createNamespaceClient(
      createClient(MemoryProvider, connect(a).transport),
      namespace,
    );
    await before.addAll("one", "two");
    const event = { externalId: "event-3", onConflict: OnConflict.KEEP };
    const { commitSeq, id } = await before.add("three", event);
    const { nextPageToken } = await before.page({ limit: 1 });
    expect((await move(a, b)).exitCode).toBe(0);
    expect(await digestsOf(b)).toEqual(await digestsOf(a));
    const after = createNamespaceClient(
      createClient(MemoryProvider, connect(b).transport),
      namespace,
    );
    const paging = after.page({ limit: 1, pageToken: nextPageToken });
    expect(await failureOf(paging)).toMatchObject({ reason: "INVALID_PAGE_TOKEN" });
    const { contents } = await after.search("three", { minCommitSeq: commitSeq });
    expect(contents[0]).toBe("three");
    expect((await after.add("three again", event)).id).toBe(id);
    expect((await after.add("four")).commitSeq).toBe(commitSeq + 1n);
    expect((await before.add("five")).commitSeq).toBe(commitSeq + 2n);
    expect(await after.contents()).toEqual(["five", "four", "three", "two", "one"]);
  });

  it("after a move, a source server that does not forward answers watches and calls with MOVED, even after a restart", async () => {
    const data = join(folder, "a");
    const flags = { data, "on-moved": "refuse" };
    const a = await startTestServer({ ...flags, embedder: "none" });
    const b = await serve({ provider: "level" });
    const namespace = { userId: "ann", agentId: "x" };
    const connection = connect(a);
    await createNamespaceClient(
      createClient(MemoryProvider, connection.transport),
      namespace,
    ).addAll("one");
    const watch = failureOf(
      collect(
        createClient(ProposalService, connection.transport).watchProposals({ userId: "ann" }),
      ),
    );
    expect((await move(a, b)).exitCode).toBe(0);
    expect(await watch).toMatchObject({ reason: "MOVED", metadata: { address: b.grpcUrl } });
    connection.close();
    await a.stop();
    const again = await serve({ provider: "level", ...flags });
    const { provider } = createNamespaceClient(
      createClient(MemoryProvider, connect(again).transport),
      namespace,
    );
    expect(await failureOf(provider.getAll({ namespace }))).toMatchObject({ reason: "MOVED" });
  });

  it("a watch of memories that goes on after a move gets every change once, in order", async () => {
    const [a, b] = [await serve({ provider: "level" }), await serve({ provider: "level" })];
    const provider = createClient(MemoryProvider, connect(a).transport);
    const namespace = { userId: "ann", agentId: "x" };
    const told: string[] = [];
    let afterCommitSeq: bigint | undefined;
    const reasons: (string | undefined)[] = [];
    let isMoved = false;
    const until = async (count: number): Promise<void> => {
      while (told.length < count || !isMoved) {
        const watch = watchMemories(provider, {
          namespace,
          ...(afterCommitSeq !== undefined && { afterCommitSeq }),
        });
        try {
          for (;;) {
            const { events, commitSeq } = await watch.next();
            told.push(...events.map(({ memory }) => memory?.content ?? ""));
            afterCommitSeq = commitSeq;
            if (told.length >= count && isMoved) break;
          }
        } catch (error) {
          reasons.push(describeFailure(ConnectError.from(error)).reason);
          isMoved = true;
        }
        watch.end();
      }
    };
    const client = new PatientClient(a.grpcUrl);
    await client.add("ann", "0");
    const watching = until(99);
    while (afterCommitSeq === undefined) await delay(1);
    const moving = move(a, b);
    for (let i = 1; i < 50; i++) await client.add("ann", `${i}`);
    expect((await moving).exitCode).toBe(0);
    for (let i = 50; i < 100; i++) await client.add("ann", `${i}`);
    await watching;
    expect(told).toEqual(Array.from({ length: 99 }, (_, i) => `${i + 1}`));
    expect(reasons).toEqual(["MOVED"]);
  });

  it("a repeated move changes nothing, and a move to a third server is refused", async () => {
    const [a, b, c] = [await serve(), await serve(), await serve({ provider: "memory" })];
    const { provider } = createNamespaceClient(createClient(MemoryProvider, connect(a).transport), {
      userId: "ann",
      agentId: "x",
    });
    await provider.add({ namespace: { userId: "ann", agentId: "x" }, content: "one" });
    const planned = await move(a, b, "--dry-run");
    const clientAddress = b.grpcUrl;
    expect(JSON.parse(planned.stdout)).toEqual({
      ...{ scopes: 1, changed: 1, clientAddress, forwardedCalls: 0 },
    });
    expect((await move(a, b)).exitCode).toBe(0);
    const digests = await digestsOf(b);
    expect(JSON.parse((await move(a, b)).stdout)).toMatchObject({ scopes: 0 });
    expect(await digestsOf(b)).toEqual(digests);
    for (const [from, to, problem] of [
      [
        a,
        c,
        `--from: a part of its data has moved to ${b.grpcUrl} already, and the server of --to`,
      ],
      [c, a, `--to: a part of its data has moved to ${b.grpcUrl}, and the server of --from`],
    ] as const) {
      for (const flags of [["--dry-run"], []]) {
        const refused = await move(from, to, ...flags);
        expect(refused.exitCode).toBe(1);
        expect(refused.stderr).toContain(`${problem} has another store`);
      }
    }
  });

  it("a move to a server with data of the same user is refused, and the source still serves the user", async () => {
    const [a, b] = [await serve({ provider: "memory" }), await serve({ provider: "memory" })];
    const clients = [a, b].map((server) =>
      createNamespaceClient(createClient(MemoryProvider, connect(server).transport), {
        userId: "ann",
        agentId: "x",
      }),
    );
    for (const client of clients) await client.addAll("own");
    const refused = await move(a, b);
    expect(refused.exitCode).toBe(1);
    expect(JSON.parse(refused.stderr)).toMatchObject({
      code: "FAILED_PRECONDITION",
      reason: "SCOPE_EXISTS",
    });
    await clients[0]?.addAll("more");
    expect(await clients[0]?.contents()).toEqual(["more", "own"]);
  });
});

describe("sliceRanges", () => {
  it("sliceRanges cuts a range into slices that cover the range once", () => {
    for (const count of [1, 2, 3, 7, 1000]) {
      const slices = sliceRanges([allSlots], count);
      expect(slices).toHaveLength(count);
      expect(slices[0]?.first).toBe(0);
      expect(slices.at(-1)?.last).toBe(lastSlot);
      for (const [index, slice] of slices.slice(1).entries())
        expect(slice.first).toBe((slices[index]?.last ?? 0) + 1);
    }
    expect(sliceRanges([{ first: 5, last: 5 }], 3)).toEqual([{ first: 5, last: 5 }]);
    expect(sliceRanges([], 3)).toEqual([]);
  });

  it("sliceRanges returns at most the given number of slices, but at least one for each range", () => {
    const ranges = [
      { first: 0, last: 9 },
      { first: 20, last: 29 },
      { first: 40, last: 40 },
    ];
    expect(sliceRanges(ranges, 1)).toEqual(ranges);
    expect(sliceRanges(ranges, 4)).toEqual(ranges);
    expect(sliceRanges(ranges, 6)).toEqual([
      { first: 0, last: 5 },
      { first: 6, last: 9 },
      { first: 20, last: 25 },
      { first: 26, last: 29 },
      { first: 40, last: 40 },
    ]);
  });
});
