import { expect } from "vitest";
import { MemoryStatus, MemoryType } from "#gen/vademecum/v1/memory_pb.js";
import { failureOf } from "../harness/failure.js";
import type { MemoryTest } from "../harness/memory-test.js";

const full = {
  memoryType: MemoryType.SEMANTIC,
  kind: "preference",
  tags: ["wine"],
  importance: 0.9,
  status: MemoryStatus.RESOLVED,
  restricted: true,
  source: "chat",
  author: "Ada",
  threadId: "dinner",
  metadata: { a: 1 },
  eventTime: { seconds: 1_600_000_000n, nanos: 0 },
  expireTime: { seconds: 7_000_000_000n, nanos: 0 },
};

/** Cases of Update. */
export function updateCases(it: MemoryTest): void {
  it("Update without a mask replaces the fields that are set", async ({ memories }) => {
    const { id } = await memories.add("Red wine", full);
    const before = await memories.get(id);
    const { memory, commitSeq } = await memories.update(id, {
      importance: 0,
      tags: ["beer", "beer"],
      restricted: false,
    });
    expect(memory).toMatchObject({
      ...full,
      importance: 0,
      tags: ["beer"],
      restricted: false,
      version: 2n,
      content: "Red wine",
    });
    expect(memory?.createTime).toEqual(before.createTime);
    expect(await memories.get(id)).toEqual(memory);
    expect((await memories.search("")).summary.commitSeq).toBe(commitSeq);
  });

  it("Update gives a field its default if the mask names the field and the request does not set it", async ({
    memories,
  }) => {
    const { id } = await memories.add("Red wine", full);
    const paths = Object.keys(full).map((name) =>
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    );
    const { memory } = await memories.update(id, {}, { updateMask: { paths } });
    const { id: fresh } = await memories.add("Red wine");
    const { createTime, updateTime, version, id: _, ...defaults } = await memories.get(fresh);
    expect(memory).toMatchObject({ ...defaults, version: 2n });
    expect(
      memory?.eventTime ?? memory?.expireTime ?? memory?.metadata ?? memory?.author,
    ).toBeUndefined();
    expect([createTime, updateTime, version]).not.toContain(undefined);
  });

  it("Update ignores fields that the mask does not name", async ({ memories }) => {
    const { id } = await memories.add("Red wine", full);
    const { memory } = await memories.update(
      id,
      { kind: "fact", author: "Bob" },
      { updateMask: { paths: ["kind"] } },
    );
    expect(memory).toMatchObject({ ...full, kind: "fact" });
  });

  it("Update replaces metadata as a whole", async ({ memories }) => {
    const { id } = await memories.add("Red wine", { metadata: { a: 1, b: { c: 2 } } });
    expect((await memories.update(id, { metadata: { b: { d: 3 } } })).memory?.metadata).toEqual({
      b: { d: 3 },
    });
  });

  it("an updated memory is found only by its new text, and has a new token count", async ({
    memories,
  }) => {
    const { id } = await memories.add("The key is under the flowerpot");
    const { memory } = await memories.update(id, { content: "Hello world" });
    expect(memory).toMatchObject({ id, content: "Hello world", tokenCount: 2 });
    expect((await memories.search("hello world")).contents).toEqual(["Hello world"]);
    const { hits } = await memories.search("flowerpot");
    expect(hits.filter(({ scores }) => (scores?.keyword ?? 0) > 0)).toEqual([]);
  });

  it("Update with an expected version changes a memory only at that version", async ({
    memories,
  }) => {
    const { id } = await memories.add("Red wine");
    await memories.update(id, { kind: "first" }, { expectedVersion: 1n });
    const stale = await failureOf(memories.update(id, { kind: "second" }, { expectedVersion: 1n }));
    expect(stale).toMatchObject({
      code: "ABORTED",
      reason: "VERSION_MISMATCH",
      fields: ["expected_version"],
    });
    expect(await memories.get(id)).toMatchObject({ kind: "first", version: 2n });
  });

  it("only one of many concurrent updates with the same expected version is accepted", async ({
    memories,
  }) => {
    const { id } = await memories.add("Red wine");
    const updates = Array.from({ length: 10 }, (_, i) =>
      memories.update(id, { kind: `kind ${i}` }, { expectedVersion: 1n }),
    );
    const outcomes = await Promise.allSettled(updates);
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect((await memories.get(id)).version).toBe(2n);
  });

  it("all of many concurrent updates of different fields are applied", async ({ memories }) => {
    const { id } = await memories.add("Red wine");
    await Promise.all([
      memories.update(id, { kind: "fact" }),
      memories.update(id, { author: "Ada" }),
      memories.update(id, { source: "chat" }),
      memories.update(id, { content: "White wine" }),
    ]);
    expect(await memories.get(id)).toMatchObject({
      kind: "fact",
      author: "Ada",
      source: "chat",
      content: "White wine",
      version: 5n,
    });
  });

  it("a mask with an unknown name is refused, and so is a mask that clears the content", async ({
    memories,
  }) => {
    const { id } = await memories.add("Red wine");
    for (const path of ["colour", "id", "namespace.user_id", "metadata.a", "*"]) {
      const failure = await failureOf(
        memories.update(id, { kind: "x" }, { updateMask: { paths: [path] } }),
      );
      expect(failure, path).toMatchObject({
        code: "INVALID_ARGUMENT",
        fields: [expect.stringContaining("update_mask") as unknown],
      });
    }
    const cleared = await failureOf(
      memories.update(id, {}, { updateMask: { paths: ["content"] } }),
    );
    expect(cleared.code).toBe("INVALID_ARGUMENT");
    expect(await memories.get(id)).toMatchObject({ content: "Red wine", version: 1n });
  });

  it("an update without any field is refused, and the version stays", async ({ memories }) => {
    const { id } = await memories.add("Red wine", { kind: "fact" });
    for (const changes of [{}, { tags: [] }, { embedding: [] }]) {
      const failure = await failureOf(memories.update(id, changes));
      expect(failure).toMatchObject({
        code: "INVALID_ARGUMENT",
        reason: "INVALID_FIELD",
        fields: ["changes"],
      });
    }
    expect(await memories.get(id)).toMatchObject({ kind: "fact", version: 1n });
    await memories.update(id, {}, { updateMask: { paths: ["kind"] } });
    expect(await memories.get(id)).toMatchObject({ kind: "", version: 2n });
  });

  it("a mask of more than 32 paths is refused", async ({ memories }) => {
    const { id } = await memories.add("Red wine");
    const maskOf = (length: number) => ({
      updateMask: { paths: Array<string>(length).fill("kind") },
    });
    await memories.update(id, { kind: "fact" }, maskOf(32));
    for (const length of [33, 10_000]) {
      const failure = await failureOf(memories.update(id, { kind: "x" }, maskOf(length)));
      expect(failure).toMatchObject({
        code: "INVALID_ARGUMENT",
        reason: "INVALID_FIELD",
        fields: ["update_mask"],
      });
      expect(failure.message).toContain("at most 32");
    }
    expect(await memories.get(id)).toMatchObject({ kind: "fact", version: 2n });
  });

  it("Update answers NOT_FOUND for an unknown id", async ({ memories }) => {
    const failure = await failureOf(memories.update("no such id", { kind: "x" }));
    expect(failure).toMatchObject({ code: "NOT_FOUND", reason: "MEMORY_NOT_FOUND" });
  });
}
