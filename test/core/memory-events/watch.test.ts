import { describe, expect, it } from "vitest";
import { createMemoryEventService } from "../../../src/core/memory-events/create-service.js";
import {
  callsAboutMemories,
  type WatchedEvents,
  type WatchedMemories,
} from "../../../src/core/memory-events/service.js";
import { userScope } from "../../../src/core/model/namespace.js";
import { type Call, endlessCall } from "../../../src/core/ports/call.js";
import type { Store } from "../../../src/core/ports/store.js";
import { commitSeqOf } from "../../../src/core/requests/commit-seq.js";
import { createWakeUps } from "../../../src/core/requests/wake-ups.js";
import { createInMemoryStore } from "../../../src/store/in-memory/in-memory-store.js";
import { createManualTimer } from "../../server/manual-timer.js";
import { memoryOf } from "../memory-fixture.js";

const scope = userScope("kim");

/** A store whose commits wake the watches of a service, unless another server makes them. */
function createWorld({ isRemote = false } = {}) {
  const store: Store = { ...createInMemoryStore("epoch"), isRemote };
  const timer = createManualTimer();
  const commits = createWakeUps(undefined, callsAboutMemories);
  const service = createMemoryEventService({ store, timer, commits });
  const write = async (agentId: string, ...ids: readonly string[]): Promise<number> => {
    const { head } = await store.update(scope, async (tx) => {
      for (const id of ids)
        tx.put("memories", { userId: "kim", agentId }, id, memoryOf({ id, content: id }));
    });
    if (!isRemote) commits.wake("kim", ["commit"]);
    return head.seq;
  };
  return { store, timer, service, write };
}

type World = ReturnType<typeof createWorld>;

function open({ service }: World, fields: Partial<WatchedMemories> = {}) {
  const ended = new AbortController();
  const call: Call = {
    ...endlessCall,
    signal: ended.signal,
    throwIfEnded: () => ended.signal.throwIfAborted(),
  };
  const watched = { userId: "kim", agents: ["*"], idsOnly: false, ...fields };
  const watch = service.watch(watched, call)[Symbol.asyncIterator]();
  const next = async () => (await watch.next()).value as WatchedEvents;
  const ids = async () => (await next()).events.map(({ id }) => id);
  return { next, ids, end: () => ended.abort(), watch };
}

const seq = (of: number) => commitSeqOf({ epoch: "epoch", seq: of }, "kim");
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("a watch of memories", () => {
  it("sends a heartbeat with the commit_seq up to which it is complete, also after commits about other agents", async () => {
    const world = createWorld();
    const { next, end, watch } = open(world, { agentId: "notes", heartbeatMs: 5000 });
    expect(await next()).toEqual({ events: [], commitSeq: seq(0) });
    const beat = next();
    await turn();
    await world.write("other", "a");
    while (world.timer.waiting.length === 0) await turn();
    await turn();
    world.timer.pass(5000);
    expect(await beat).toEqual({ events: [], commitSeq: seq(1) });
    const told = next();
    await turn();
    await world.write("notes", "b");
    expect(await told).toMatchObject({ events: [{ id: "b", kind: "ADDED" }], commitSeq: seq(2) });
    end();
    await watch.return?.();
    expect(world.timer.waiting).toEqual([]);
  });

  it("finds the commits of another server within a second", async () => {
    const world = createWorld({ isRemote: true });
    const { next, ids, end } = open(world);
    await next();
    const told = ids();
    await turn();
    await world.write("notes", "a");
    while (world.timer.waiting.length === 0) await turn();
    expect(world.timer.waiting).toEqual([1000]);
    world.timer.pass(1000);
    expect(await told).toEqual(["a"]);
    end();
  });

  it("sends all commits since a number, however many, and each of them once", async () => {
    const world = createWorld();
    const expected: string[] = [];
    for (let i = 0; i < 200; i++) {
      expected.push(`m${i}`);
      await world.write("notes", `m${i}`);
    }
    const { next, ids, end } = open(world, { afterCommitSeq: seq(50) });
    expect((await next()).commitSeq).toBe(seq(50));
    const told: (string | undefined)[] = [];
    while (told.length < 150) told.push(...(await ids()));
    expect(told).toEqual(expected.slice(50));
    end();
  });

  it("fails when the change log no longer has the changes, at once or while it is open", async () => {
    const world = createWorld();
    for (let i = 0; i < 5000; i++) await world.write("notes", "a");
    const notKept = { code: "OUT_OF_RANGE", reason: "CHANGES_NOT_KEPT" };
    await expect(open(world, { afterCommitSeq: seq(1) }).next()).rejects.toMatchObject(notKept);
    const { next } = open(world);
    expect((await next()).commitSeq).toBe(seq(5000));
    await world.store.erase(scope, 0);
    await expect(next()).rejects.toMatchObject(notKept);
  });

  it("sends no event of an agent that the caller may no longer see", async () => {
    const world = createWorld();
    const rights = { agents: ["notes", "tasks"] };
    const ended = new AbortController();
    const watched: WatchedMemories = {
      userId: "kim",
      idsOnly: true,
      get agents() {
        return rights.agents;
      },
    };
    const call = { ...endlessCall, signal: ended.signal };
    const watch = world.service.watch(watched, call)[Symbol.asyncIterator]();
    await watch.next();
    await world.write("notes", "a");
    expect((await watch.next()).value).toMatchObject({ events: [{ id: "a" }] });
    rights.agents = ["tasks"];
    await world.write("notes", "b");
    await world.write("tasks", "c");
    expect((await watch.next()).value).toMatchObject({ events: [{ id: "c" }] });
    ended.abort();
  });

  it("ends when the server stops, and a user can have 100 of them", async () => {
    const world = createWorld();
    const watches = Array.from({ length: 100 }, () => open(world));
    for (const { next } of watches) await next();
    await expect(open(world).next()).rejects.toMatchObject({
      code: "RESOURCE_EXHAUSTED",
      reason: "TOO_MANY_WATCHES",
      message: expect.stringContaining("100 calls of WatchMemories for this user") as string,
    });
    world.service.stopWatches();
    await expect(watches[0]?.next()).rejects.toMatchObject({ reason: "SERVER_STOPPING" });
  });
});
