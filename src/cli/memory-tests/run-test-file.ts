import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { toBinary } from "@bufbuild/protobuf";
import { AddRequestSchema } from "#gen/vademecum/v1/memory_provider_pb.js";
import type { SearchHit } from "#gen/vademecum/v1/search_pb.js";
import { connectionSettings } from "../../config/client-settings.js";
import { type Environment, type FlagTexts, readConfig, readSettings } from "../../config/config.js";
import type { Config } from "../../config/server-settings.js";
import { countPhrase } from "../../core/text/count-phrase.js";
import { formatAddress } from "../../edge/address.js";
import { CommandFailure } from "../command-io.js";
import { type Connection, openConnection } from "../connection.js";
import { printable } from "../printable.js";
import {
  isNamed,
  type MemoryTest,
  type Reference,
  referenceText,
  type TestFile,
  type TestMemory,
  testNamespace,
} from "./test-file.js";

/** A hit of a test. */
export interface TestHit {
  /** The id of the memory in the test file. */
  readonly id: string;
  readonly content: string;
  readonly relevance: number;
  readonly tokens: number;
  readonly weak: boolean;
}

/** The outcome of one test. */
export interface TestOutcome {
  readonly name: string;
  readonly query: string;
  readonly hits: readonly TestHit[];
  readonly tokens: number;
  /** What is wrong. Empty: the test has passed. */
  readonly failures: readonly string[];
}

/** Maximum memories that one call adds. */
const memoriesOfCall = 100;

/** Maximum bytes of the memories of one call. The server takes 1 MiB. */
const bytesOfCall = 512 * 1024;

/**
 * Runs the tests of a file against a server in this process, which keeps its records in RAM and
 * listens on free ports of this machine.
 *
 * @param flags the settings of the embedder on the command line
 * @param environment the variables of the embedder's settings, and no others
 * @throws CommandFailure when the server refuses a memory
 */
export async function runTestFile(
  file: TestFile,
  flags: FlagTexts,
  environment: Environment,
): Promise<readonly TestOutcome[]> {
  const data = await mkdtemp(join(tmpdir(), "vademecum-test-"));
  try {
    return await withEngine(
      { config: configOf(data, flags, environment), nowMs: file.nowMs },
      async (connection) => {
        const stored = await storeMemories(file, connection);
        const outcomes: TestOutcome[] = [];
        for (const test of file.tests) outcomes.push(await runTest(test, stored, connection));
        return outcomes;
      },
    );
  } finally {
    await rm(data, { recursive: true, force: true });
  }
}

/** Returns the configuration of a server that keeps nothing. */
function configOf(data: string, flags: FlagTexts, environment: Environment): Config {
  const fixed = {
    ...{ data, provider: "memory", grpc: "127.0.0.1:0", http: "127.0.0.1:0" },
    ...{ pruning: "off", "log-level": "silent" },
  };
  return readConfig(new Map([...flags, ...Object.entries(fixed)]), environment);
}

/** The configuration of an engine, and the time at which its clock stands still, if it does. */
interface EngineOptions {
  readonly config: Config;
  readonly nowMs: number | undefined;
}

/** Runs `use` with a connection to a server in this process. */
async function withEngine<T>(
  { config, nowMs }: EngineOptions,
  use: (connection: Connection) => Promise<T>,
): Promise<T> {
  // A dynamic import, because a faulty file needs neither the model nor the store.
  const { startServer, stillTime } = await import("../../server/start-server.js");
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const time = nowMs === undefined ? undefined : stillTime(nowMs);
  const server = await startServer(config, nowhere, time);
  const flagTexts = new Map([["server", formatAddress(server.grpcAddress)]]);
  const connection = openConnection(readSettings(connectionSettings, flagTexts, {}));
  try {
    return await use(connection);
  } finally {
    connection.close();
    await server.stop();
  }
}

/** Stores the memories in their order. Returns the test memories by the ids of the server. */
async function storeMemories(
  { path, memories }: TestFile,
  { memoryProvider }: Connection,
): Promise<ReadonlyMap<string, TestMemory>> {
  const stored = new Map<string, TestMemory>();
  const ids = new Map<string, string>();
  let waiting: TestMemory[] = [];
  let waitingBytes = 0;
  const store = async (): Promise<void> => {
    if (waiting.length === 0) return;
    const requests = waiting.map(({ request: { supersedes, ...request } }) => ({
      ...request,
      ...(supersedes !== undefined && { supersedes: ids.get(supersedes) ?? supersedes }),
    }));
    const reply = await memoryProvider.addMany({ namespace: testNamespace, memories: requests });
    for (const [index, { result }] of reply.results.entries()) {
      const memory = waiting[index];
      if (memory === undefined) continue;
      if (result.case !== "id")
        throw new CommandFailure(
          printable(`${path}: the memory '${memory.id}' is refused: ${result.value?.message}`),
          2,
        );
      stored.set(result.value, memory);
      ids.set(memory.id, result.value);
    }
    waiting = [];
    waitingBytes = 0;
  };
  for (const memory of memories) {
    const bytes = toBinary(AddRequestSchema, memory.request).length;
    const isFull = waiting.length === memoriesOfCall || waitingBytes + bytes > bytesOfCall;
    // A memory can only supersede one that is stored.
    if (memory.request.supersedes !== undefined || isFull) await store();
    waiting.push(memory);
    waitingBytes += bytes;
  }
  await store();
  return stored;
}

async function runTest(
  test: MemoryTest,
  stored: ReadonlyMap<string, TestMemory>,
  connection: Connection,
): Promise<TestOutcome> {
  const found: FoundMemory[] = [];
  for await (const { hits } of connection.memoryProvider.search(test.search))
    for (const hit of hits) {
      const memory = stored.get(hit.memory?.id ?? "");
      if (memory !== undefined) found.push({ memory, hit: hitOf(hit, memory) });
    }
  const hits = found.map(({ hit }) => hit);
  const tokens = hits.reduce((sum, hit) => sum + hit.tokens, 0);
  const failures = [
    ...(await missing(test, found, stored, connection)),
    ...test.forbid
      .filter((reference) => isFound(found, reference))
      .map((reference) => `found ${referenceText(reference)}, which is forbidden`),
    ...excess(hits.length, test.maxHits, "hit"),
    ...excess(tokens, test.maxTokens, "token"),
  ];
  return { name: test.name, query: test.search.query, hits, tokens, failures };
}

interface FoundMemory {
  readonly memory: TestMemory;
  readonly hit: TestHit;
}

function isFound(found: readonly FoundMemory[], reference: Reference): boolean {
  return found.some(({ memory }) => isNamed(memory, reference));
}

function excess(count: number, max: number, noun: string): string[] {
  return count > max ? [`${countPhrase(count, noun)}; at most ${max} are allowed`] : [];
}

/** Names the expected memories that are no hits, or not the first one, and says why. */
async function missing(
  { search, expect, expectFirst }: MemoryTest,
  found: readonly FoundMemory[],
  stored: ReadonlyMap<string, TestMemory>,
  { memoryProvider }: Connection,
): Promise<string[]> {
  const reasonOf = async (reference: Reference): Promise<string> => {
    const [id] = [...stored].find(([, memory]) => isNamed(memory, reference)) ?? [""];
    const { stages } = await memoryProvider.explain({ search, id });
    const { name, droppedReason } = stages.at(-1) ?? { name: "", droppedReason: "" };
    return `; not found (${name}: ${droppedReason})`;
  };
  const failures: string[] = [];
  for (const reference of expect)
    if (!isFound(found, reference))
      failures.push(`expected ${referenceText(reference)}${await reasonOf(reference)}`);
  if (expectFirst === undefined || isFound(found.slice(0, 1), expectFirst)) return failures;
  const place = found.findIndex(({ memory }) => isNamed(memory, expectFirst));
  const reason = place === -1 ? await reasonOf(expectFirst) : `; it is hit ${place + 1}`;
  return [...failures, `expected ${referenceText(expectFirst)} first${reason}`];
}

function hitOf(hit: SearchHit, { id }: TestMemory): TestHit {
  return {
    id,
    content: hit.memory?.content ?? "",
    relevance: hit.scores?.relevance ?? 0,
    tokens: hit.tokens,
    weak: hit.weak,
  };
}
