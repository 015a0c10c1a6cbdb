import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Client, createClient } from "@connectrpc/connect";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { AdminService, ReindexPhase } from "#gen/vademecum/v1/admin_pb.js";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { type Job, JobKind } from "#gen/vademecum/v1/server_pb.js";
import { runCommand } from "../cli/run-command.js";
import {
  type Answer,
  startTestEndpoint,
  type TestEndpoint,
  withError,
  withVectors,
} from "../embed/openai/test-endpoint.js";
import { describeOver } from "../over-protocols.js";
import { isFullSuite, isOverPostgres } from "../suite.js";
import { failureOf } from "./harness/failure.js";
import {
  collect,
  createNamespaceClient,
  type NamespaceClient,
} from "./harness/namespace-client.js";
import { connectJson, nativeGrpc, type ServerUrls } from "./harness/protocols.js";
import { type ServerProcess, startServerProcess } from "./harness/server-process.js";
import { startTestServer } from "./harness/test-server.js";

const namespace = { userId: "ada", agentId: "farmer" };
const target = { case: "namespace", value: namespace } as const;
const all = { case: "all", value: true } as const;
/** Number of memories: more than one batch. */
const count = 100;

let folder: string;
let endpoint: TestEndpoint;
/** Flags that make the test endpoint the embedder of a server. */
let changed: readonly string[];
const ends: (() => unknown)[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "vademecum-reindex-"));
  endpoint = await startTestEndpoint();
  ends.push(() => endpoint.stop());
  changed = ["--embedder", "openai", "--openai-url", endpoint.url];
});

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
  await rm(folder, { recursive: true });
});

async function serve(flags: readonly string[]): Promise<ServerProcess> {
  const server = await startServerProcess(join(folder, "data"), { flags });
  ends.push(() => server.end("SIGKILL"));
  return server;
}

interface Clients {
  readonly admin: Client<typeof AdminService>;
  readonly memories: NamespaceClient;
}

function connect(server: ServerUrls, protocol = nativeGrpc): Clients {
  const connection = protocol.connect(server);
  const { transport } = connection;
  ends.push(() => connection.close());
  return {
    admin: createClient(AdminService, transport),
    memories: createNamespaceClient(createClient(MemoryProvider, transport), namespace),
  };
}

const textOf = (i: number): string => `horse number ${i} stands in the stable`;

/** Starts a server whose embedder is the endpoint, on data with vectors of the bundled model. */
async function serveChanged(): Promise<ServerProcess> {
  const before = await serve(["--embedder", "local"]);
  const { memories } = connect(before);
  await memories.addAll(...Array.from({ length: count }, (_, i) => textOf(i)));
  expect(await before.end("SIGTERM")).toBe(0);
  return serve(changed);
}

/** Whether a search by vectors finds memory `i` by its own text. */
async function searchesWell({ memories }: Clients, i: number): Promise<boolean> {
  const { hits, summary } = await memories.search(textOf(i), { limit: 1 });
  const [best] = hits;
  return (
    best?.memory?.content === textOf(i) &&
    (best.scores?.vector ?? 0) > 0.99 &&
    summary.keywordsOnlyReason === ""
  );
}

/**
 * Returns an answer of the endpoint that waits until `release` is called. `reached` resolves at the
 * first request.
 */
function heldBack(): { readonly answer: Answer; readonly reached: Promise<void>; release(): void } {
  let release = (): void => undefined;
  let reach = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  const answer: Answer = async (response, request) => {
    reach();
    await released;
    return withVectors()(response, request);
  };
  return { answer, reached, release };
}

describeOver("a change of the embedder", [nativeGrpc, connectJson], (protocol) => {
  it.runIf(isFullSuite)(
    "a change of the embedder keeps searches and writes working, and leaves only new vectors",
    async () => {
      const clients = connect(await serveChanged(), protocol());
      const { admin, memories } = clients;
      expect(await searchesWell(clients, 5)).toBe(true);
      const phases = new Set<ReindexPhase>();
      let added = 0;
      for await (const { event } of admin.reindex({ target: all })) {
        if (event.case === "progress") {
          phases.add(event.value.phase);
          await memories.add(`a cow was bought, the ${++added}th`);
          expect(await searchesWell(clients, added)).toBe(true);
        } else {
          expect(event.value).toMatchObject({
            modelId: "text-embedding-3-small@64",
            namespacesChanged: 1n,
            namespacesUnchanged: 0n,
          });
          expect(event.value?.memoriesEmbedded).toBeGreaterThanOrEqual(BigInt(count));
        }
      }
      expect(phases).toEqual(
        new Set([ReindexPhase.EMBEDDING, ReindexPhase.REMOVING, ReindexPhase.DONE]),
      );
      expect(await searchesWell(clients, 5)).toBe(true);
      expect(
        (await memories.search(`a cow was bought, the ${added}th`)).hits[0]?.scores?.vector,
      ).toBeGreaterThan(0.99);
      const again = await collect(admin.reindex({ target: all }));
      expect(again.map(({ event }) => event)).toMatchObject([
        {
          case: "summary",
          value: { namespacesChanged: 0n, namespacesUnchanged: 1n, memoriesEmbedded: 0n },
        },
      ]);
    },
  );
});

describe("a reindex", () => {
  it.runIf(isFullSuite)(
    "a reindex continues when the endpoint refuses a text, and reports the memory of the text",
    async () => {
      const server = await serveChanged();
      const { memories } = connect(server);
      const refused = textOf(42);
      endpoint.answerAll((response, request) =>
        (request.body.input.includes(refused) ? withError(400, "too_long") : withVectors())(
          response,
          request,
        ),
      );
      const { exitCode, stdout } = await runCommand([
        "reindex",
        "--all",
        "--server",
        server.grpcUrl,
      ]);
      expect(exitCode).toBe(0);
      endpoint.answerAll(withVectors());
      const { hits } = await memories.search(refused, { limit: count });
      const left = hits.filter(({ scores }) => scores?.vector === 0);
      expect(left).toMatchObject([{ memory: { content: refused } }]);
      expect(stdout).toContain(`${count - 1} texts embedded.\nWithout a vector`);
      expect(stdout).toMatch(/: 1\n {2}ada, farmer: \S+\n$/);
      expect(stdout).toContain(left[0]?.memory?.id);
    },
  );

  it.runIf(isFullSuite)(
    "a second reindex of a namespace is refused, and a cancelled reindex keeps the old vectors",
    async () => {
      const server = await serveChanged();
      const clients = connect(server);
      const held = heldBack();
      endpoint.answerAll(held.answer);
      const leaving = new AbortController();
      const left = failureOf(
        collect(clients.admin.reindex({ target }, { signal: leaving.signal })),
      );
      await held.reached;
      expect(await failureOf(collect(clients.admin.reindex({ target })))).toMatchObject({
        code: "ABORTED",
        reason: "REINDEX_RUNNING",
      });
      expect(await searchesWell(clients, 7)).toBe(true);
      leaving.abort();
      expect(await left).toMatchObject({ code: "CANCELED" });
      held.release();
      endpoint.answerAll(withVectors());
      expect(await searchesWell(clients, 7)).toBe(true);
      // The cancelled reindex ends only at its next step. Until then, a new reindex is refused.
      let running = true;
      while (running) {
        running = await collect(clients.admin.reindex({ target })).then(
          () => false,
          () => true,
        );
      }
      expect(await searchesWell(clients, 7)).toBe(true);
    },
  );

  it.runIf(isFullSuite)(
    "a reindex whose server is killed leaves a sound folder with the old vectors, and can be repeated",
    async () => {
      const server = await serveChanged();
      const clients = connect(server);
      const held = heldBack();
      endpoint.answerNext(withVectors(), withVectors(), held.answer);
      const broken = failureOf(collect(clients.admin.reindex({ target })));
      await held.reached;
      await server.end("SIGKILL");
      held.release();
      expect(await broken).toMatchObject({ code: "UNAVAILABLE" });
      if (!isOverPostgres) {
        const { exitCode, stdout } = await runCommand(["verify", "--data", join(folder, "data")]);
        expect({ exitCode, stdout }).toMatchObject({ exitCode: 0 });
      }
      const next = connect(await serve(changed));
      expect(await searchesWell(next, 9)).toBe(true);
      const events = (await collect(next.admin.reindex({ target }))).map(({ event }) => event);
      expect(events[0]).toMatchObject({
        case: "progress",
        value: { phase: ReindexPhase.CLEARING },
      });
      expect(events.at(-1)).toMatchObject({
        value: { namespacesChanged: 1n, memoriesEmbedded: BigInt(count) },
      });
      expect(await searchesWell(next, 9)).toBe(true);
    },
  );

  it("a reindex fails with SERVER_STOPPING when the server stops", async () => {
    const server = await startTestServer({
      provider: "memory",
      embedder: "openai",
      "openai-url": endpoint.url,
    });
    const { admin, memories } = connect(server);
    await memories.addAll(textOf(1), textOf(2));
    const held = heldBack();
    endpoint.answerAll(held.answer);
    const broken = failureOf(collect(admin.reindex({ target })));
    await held.reached;
    const stopped = server.stop();
    held.release();
    expect(await broken).toMatchObject({ code: "UNAVAILABLE", reason: "SERVER_STOPPING" });
    await stopped;
  });

  it("a detached reindex goes on when its caller leaves, and others see its progress and can cancel it", async () => {
    const server = await startTestServer({
      provider: "memory",
      embedder: "openai",
      "openai-url": endpoint.url,
    });
    ends.push(() => server.stop());
    const { admin, memories } = connect(server);
    await memories.addAll(textOf(1), textOf(2));
    const leave = async (): Promise<ReturnType<typeof heldBack>> => {
      const held = heldBack();
      endpoint.answerNext(held.answer);
      const caller = new AbortController();
      const call = failureOf(
        collect(admin.reindex({ target, detached: true }, { signal: caller.signal })),
      );
      await held.reached;
      caller.abort();
      expect(await call).toMatchObject({ code: "CANCELED" });
      return held;
    };
    const jobOf = async (isWanted: (job: Job) => boolean): Promise<Job> => {
      const watch = new AbortController();
      for await (const { jobs } of admin.watchJobs({}, { signal: watch.signal })) {
        const found = jobs.find((job) => job.kind === JobKind.REINDEX && isWanted(job));
        if (found === undefined) continue;
        watch.abort();
        return found;
      }
      throw new Error("the watch has ended");
    };
    const cancelled = await leave();
    const running = await jobOf(({ endTime }) => endTime === undefined);
    expect(running).toMatchObject({ namespace, canCancel: true });
    expect(await failureOf(collect(admin.reindex({ target })))).toMatchObject({
      reason: "REINDEX_RUNNING",
    });
    expect(await admin.cancelJob({ job: running.id })).toMatchObject({ cancelled: true });
    cancelled.release();
    const ended = await jobOf(({ id, endTime }) => id === running.id && endTime !== undefined);
    expect(ended.error?.message).toContain("cancelled");

    const released = await leave();
    // The server reads this after the end of the call, which came over the same connection.
    await jobOf(({ id, endTime }) => id !== running.id && endTime === undefined);
    released.release();
    const done = await jobOf(({ endTime, error }) => endTime !== undefined && error === undefined);
    expect(done).toMatchObject({ phase: "DONE", done: 2n, total: 2n });
  });

  it("a server stops although a detached reindex waits for its model", async () => {
    const server = await startTestServer({
      provider: "memory",
      embedder: "openai",
      "openai-url": endpoint.url,
    });
    const { admin, memories } = connect(server);
    await memories.addAll(textOf(1));
    const held = heldBack();
    endpoint.answerAll(held.answer);
    const call = failureOf(collect(admin.reindex({ target, detached: true })));
    await held.reached;
    await server.stop();
    expect(await call).toMatchObject({ code: "UNAVAILABLE", reason: "SERVER_STOPPING" });
    held.release();
  });
});
