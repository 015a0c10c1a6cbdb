import { timestampDate, timestampFromDate, timestampMs } from "@bufbuild/protobuf/wkt";
import { expect } from "vitest";
import { MemoryStatus, MemoryType } from "#gen/vademecum/v1/memory_pb.js";
import { isFullSuite } from "../../suite.js";
import type { MemoryTest } from "../harness/memory-test.js";

/** Cases of Add. */
export function addCases(it: MemoryTest): void {
  it("a search, a listing and Get find a memory as soon as Add has answered", async ({
    memories,
  }) => {
    const { id } = await memories.add("p53 suppresses tumours");
    expect((await memories.search("p53")).hits.map(({ memory }) => memory?.id)).toEqual([id]);
    expect((await memories.list()).map((memory) => memory.id)).toEqual([id]);
    expect((await memories.get(id)).content).toBe("p53 suppresses tumours");
  });

  it("Get returns a memory exactly as it was added", async ({ memories }) => {
    const eventTime = { seconds: -62_000_000_000n, nanos: 123_456_789 };
    const expireTime = { seconds: 7_000_000_000n, nanos: 1 };
    const metadata = {
      source: { page: 7, checked: true },
      ratio: 0.1,
      list: [1, "1", null, false, [], {}],
      nothing: null,
      "": "empty key",
    };
    const fields = {
      memoryType: MemoryType.SEMANTIC,
      kind: "preference",
      tags: ["wine", "food", "wine"],
      importance: 0.875,
      status: MemoryStatus.RESOLVED,
      restricted: true,
      source: "chat",
      author: "Ada",
      threadId: "dinner",
      metadata,
      eventTime,
      expireTime,
    };
    const content = "  Prefers *red* wine\r\n\tand says so.\n\n";
    const { id } = await memories.add(content, fields);
    const memory = await memories.get(id);
    expect(memory).toMatchObject({
      ...fields,
      id,
      content,
      tags: ["wine", "food"],
      namespace: { ...memories.namespace },
      version: 1n,
    });
    expect(memory.metadata).toEqual(metadata);
    expect((await memories.list())[0]).toEqual(memory);
    expect((await memories.search("wine")).hits[0]?.memory).toEqual(memory);
  });

  it("Add sets missing fields to the documented defaults", async ({ memories }) => {
    const { id } = await memories.add("Only a text");
    const memory = await memories.get(id);
    expect(memory).toMatchObject({
      memoryType: MemoryType.EPISODIC,
      kind: "",
      tags: [],
      importance: 0.5,
      source: "",
      status: MemoryStatus.ACTIVE,
      restricted: false,
      version: 1n,
    });
    const absent = [
      memory.author,
      memory.threadId,
      memory.eventTime,
      memory.expireTime,
      memory.lastUsedTime,
      memory.supersedes,
    ];
    expect(absent).toEqual(absent.map(() => undefined));
    expect(memory.supersededBy).toBeUndefined();
    expect(memory.updateTime).toEqual(memory.createTime);
  });

  it("Add distinguishes an importance of 0 and empty metadata from missing fields", async ({
    memories,
  }) => {
    const { id } = await memories.add("Trivial", { importance: 0, metadata: {} });
    const memory = await memories.get(id);
    expect(memory.importance).toBe(0);
    expect(memory.metadata ?? {}).toEqual({});
  });

  it("Add counts the tokens of a content exactly, and special tokens as plain text", async ({
    memories,
  }) => {
    const { id: plain } = await memories.add("The user prefers red wine");
    const { id: special } = await memories.add("<|endoftext|> and <|im_start|>");
    expect((await memories.get(plain)).tokenCount).toBe(5);
    const memory = await memories.get(special);
    expect(memory.content).toBe("<|endoftext|> and <|im_start|>");
    expect(memory.tokenCount).toBeGreaterThan(8);
    expect((await memories.search("endoftext")).hits).toHaveLength(1);
  });

  it("create_time and commit_seq never decrease within a user, and ids are ordered by time", async ({
    memories,
    namespaceOf,
  }) => {
    const other = namespaceOf({ agentId: "second agent" });
    const first = await memories.add("one");
    const second = await other.add("two");
    const third = await memories.add("three");
    expect(second.commitSeq).toBeGreaterThan(first.commitSeq);
    expect(third.commitSeq).toBeGreaterThan(second.commitSeq);
    const times = [
      await memories.get(first.id),
      await other.get(second.id),
      await memories.get(third.id),
    ].map(({ createTime }) => timestampMs(createTime ?? timestampFromDate(new Date(0))));
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect([first.id, second.id, third.id].toSorted()).toEqual([first.id, second.id, third.id]);
    expect(first.id).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  });

  it("Add stores a memory and reports up to three near-duplicates, best first", async ({
    memories,
  }) => {
    const text = "The quarterly budget meeting was moved to Thursday at three";
    const ids = await memories.addAll(text, text, text, text);
    await memories.addAll("Ducks can swim");
    const { id, nearDuplicates } = await memories.add(text);
    expect(nearDuplicates).toHaveLength(3);
    expect(ids).toEqual(expect.arrayContaining(nearDuplicates.map((near) => near.id)));
    for (const { relevance } of nearDuplicates) expect(relevance).toBeGreaterThanOrEqual(0.9);
    const relevances = nearDuplicates.map(({ relevance }) => relevance);
    expect(relevances).toEqual(relevances.toSorted((a, b) => b - a));
    expect((await memories.get(id)).content).toBe(text);
  });

  it("a memory with the opposite meaning, or with another number, sign or name, is no near-duplicate", async ({
    namespaceOf,
  }) => {
    const pairs = [
      ["The API is up", "The API is down"],
      ["User likes tea", "User does not like tea"],
      ["The rent is 1200 euros", "The rent is 1300 euros"],
      ["Flight BA117 to Oslo is late", "Flight BA118 to Oslo is late"],
      ["The freezer must be at 5 degrees", "The freezer must be at -5 degrees"],
      ["Tom owes Ada 50 euros", "Ada owes Tom 50 euros"],
      ["Ada writes C++", "Ada writes C#"],
      ["The doctor has called", "The doctor has called Eve"],
    ] as const;
    for (const [at, [one, other]] of pairs.entries()) {
      const orders = [
        [one, other],
        [other, one],
      ] as const;
      for (const [first, second] of orders) {
        const memories = namespaceOf({ agentId: `${at} ${first}` });
        await memories.add(first);
        expect((await memories.add(second)).nearDuplicates).toEqual([]);
      }
    }
  });

  it("Add reports a copy of a long text among short memories", async ({ memories }) => {
    await memories.addAll(...Array.from({ length: 200 }, (_, at) => `Ada bought ${at} lemons`));
    const text = Array.from({ length: 1_000 }, (_, at) => `the boat ${at}a carries wood`).join(
      "; ",
    );
    const first = await memories.add(text);
    expect((await memories.add(text)).nearDuplicates).toMatchObject([{ id: first.id }]);
  });

  it.runIf(isFullSuite)(
    "Add reports a near-duplicate even among more relevant memories",
    async ({ memories }) => {
      const numbers = Array.from(
        { length: 300 },
        (_, at) => `The quarterly meeting is in room ${at}`,
      );
      await memories.addAll(...numbers);
      const { nearDuplicates } = await memories.add("the quarterly meeting is in room 7.");
      expect(nearDuplicates).toHaveLength(1);
      const [near] = nearDuplicates;
      expect((await memories.get(near?.id ?? "")).content).toBe(numbers[7]);
    },
  );

  it("Add keeps an event_time in the far past or future", async ({ memories }) => {
    const past = new Date("0001-01-01T00:00:00Z");
    const future = new Date("9999-12-31T23:59:59.999Z");
    for (const date of [past, future]) {
      const { id } = await memories.add(`It is ${date.toISOString()}`, {
        eventTime: timestampFromDate(date),
      });
      const { eventTime } = await memories.get(id);
      expect(eventTime && timestampDate(eventTime)).toEqual(date);
    }
  });
}
