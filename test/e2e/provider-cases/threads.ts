import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { expect } from "vitest";
import { MemoryType } from "#gen/vademecum/v1/memory_pb.js";
import { failureOf } from "../harness/failure.js";
import type { MemoryFixtures, MemoryTest } from "../harness/memory-test.js";

const threadId = "chat";
type Threads = MemoryFixtures["threads"];
type Namespace = MemoryFixtures["memories"]["namespace"];

const turnsOf = (...contents: readonly string[]) => contents.map((content) => ({ content }));

/** Contents of the last turns of a thread, oldest first. */
async function contentsOf(threads: Threads, namespace: Namespace, thread = threadId) {
  const { turns } = await threads.getTurns({ namespace, threadId: thread, limit: 1000 });
  return turns.map(({ content }) => content);
}

/** Cases of ThreadService. */
export function threadCases(it: MemoryTest): void {
  readingCases(it);
  changingCases(it);
  forkingCases(it);
  orderCases(it);
  ownIdCases(it);
}

function readingCases(it: MemoryTest): void {
  it("a thread returns its last turns, oldest first, and the turns before them", async ({
    memories: { namespace },
    threads,
  }) => {
    const turns = turnsOf("one", "two", "three", "four", "five");
    const { ids, version } = await threads.appendTurns({ namespace, threadId, turns });
    const last = await threads.getTurns({ namespace, threadId, limit: 2 });
    expect(last.turns.map(({ id }) => id)).toEqual(ids.slice(3));
    expect(last).toMatchObject({ hasMore: true, version });
    const before = await threads.getTurns({
      ...{ namespace, threadId, limit: 3 },
      beforeId: last.turns[0]?.id as string,
    });
    expect(before.turns.map(({ content }) => content)).toEqual(["one", "two", "three"]);
    expect(before.hasMore).toBe(false);
  });

  it("a thread without turns has the version 0, also in another namespace", async ({
    memories: { namespace },
    namespaceOf,
    threads,
  }) => {
    await threads.appendTurns({ namespace, threadId, turns: turnsOf("one") });
    const other = namespaceOf({ agentId: "another" }).namespace;
    expect(await threads.getTurns({ namespace: other, threadId })).toMatchObject({
      turns: [],
      hasMore: false,
      version: 0n,
    });
    const failure = await failureOf(
      threads.getTurns({ namespace, threadId: "another", beforeId: "none" }),
    );
    expect(failure).toMatchObject({ code: "NOT_FOUND", reason: "MEMORY_NOT_FOUND" });
  });

  it("turns are memories: Add makes them, searches find them, and Update moves them", async ({
    memories,
    threads,
  }) => {
    const { namespace } = memories;
    const { id } = await memories.add("the ferry leaves at noon", {
      memoryType: MemoryType.CONVERSATION,
      threadId,
    });
    await memories.add("no turn", { threadId });
    await threads.appendTurns({
      ...{ namespace, threadId },
      turns: [{ content: "from which pier?", author: "ann", tags: ["trip"] }],
    });
    const { contents } = await memories.search("When does the ferry leave?");
    expect(contents).toContain("the ferry leaves at noon");
    expect(await contentsOf(threads, namespace)).toEqual([
      "the ferry leaves at noon",
      "from which pier?",
    ]);
    await memories.update(id, { threadId: "another" });
    expect(await contentsOf(threads, namespace)).toEqual(["from which pier?"]);
    expect(await contentsOf(threads, namespace, "another")).toEqual(["the ferry leaves at noon"]);
    await memories.delete(id);
    const { threads: listed } = await threads.listThreads({ namespace });
    expect(listed.map((thread) => [thread.threadId, thread.turnCount])).toEqual([[threadId, 1]]);
  });

  it("reads leave out turns that have expired or are superseded", async ({ memories, threads }) => {
    const { namespace } = memories;
    const turns = turnsOf("old", "gone", "kept");
    const { ids } = await threads.appendTurns({ namespace, threadId, turns });
    await memories.add("new", {
      memoryType: MemoryType.CONVERSATION,
      threadId,
      supersedes: ids[0] as string,
    });
    await memories.expire(ids[1] as string);
    expect(await contentsOf(threads, namespace)).toEqual(["kept", "new"]);
    expect((await threads.popTurn({ namespace, threadId })).turn?.content).toBe("new");
  });

  it("ListThreads has counts, times and versions, page by page", async ({
    memories: { namespace },
    threads,
  }) => {
    for (const id of ["b", "a", "c"])
      await threads.appendTurns({ namespace, threadId: id, turns: turnsOf("one", "two") });
    const first = await threads.listThreads({ namespace, limit: 2 });
    const { nextPageToken: pageToken } = first;
    const second = await threads.listThreads({ namespace, limit: 2, pageToken });
    const all = [...first.threads, ...second.threads];
    expect(all.map((thread) => thread.threadId)).toEqual(["a", "b", "c"]);
    expect(second.nextPageToken).toBe("");
    for (const { threadId: id, turnCount, version, createTime, updateTime } of all) {
      expect(turnCount).toBe(2);
      expect(version).toBe((await threads.getTurns({ namespace, threadId: id })).version);
      expect(updateTime).toEqual(createTime);
    }
  });
}

function changingCases(it: MemoryTest): void {
  it("PopTurn returns and deletes the last turn", async ({ memories, threads }) => {
    const { namespace } = memories;
    await threads.appendTurns({ namespace, threadId, turns: turnsOf("one", "two") });
    const popped = await threads.popTurn({ namespace, threadId, idempotencyKey: "pop" });
    expect(popped.turn?.content).toBe("two");
    expect(popped.id).toBe(popped.turn?.id);
    const retry = await threads.popTurn({ namespace, threadId, idempotencyKey: "pop" });
    expect(retry.id).toBe(popped.id);
    expect(retry.turn).toBeUndefined();
    expect(await contentsOf(threads, namespace)).toEqual(["one"]);
    expect(await memories.count()).toBe(1n);
    await threads.popTurn({ namespace, threadId });
    expect(await threads.popTurn({ namespace, threadId })).toMatchObject({ id: "" });
  });

  it("ReplaceThread replaces all turns if the thread has the expected version", async ({
    memories: { namespace, ...memories },
    threads,
  }) => {
    const { version } = await threads.appendTurns({ namespace, threadId, turns: turnsOf("one") });
    const turns = turnsOf("summary", "two");
    const replaced = await threads.replaceThread({
      ...{ namespace, threadId, turns, expectedVersion: version, idempotencyKey: "replace" },
    });
    expect(replaced.version).toBeGreaterThan(version);
    expect(await contentsOf(threads, namespace)).toEqual(["summary", "two"]);
    const failure = await failureOf(
      threads.replaceThread({ namespace, threadId, turns, expectedVersion: version }),
    );
    expect(failure).toMatchObject({
      code: "ABORTED",
      reason: "VERSION_MISMATCH",
      fields: ["expected_version"],
    });
    const retry = await threads.replaceThread({
      ...{ namespace, threadId, turns, expectedVersion: version, idempotencyKey: "replace" },
    });
    expect(retry.ids).toEqual(replaced.ids);
    expect(await memories.count()).toBe(2n);
  });

  it("a thread that was cleared and filled again has a higher version", async ({
    memories: { namespace },
    threads,
  }) => {
    const turns = turnsOf("one");
    const { version } = await threads.appendTurns({ namespace, threadId, turns });
    expect(await threads.clearThread({ namespace, threadId })).toMatchObject({ deleted: 1 });
    expect(await threads.clearThread({ namespace, threadId })).toMatchObject({ deleted: 0 });
    const expectedVersion = 0n;
    const again = await threads.replaceThread({ namespace, threadId, turns, expectedVersion });
    expect(again.version).toBeGreaterThan(version);
  });

  it("a faulty turn stores no turn and is named", async ({ memories: { namespace }, threads }) => {
    const expireTime = timestampFromDate(new Date(0));
    const turns = [{ content: "one" }, { content: "two", expireTime }];
    expect(await failureOf(threads.appendTurns({ namespace, threadId, turns }))).toMatchObject({
      code: "INVALID_ARGUMENT",
      fields: ["turns[1].expire_time"],
    });
    expect(await contentsOf(threads, namespace)).toEqual([]);
  });

  it("a thread takes 500 turns at once, and refuses 501", async ({
    memories: { namespace },
    threads,
  }) => {
    const turns = Array.from({ length: 501 }, (_, at) => ({ content: `turn ${at}` }));
    expect(await failureOf(threads.appendTurns({ namespace, threadId, turns }))).toMatchObject({
      code: "INVALID_ARGUMENT",
      fields: ["turns"],
    });
    await threads.appendTurns({ namespace, threadId, turns: turns.slice(1) });
    expect(await contentsOf(threads, namespace)).toEqual(
      turns.slice(1).map(({ content }) => content),
    );
  });
}

function forkingCases(it: MemoryTest): void {
  it("ForkThread copies the first turns, which then change alone", async ({
    memories,
    threads,
  }) => {
    const { namespace } = memories;
    const said = timestampFromDate(new Date("2026-03-01T12:00:00Z"));
    const turns = [{ content: "one", eventTime: said, author: "ann" }, ...turnsOf("two", "three")];
    const { ids } = await threads.appendTurns({ namespace, threadId, turns });
    const lastId = ids[1] as string;
    const fork = { namespace, threadId, newThreadId: "fork", lastId, idempotencyKey: "fork" };
    const forked = await threads.forkThread(fork);
    expect(forked.turnCount).toBe(2);
    expect(await threads.forkThread(fork)).toEqual(forked);
    await threads.popTurn({ namespace, threadId: "fork" });
    const { turns: copies } = await threads.getTurns({ namespace, threadId: "fork" });
    expect(copies).toMatchObject([{ content: "one", eventTime: said, author: "ann", version: 1n }]);
    expect(await contentsOf(threads, namespace)).toEqual(["one", "two", "three"]);
    const { contents } = await memories.search("one");
    expect(contents.filter((content) => content === "one")).toHaveLength(2);
  });

  it("ForkThread refuses an empty thread, a thread that exists, and a turn of another", async ({
    memories: { namespace },
    threads,
  }) => {
    const newThreadId = "new";
    expect(await failureOf(threads.forkThread({ namespace, threadId, newThreadId }))).toMatchObject(
      { code: "NOT_FOUND", reason: "THREAD_NOT_FOUND", fields: ["thread_id"] },
    );
    await threads.appendTurns({ namespace, threadId, turns: turnsOf("one") });
    expect(
      await failureOf(threads.forkThread({ namespace, threadId, newThreadId: threadId })),
    ).toMatchObject({
      code: "FAILED_PRECONDITION",
      reason: "THREAD_EXISTS",
      fields: ["new_thread_id"],
    });
    expect(
      await failureOf(threads.forkThread({ namespace, threadId, newThreadId, lastId: "none" })),
    ).toMatchObject({ code: "NOT_FOUND", reason: "MEMORY_NOT_FOUND" });
  });
}

function orderCases(it: MemoryTest): void {
  it("turns with an event_time stand at their time, before 1970 too", async ({
    memories: { namespace },
    threads,
  }) => {
    const at = (time: string) => timestampFromDate(new Date(time));
    const turns = [
      { content: "third", eventTime: at("2020-01-01T00:00:00.002Z") },
      { content: "first", eventTime: at("1969-12-31T23:59:59Z") },
      { content: "second", eventTime: at("2020-01-01T00:00:00.001Z") },
      { content: "fourth" },
    ];
    await threads.appendTurns({ namespace, threadId, turns });
    expect(await contentsOf(threads, namespace)).toEqual(["first", "second", "third", "fourth"]);
  });

  it("writers that append at once lose, double and mix no turns, and readers see no part", async ({
    memories: { namespace },
    threads,
  }) => {
    const writers = ["a", "b", "c", "d"];
    const rounds = 8;
    let isDone = false;
    const seen: string[][] = [];
    const read = async () => {
      while (!isDone) seen.push(await contentsOf(threads, namespace));
    };
    const write = async (writer: string) => {
      for (let round = 0; round < rounds; round++) {
        const turns = turnsOf(`${writer} ${round} question`, `${writer} ${round} answer`);
        await threads.appendTurns({ namespace, threadId, turns });
      }
    };
    const reading = read();
    await Promise.all(writers.map(write));
    isDone = true;
    await reading;
    seen.push(await contentsOf(threads, namespace));
    for (const contents of seen) {
      // Each pair of turns stands together, and each writer's pairs are in its order.
      const pairs = contents.filter((_, at) => at % 2 === 0);
      expect(contents).toEqual(
        pairs.flatMap((question) => [question, question.replace("question", "answer")]),
      );
      for (const writer of writers) {
        const own = pairs.filter((text) => text.startsWith(writer));
        expect(own).toEqual(own.map((_, round) => `${writer} ${round} question`));
      }
    }
    expect(seen.at(-1)).toHaveLength(writers.length * rounds * 2);
  });

  it("no reader sees a part of ReplaceThread", async ({ memories, threads }) => {
    const { namespace } = memories;
    const versions = ["x", "y", "z"];
    const turnsIn = (version: string) => turnsOf(...[1, 2, 3].map((at) => `${version} ${at}`));
    await threads.appendTurns({ namespace, threadId, turns: turnsIn("x") });
    let isDone = false;
    const seen: string[][] = [];
    const read = async () => {
      while (!isDone) {
        seen.push(await contentsOf(threads, namespace));
        seen.push((await memories.search("", { limit: 10 })).contents.toReversed());
      }
    };
    const reading = read();
    for (let round = 1; round <= 10; round++) {
      const turns = turnsIn(versions[round % 3] as string);
      await threads.replaceThread({ namespace, threadId, turns });
    }
    isDone = true;
    await reading;
    for (const contents of seen) {
      const version = contents[0]?.slice(0, 1) as string;
      expect(contents).toEqual([1, 2, 3].map((at) => `${version} ${at}`));
    }
  });
}

function ownIdCases(it: MemoryTest): void {
  const turn = (externalId: string, content = externalId) => ({ content, externalId });

  it("a turn with the external_id of a turn of the thread is that turn, in its place and unchanged", async ({
    memories: { namespace, ...memories },
    threads,
  }) => {
    const first = await threads.appendTurns({
      ...{ namespace, threadId },
      turns: [turn("m1"), turn("m2")],
    });
    const turns = [turn("m1", "another text"), turn("m2"), turn("m3"), turn("m3", "twice")];
    const second = await threads.appendTurns({ namespace, threadId, turns });
    expect(second.ids.slice(0, 2)).toEqual(first.ids);
    expect(second.ids[3]).toBe(second.ids[2]);
    expect(second.version).toBeGreaterThan(first.version);
    expect(await contentsOf(threads, namespace)).toEqual(["m1", "m2", "m3"]);
    const again = await threads.appendTurns({ namespace, threadId, turns });
    expect(again).toMatchObject({ ids: second.ids, version: second.version });
    expect(again.commitSeq).toBe(second.commitSeq);
    expect(await memories.get(second.ids[2] as string)).toMatchObject({ externalId: "m3" });
    await threads.popTurn({ namespace, threadId });
    const { ids } = await threads.appendTurns({ namespace, threadId, turns: [turn("m3", "new")] });
    expect(second.ids).not.toContain(ids[0]);
    expect(await contentsOf(threads, namespace)).toEqual(["m1", "m2", "new"]);
  });

  it("ten writers that append the same messages at once store each of them once, in order", async ({
    memories: { namespace },
    threads,
  }) => {
    const messages = ["one", "two", "three", "four", "five"];
    const append = (at: number) =>
      threads.appendTurns({
        ...{ namespace, threadId },
        turns: messages.slice(0, 1 + (at % messages.length)).map((id) => turn(id)),
      });
    await Promise.all(Array.from({ length: 10 }, (_, at) => append(at)));
    expect(await contentsOf(threads, namespace)).toEqual(messages);
  });

  it("AppendTurns and ReplaceThread refuse the external_id of a memory that is no turn of the thread, and store nothing", async ({
    memories,
    threads,
  }) => {
    const { namespace } = memories;
    await memories.add("a note", { externalId: "note", threadId });
    await threads.appendTurns({ namespace, threadId: "other", turns: [turn("m1")] });
    await threads.appendTurns({ namespace, threadId, turns: [turn("own", "old")] });
    for (const taken of ["note", "m1"])
      for (const call of [threads.appendTurns, threads.replaceThread])
        expect(
          await failureOf(call({ namespace, threadId, turns: [turn("new"), turn(taken)] })),
        ).toMatchObject({
          code: "ALREADY_EXISTS",
          reason: "EXTERNAL_ID_IN_USE",
          fields: ["turns[1].external_id"],
        });
    expect(await contentsOf(threads, namespace)).toEqual(["old"]);
    const turns = [turn("own", "replaced")];
    await threads.replaceThread({ namespace, threadId, turns });
    expect(await contentsOf(threads, namespace)).toEqual(["replaced"]);
    await threads.forkThread({ namespace, threadId, newThreadId: "fork" });
    const { turns: copies } = await threads.getTurns({ namespace, threadId: "fork" });
    expect(copies[0]?.externalId).toBeUndefined();
  });
}
