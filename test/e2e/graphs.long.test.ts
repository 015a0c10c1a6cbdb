import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { createClient } from "@connectrpc/connect";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { SearchIndex } from "#gen/vademecum/v1/search_pb.js";
import { verifyFolder } from "../../src/store/level/recovery/verify-folder.js";
import { installWithout } from "../faults/server/install-without.js";
import { describeWithGraphs } from "../index/graph/graph-addon.js";
import { isOverPostgres } from "../suite.js";
import { createGrpcJsTransport } from "./harness/grpc-js-transport.js";
import { createNamespaceClient, type NamespaceClient } from "./harness/namespace-client.js";
import {
  type ServerProcess,
  type StartOptions,
  startServerProcess,
} from "./harness/server-process.js";

const threshold = 100;
const graphFlags = ["--graph-threshold", String(threshold)];
const graphsOff = ["--graph-threshold", "1000000"];
const wasRead = "a saved graph was loaded and brought up to date";
const queries = [
  "a musical instrument",
  "something to ride on",
  "papers for travelling",
  "plants and flowers",
  "boats and ships",
];

let folder: string;
let data: string;
const ends: (() => unknown)[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "vademecum-graphs-"));
  data = join(folder, "data");
});

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
  await rm(folder, { recursive: true });
});

async function serve(options: StartOptions = { flags: graphFlags }): Promise<ServerProcess> {
  const server = await startServerProcess(data, options);
  ends.push(() => server.end("SIGKILL"));
  return server;
}

function connect({ grpcUrl }: ServerProcess, agentId = "notes"): NamespaceClient {
  const transport = createGrpcJsTransport(new URL(grpcUrl).host);
  ends.push(() => transport.close());
  return createNamespaceClient(createClient(MemoryProvider, transport), { userId: "ada", agentId });
}

const people = ["Ann", "Ben", "Cleo", "Dov"];
const deeds = ["bought", "lost", "repaired", "described", "forgot", "sold", "photographed"];
const things = [
  "bicycle",
  "garden",
  "violin",
  "harbour",
  "recipe",
  "passport",
  "novel",
  "dentist",
  "ferry",
];

/** The text of a memory. Texts with different numbers have different vectors. */
function textOf(number: number): string {
  const pick = (words: readonly string[]) => words[number % words.length];
  return `${pick(people)} ${pick(deeds)} the ${pick(things)} numbered ${number}`;
}

/** Stores the memories with the numbers from `from` up to `to`. Returns their ids. */
async function fill(memories: NamespaceClient, from: number, to: number): Promise<string[]> {
  const items = Array.from({ length: to - from }, (_, i) => ({
    add: { namespace: memories.namespace, content: textOf(from + i) },
  }));
  return (await memories.addBatch(items)).map(({ result }) =>
    result.case === "id" ? result.value : "",
  );
}

/** Returns the contents that the searches find, and how the server searched: by a graph or not. */
async function findings(
  memories: NamespaceClient,
): Promise<{ readonly ways: Set<SearchIndex>; readonly contents: readonly string[][] }> {
  const outcomes = [];
  for (const query of queries)
    outcomes.push(
      await memories.search(query, { limit: 10, weights: { recency: 0, importance: 0 } }),
    );
  return {
    ways: new Set(outcomes.map(({ summary }) => summary.index)),
    contents: outcomes.map(({ contents }) => [...contents]),
  };
}

/**
 * Expects a server with graphs to find the same as a server that compares all vectors. Stops the
 * server.
 */
async function expectAsWithout(server: ServerProcess): Promise<void> {
  const found = await findings(connect(server));
  expect(found.ways).toEqual(new Set([SearchIndex.NEAR]));
  expect(await server.end("SIGTERM")).toBe(0);
  const without = await serve({ flags: graphsOff });
  expect(await findings(connect(without))).toEqual({
    ways: new Set([SearchIndex.EXACT]),
    contents: found.contents,
  });
  await without.end("SIGTERM");
}

/** Starts a server with one namespace of 300 memories and its saved graph. */
async function serveWithSavedGraph(): Promise<{
  readonly server: ServerProcess;
  readonly ids: readonly string[];
}> {
  const first = await serve({ flags: graphsOff });
  const ids = await fill(connect(first), 0, 300);
  await first.end("SIGTERM");
  const server = await serve();
  await connect(server).search(queries[0] ?? "");
  await server.logged("a graph was saved");
  return { server, ids };
}

/** Starts a server that reads the saved graph and updates it. */
async function serveAgain(): Promise<ServerProcess> {
  const server = await serve();
  await connect(server).search(queries[0] ?? "");
  await server.logged(wasRead);
  return server;
}

describeWithGraphs("a namespace with more memories than the threshold for a graph", () => {
  it("a large namespace is searched through a graph, even after a restart, and passes verify", async () => {
    const { server } = await serveWithSavedGraph();
    expect((await findings(connect(server))).ways).toEqual(new Set([SearchIndex.NEAR]));
    expect((await connect(server, "another").search("anything")).summary.index).toBe(
      SearchIndex.EXACT,
    );
    expect(await server.end("SIGTERM")).toBe(0);
    if (!isOverPostgres) expect((await verifyFolder(data)).findings).toEqual([]);

    const again = await serveAgain();
    await expectAsWithout(again);
    expect(again.log()).not.toContain("a graph was built");
  });

  it("after kill -9, a graph has every acknowledged memory and no deleted memory", async () => {
    const { server, ids } = await serveWithSavedGraph();
    const memories = connect(server);
    // Less than a twentieth of the graph changes, so the graph is not saved again.
    for (let number = 300; number < 306; number++) await memories.add(textOf(number));
    for (const id of ids.slice(0, 6)) await memories.delete(id);
    await server.end("SIGKILL");

    const again = await serveAgain();
    const after = connect(again);
    const { savedSeq = 0, ...line } = lineOf(again, wasRead);
    expect(line).toMatchObject({ vectors: 306, changed: 12, seq: savedSeq + 12 });
    for (const number of [300, 305])
      expect((await after.search(textOf(number))).contents[0]).toBe(textOf(number));
    for (const number of [0, 5])
      expect((await after.search(textOf(number))).contents).not.toContain(textOf(number));
    await expectAsWithout(again);
  });

  it("a namespace loses nothing, however often the server is killed while it builds and saves a graph", async () => {
    for (const [round, delayMs] of [0, 10, 40, 90].entries()) {
      const server = await serve();
      const memories = connect(server);
      await fill(memories, round * 150, (round + 1) * 150);
      await memories.search(queries[0] ?? "");
      await delay(delayMs);
      await server.end("SIGKILL");
    }
    const server = await serve();
    await connect(server).search(queries[0] ?? "");
    await Promise.race([server.logged(wasRead), server.logged("a graph was built")]);
    expect((await connect(server).contents()).length).toBe(600);
    await expectAsWithout(server);
    expect(server.log()).not.toContain("a saved graph is unusable");
  });

  it("a damaged saved graph is logged and replaced", async () => {
    const { server } = await serveWithSavedGraph();
    expect(await server.end("SIGTERM")).toBe(0);
    for (const entry of await readdir(join(data, "graphs"), {
      recursive: true,
      withFileTypes: true,
    })) {
      if (!entry.isFile() || entry.name === "header") continue;
      const path = join(entry.parentPath, entry.name);
      const bytes = await readFile(path);
      bytes.writeUInt8(bytes.readUInt8(bytes.length >> 1) ^ 1, bytes.length >> 1);
      await writeFile(path, bytes);
    }
    const again = await serve();
    await connect(again).search(queries[0] ?? "");
    await again.logged("a saved graph is unusable and is rebuilt");
    await again.logged("a graph was saved");
    await expectAsWithout(again);
  });
});

describe("without the optional package for graphs", () => {
  it("without the package for graphs, a search compares all vectors, and one log line says so", async () => {
    const program = await installWithout("node_modules/hnswlib-node", join(folder, "installed"));
    const server = await serve({ flags: graphFlags, program });
    const namespaces = [connect(server), connect(server, "another")];
    for (const memories of namespaces) await fill(memories, 0, 150);
    for (const memories of namespaces)
      expect((await findings(memories)).ways).toEqual(new Set([SearchIndex.EXACT]));
    await server.logged("compare all vectors");
    for (const memories of namespaces)
      expect((await findings(memories)).ways).toEqual(new Set([SearchIndex.EXACT]));
    expect(await server.end("SIGTERM")).toBe(0);
    const told = server
      .log()
      .split("\n")
      .filter((line) => line.includes("graph"));
    expect(told).toEqual([
      expect.stringMatching(
        /^{"level":"warn".*compare all vectors.*need the optional package hnswlib-node/,
      ),
    ]);
  });
});

/** The fields of the log line with a message. */
function lineOf(
  server: ServerProcess,
  message: string,
): Readonly<Record<string, number | undefined>> {
  const line = server
    .log()
    .split("\n")
    .find((text) => text.includes(`"msg":"${message}"`));
  return JSON.parse(line ?? "{}") as Record<string, number>;
}
