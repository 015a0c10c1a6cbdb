import { expect, it } from "vitest";
import { createMemoryService } from "../../../src/core/memories/create-memory-service.js";
import type { ToolMemoryType } from "../../../src/core/model/tool-manifest.js";
import type { Call } from "../../../src/core/ports/call.js";
import { createEmbedders } from "../../../src/core/ports/embedder.js";
import type { Store } from "../../../src/core/ports/store.js";
import type { Timer } from "../../../src/core/ports/timer.js";
import { createToolService } from "../../../src/core/tools/create-tool-service.js";
import type { QueryOutcome } from "../../../src/core/tools/tool-service.js";
import { createWriteGate } from "../../../src/core/vectors/write-gate.js";
import { createSearchIndex } from "../../../src/index/search-index.js";
import { createInMemoryStore } from "../../../src/store/in-memory/in-memory-store.js";
import { createIdSource } from "../../../src/system/ids.js";

const namespace = { userId: "ada", agentId: "guide" };
const call: Call = { throwIfEnded: () => undefined, signal: new AbortController().signal };
const types = ["EPISODIC", "SEMANTIC", "WORKING"] as const;

type Snapshot = Store["snapshot"];

/** Use cases over a real store and index, whose next snapshots of the user a test can make fail, or never come. */
async function furnished() {
  const store = createInMemoryStore();
  let userSnapshot: Snapshot = (scope) => store.snapshot(scope);
  const faulty: Store = {
    ...bound(store),
    snapshot: (scope) => (scope.kind === "user" ? userSnapshot(scope) : store.snapshot(scope)),
  };
  let timeUp: () => void = () => undefined;
  const timer: Timer = {
    after: (_, run) => {
      timeUp = run;
      return () => undefined;
    },
  };
  const failures: unknown[] = [];
  const parts = {
    store: faulty,
    index: createSearchIndex({ store: faulty, maxBytes: 1e9 }),
    embedders: createEmbedders(undefined),
    gate: createWriteGate(),
    tokens: {
      count: (text: string) => text.length,
      truncate: (text: string, most: number) => text.slice(0, most),
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
    kinds: [],
    tags: [],
  }));
  await tools.registerTool({ manifest: { toolId: "tool", version: "1", memoryAccess } });
  return {
    tools,
    store,
    failures,
    timeUp: () => timeUp(),
    setUserSnapshot: (next: Snapshot) => (userSnapshot = next),
  };
}

function bound(store: Store): Store {
  return {
    update: (scope, transact) => store.update(scope, transact),
    snapshot: (scope) => store.snapshot(scope),
    changes: (snapshot, afterSeq) => store.changes(snapshot, afterSeq),
    namespaces: () => store.namespaces(),
    scopes: () => store.scopes(),
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

it("TC-4.1, row 2.8: one store fault leaves one result empty, an entry in the trace, and the rest answered", async () => {
  const { tools, store, failures, setUserSnapshot } = await furnished();
  await collect(
    tools.queryMemory({ ...input, queries: [queryOf("EPISODIC")], requestId: "warm" }, call),
  );
  await collect(tools.turnTrace({ namespace, requestId: "warm" }, call));
  let asked = 0;
  setUserSnapshot((scope) => {
    asked += 1;
    // The first reads the state for the cache, the second is that of the first search.
    return asked === 2 ? Promise.reject(new Error("the disk has failed")) : store.snapshot(scope);
  });
  const outcomes = contentsOf(
    await collect(
      tools.queryMemory(
        { ...input, queries: [queryOf("SEMANTIC"), queryOf("EPISODIC"), queryOf("WORKING")] },
        call,
      ),
    ),
  );
  const empty = outcomes.filter((contents) => contents.length === 0);
  expect(empty).toHaveLength(1);
  expect(outcomes.flat().every((content) => content.endsWith("wine"))).toBe(true);
  const entries = (await collect(tools.turnTrace({ namespace, requestId: "r" }, call))).flat();
  const failed = entries.filter(({ event }) => event === "FAILED");
  expect(failed).toHaveLength(1);
  expect(failed[0]?.reason).not.toContain("disk");
  expect(failures).toMatchObject([{ message: "the disk has failed" }]);
});

it("TC-4.1, row 2.8: queries that take too long are given up, and the call goes on", async () => {
  const { tools, store, timeUp, setUserSnapshot } = await furnished();
  setUserSnapshot(() => {
    queueMicrotask(timeUp);
    return new Promise(() => undefined);
  });
  const outcomes = await collect(tools.queryMemory(input, call));
  expect(contentsOf(outcomes)).toEqual([[], [], []]);
  setUserSnapshot((scope) => store.snapshot(scope));
  const entries = (await collect(tools.turnTrace({ namespace, requestId: "r" }, call))).flat();
  expect(entries.map(({ event, reason }) => [event, reason])).toEqual(
    types.map(() => ["FAILED", "took longer than 5000 ms"]),
  );
});

it("a call that its caller leaves is no failure to log", async () => {
  const { tools, failures, setUserSnapshot } = await furnished();
  const caller = new AbortController();
  const left = new Error("the caller left");
  setUserSnapshot(() => {
    queueMicrotask(() => caller.abort(left));
    return new Promise(() => undefined);
  });
  await expect(
    collect(
      tools.queryMemory(input, {
        signal: caller.signal,
        throwIfEnded: () => caller.signal.throwIfAborted(),
      }),
    ),
  ).rejects.toBe(left);
  expect(failures).toEqual([]);
});
