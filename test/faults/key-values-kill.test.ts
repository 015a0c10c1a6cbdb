import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Code, ConnectError } from "@connectrpc/connect";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { nativeGrpc } from "../e2e/harness/protocols.js";
import { createRunClient, type RunClient } from "../e2e/harness/run-client.js";
import { bySuite, isFullSuite } from "../suite.js";
import { createRandom, type Random } from "./server/random.js";
import { type ServerProcess, startServerProcess } from "./server/server-process.js";

const rounds = bySuite({ quick: 1, full: 3 });
const seed = bySuite({ quick: 1, full: Date.now() % 1_000_000 });
const runIds = ["one", "two"];
const keys = Array.from({ length: 8 }, (_, i) => `key ${i}`);

/** Codes of a call whose server dies. Its write may or may not have happened. */
const cutOff = new Set([Code.Unavailable, Code.Canceled, Code.DeadlineExceeded]);

/**
 * Possible values of a key: the last acknowledged one, and the one of the interrupted call.
 * `undefined`: no value.
 */
type Expected = Map<string, (string | undefined)[]>;

let folder = "";
let server: ServerProcess | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "vademecum-kill-keys-"));
});
afterEach(async () => {
  await server?.end("SIGKILL");
  await rm(folder, { recursive: true });
});

describe("the keys of a run", () => {
  it.runIf(isFullSuite)("survive a restart, in their order", async () => {
    server = await startServerProcess(folder, { flags: ["--embedder", "none"] });
    const first = nativeGrpc.connect(server);
    for (const key of ["zebra", "apple"])
      await createRunClient(first, "run").write(key, `of ${key}`);
    first.close();
    expect(await server.end("SIGTERM")).toBe(0);
    server = await startServerProcess(folder, { flags: ["--embedder", "none"] });
    const second = nativeGrpc.connect(server);
    const run = createRunClient(second, "run");
    expect(await run.write("Mango", "")).toBe(true);
    expect(await run.list()).toEqual(["zebra", "apple", "Mango"]);
    expect(await run.read("apple")).toBe("of apple");
    second.close();
  });

  it(`keep every acknowledged write and deletion, each whole, when the server is killed (seed ${seed})`, {
    timeout: 600_000 + rounds * 60_000,
  }, async () => {
    const random = createRandom(seed);
    const expected: Expected[] = runIds.map(() => new Map());
    server = await startServerProcess(folder, { flags: ["--embedder", "none"] });
    for (let round = 1; round <= rounds; round++) {
      await workUntilKilled(server, expected, random);
      server = await startServerProcess(folder, { flags: ["--embedder", "none"] });
      const connection = nativeGrpc.connect(server);
      for (const [i, runId] of runIds.entries())
        await check(createRunClient(connection, runId), expected[i] ?? new Map<string, never>());
      connection.close();
    }
  });
});

async function workUntilKilled(
  running: ServerProcess,
  expected: readonly Expected[],
  random: Random,
): Promise<void> {
  const connection = nativeGrpc.connect(running);
  const moment = random.integer(20, 400);
  const killed = delay(moment).then(async () => running.end("SIGKILL"));
  const workers = runIds.flatMap((runId, i) =>
    keys.map(async (key) =>
      work(
        createRunClient(connection, runId),
        key,
        expected[i] ?? new Map<string, never>(),
        random,
      ),
    ),
  );
  await Promise.all(workers);
  await killed;
  connection.close();
}

/** Writes and deletes one key, call after call, until a call is interrupted. */
async function work(
  run: RunClient,
  key: string,
  expected: Expected,
  random: Random,
): Promise<void> {
  for (let count = 0; ; count++) {
    const value = random.chance(0.3)
      ? undefined
      : `${key} ${count} ${random.integer(0, 1_000_000)}`;
    const before = expected.get(key) ?? [undefined];
    expected.set(key, [...before, value]);
    try {
      await (value === undefined ? run.delete(key) : run.write(key, value));
    } catch (error) {
      if (!(error instanceof ConnectError && cutOff.has(error.code))) throw error;
      return;
    }
    expected.set(key, [value]);
  }
}

/** Compares the values of the server with the possible ones, and makes them the expected ones. */
async function check(run: RunClient, expected: Expected): Promise<void> {
  const found = new Map<string, string | undefined>();
  for (const key of keys) found.set(key, await run.read(key));
  for (const [key, value] of found) expect(expected.get(key) ?? [undefined]).toContain(value);
  // A listed key without a value, or the reverse, would be half of a write.
  const listed = await run.list();
  expect(listed.toSorted()).toEqual(keys.filter((key) => found.get(key) !== undefined));
  expected.clear();
  for (const [key, value] of found) expected.set(key, [value]);
}
