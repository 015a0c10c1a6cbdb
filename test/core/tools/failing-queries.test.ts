import { afterEach, expect, it, vi } from "vitest";
import { createMemoryService } from "../../../src/core/memories/create-service.js";
import { VademecumError } from "../../../src/core/model/errors.js";
import type { ToolMemoryType } from "../../../src/core/model/tool-manifest.js";
import { endlessCall } from "../../../src/core/ports/call.js";
import { createEmbedders, type Embedder } from "../../../src/core/ports/embedder.js";
import type { Store } from "../../../src/core/ports/store.js";
import type { CountedText } from "../../../src/core/ports/token-counter.js";
import { createWakeUps } from "../../../src/core/requests/wake-ups.js";
import { createToolService } from "../../../src/core/tools/create-service.js";
import type { QueryOutcome } from "../../../src/core/tools/service.js";
import { createWriteGate } from "../../../src/core/vectors/write-gate.js";
import { createSearchIndex } from "../../../src/index/search-index.js";
import { memoryRecords } from "../../../src/store/codec/memory-records.js";
import { createInMemoryStore } from "../../../src/store/in-memory/in-memory-store.js";
import { createIdSource } from "../../../src/system/ids.js";
import { createManualTimer } from "../../server/manual-timer.js";
import { testModel } from "../reindex/reindex-domain.js";

const namespace = { userId: "ada", agentId: "guide" };
const call = endlessCall;
const types = ["EPISODIC", "SEMANTIC", "WORKING"] as const;

type ReadHead = Store["head"];

afterEach(() => {
  vi.restoreAllMocks();
});

/** Creates services over a real store and index. A test can replace the read of the user's head. */
async function createWorld(embedder?: Embedder) {
  const store = createInMemoryStore();
  let userHead: ReadHead = (scope) => store.head(scope);
  const faulty: Store = {
    ...delegateTo(store),
    head: (scope) => (scope.kind === "user" ? userHead(scope) : store.head(scope)),
  };
  const timer = createManualTimer();
  const failures: unknown[] = [];
  const parts = {
    store: faulty,
    index: createSearchIndex({ codec: memoryRecords, store: faulty, maxBytes: 1e9 }),
    embedders: createEmbedders(embedder),
    gate: createWriteGate(),
    wakeUps: createWakeUps(),
    tokens: {
      count: (text: string) => text.length,
      countFramed: (before: string, { text }: CountedText, after: string) =>
        (before + text + after).length,
      countInTurns: async (text: string) => text.length,
      truncateInTurns: async (text: string, most: number) => text.slice(0, most),
    },
    clock: { nowMs: () => 1_800_000_000_000 },
    ids: createIdSource(),
    timer,
    log: {
      queryFailed: (error: unknown) => failures.push(error),
      traceLost: (error: unknown) => failures.push(error),
    },
  };
  const memories = createMemoryService({ ...parts, allowReset: false });
  for (const memoryType of types)
    await memories.add({ namespace, content: `${memoryType} wine`, memoryType }, call);
  const tools = createToolService(parts);
  const memoryAccess = types.map((memoryType) => ({
    memoryType,
    enabled: true,
    write: false,
    kinds: [],
    tags: [],
  }));
  await tools.registerTool({ manifest: { toolId: "tool", version: "1", memoryAccess } });
  return {
    tools,
    store,
    failures,
    timer,
    setUserHead: (next: ReadHead) => (userHead = next),
  };
}

function delegateTo(store: Store): Store {
  return {
    update: (scope, transact) => store.update(scope, transact),
    erase: (scope, nowMs) => store.erase(scope, nowMs),
    reserve: (allowance) => store.reserve(allowance),
    totals: () => store.totals(),
    head: (scope) => store.head(scope),
    snapshot: (scope) => store.snapshot(scope),
    changes: (snapshot, afterSeq) => store.changes(snapshot, afterSeq),
    ids: (range) => store.ids(range),
    namespaces: () => store.namespaces(),
    scopes: () => store.scopes(),
    dueScopes: (nowMs) => store.dueScopes(nowMs),
    settleDue: (...of) => store.settleDue(...of),
    acrossUsers: (table, range) => store.acrossUsers(table, range),
    undelivered: () => store.undelivered(),
    openedAtMs: store.openedAtMs,
    pageKey: store.pageKey,
    compact: () => store.compact(),
    close: () => store.close(),
  };
}

const turn = {
  namespace,
  requestId: "r",
  toolId: "tool",
  toolVersion: "1",
  taskId: "",
  planId: "",
  budgetTokens: 1000,
};
const queryOf = (memoryType: ToolMemoryType) => ({
  queryId: memoryType,
  memoryType,
  queryText: "wine",
  filter: {},
  limit: 10,
  budgetTokens: 500,
});
const input = { ...turn, queries: types.map(queryOf) };

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

const contentsOf = (outcomes: readonly QueryOutcome[]) =>
  outcomes.map(({ result }) => result.hits.map(({ memory }) => memory.content));

it("a query whose read fails gets an empty result, and the other queries are answered", async () => {
  const { tools, store, failures, setUserHead } = await createWorld();
  await collect(
    tools.queryMemory({ ...input, queries: [queryOf("EPISODIC")], requestId: "warm" }, call),
  );
  await collect(tools.turnTrace({ namespace, requestId: "warm" }, call));
  let asked = 0;
  setUserHead((scope) => {
    asked += 1;
    // The cache does the first read of the head, and the first search does the second read.
    return asked === 2 ? Promise.reject(new Error("the disk has failed")) : store.head(scope);
  });
  const queries = [queryOf("SEMANTIC"), queryOf("EPISODIC"), queryOf("WORKING")];
  const answers = await collect(tools.queryMemory({ ...input, queries }, call));
  const outcomes = contentsOf(answers);
  for (const { result, event, reason } of answers)
    if (result.hits.length === 0)
      expect([event, reason]).toEqual(["FAILED", "internal error; see the server log"]);
  // Two queries read the store. If they wait for the same read, both fail. Otherwise one fails.
  const empty = outcomes.filter((contents) => contents.length === 0);
  expect([1, 2]).toContain(empty.length);
  // The cache has the result of this query.
  expect(outcomes[1]).toEqual(["EPISODIC wine"]);
  expect(outcomes.flat().every((content) => content.endsWith("wine"))).toBe(true);
  const entries = (await collect(tools.turnTrace({ namespace, requestId: "r" }, call))).flat();
  const failed = entries.filter(({ event }) => event === "FAILED");
  expect(failed).toHaveLength(empty.length);
  for (const { reason } of failed) expect(reason).not.toContain("disk");
  expect(failures).toMatchObject(failed.map(() => ({ message: "the disk has failed" })));
});

it("the trace of a turn gives the reason when keywords alone answered a query", async () => {
  const model = testModel("model@1");
  let isDown = false;
  const { tools } = await createWorld({
    ...model,
    embed: async (texts, signal) => {
      if (!isDown) return model.embed(texts, signal);
      throw new VademecumError("UNAVAILABLE", "EMBEDDER_UNAVAILABLE", "the endpoint is down");
    },
  });
  const reasonsOf = async (requestId: string) => {
    await collect(tools.queryMemory({ ...input, queries: [queryOf("WORKING")], requestId }, call));
    const entries = (await collect(tools.turnTrace({ namespace, requestId }, call))).flat();
    return entries.map(({ event, reason }) => [event, reason]);
  };
  isDown = true;
  expect(await reasonsOf("down")).toEqual([
    ["QUERIED", "the search used keywords only, because the endpoint is down"],
  ]);
  isDown = false;
  expect(await reasonsOf("up")).toEqual([["QUERIED", ""]]);
});

it("a query that takes more than five seconds fails, but its call succeeds", async () => {
  const { tools, store, timer, setUserHead } = await createWorld();
  setUserHead(() => {
    queueMicrotask(() => timer.pass(5_000));
    return new Promise(() => undefined);
  });
  const outcomes = await collect(tools.queryMemory(input, call));
  expect(contentsOf(outcomes)).toEqual([[], [], []]);
  setUserHead((scope) => store.head(scope));
  const entries = (await collect(tools.turnTrace({ namespace, requestId: "r" }, call))).flat();
  expect(entries.map(({ event, reason }) => [event, reason])).toEqual(
    types.map(() => ["FAILED", "took longer than 5000 ms"]),
  );
});

/**
 * Starts a request with two queries. Their first searches run together and take three seconds. The
 * second query needs another search, because its first result exceeds the remaining tokens.
 */
async function askBeyondBudget() {
  const world = await createWorld();
  let nowMs = 0;
  vi.spyOn(performance, "now").mockImplementation(() => nowMs);
  const pass = (ms: number) => {
    nowMs += ms;
    world.timer.pass(ms);
  };
  world.setUserHead((scope) => {
    if (nowMs === 0) pass(3_000);
    return world.store.head(scope);
  });
  const queries = [queryOf("EPISODIC"), queryOf("SEMANTIC")];
  const outcomes = world.tools.queryMemory({ ...input, queries, budgetTokens: 20 }, call);
  const first = await outcomes[Symbol.asyncIterator]().next();
  expect(first.value).toMatchObject({ durationMs: 3_000, result: { summary: { tokensUsed: 13 } } });
  return { ...world, outcomes, pass };
}

it("both searches of a query together take at most five seconds", async () => {
  const { tools, store, outcomes, pass, setUserHead } = await askBeyondBudget();
  setUserHead(() => {
    queueMicrotask(() => pass(2_000));
    return new Promise(() => undefined);
  });
  const [second] = await collect(outcomes);
  expect(second).toMatchObject({ durationMs: 5_000, result: { hits: [] } });
  setUserHead((scope) => store.head(scope));
  const entries = (await collect(tools.turnTrace({ namespace, requestId: "r" }, call))).flat();
  expect(entries.at(-1)).toMatchObject({
    event: "FAILED",
    reason: "took longer than 5000 ms",
    durationMs: 5_000,
  });
});

it("the duration of a query includes both of its searches", async () => {
  const { store, outcomes, pass, setUserHead } = await askBeyondBudget();
  let isSlow = true;
  setUserHead((scope) => {
    if (isSlow) pass(1_000);
    isSlow = false;
    return store.head(scope);
  });
  const [second] = await collect(outcomes);
  expect(second).toMatchObject({ durationMs: 4_000, result: { hits: [{ excerpt: true }] } });
});

it("a call that its client cancels is not logged as a failed query", async () => {
  const { tools, failures, setUserHead } = await createWorld();
  const caller = new AbortController();
  const reason = new Error("the client cancelled");
  setUserHead(() => {
    queueMicrotask(() => caller.abort(reason));
    return new Promise(() => undefined);
  });
  await expect(
    collect(
      tools.queryMemory(input, {
        ...endlessCall,
        signal: caller.signal,
        throwIfEnded: () => caller.signal.throwIfAborted(),
      }),
    ),
  ).rejects.toBe(reason);
  expect(failures).toEqual([]);
});
