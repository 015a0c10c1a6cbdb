import { expect } from "vitest";
import { failureOf } from "../harness/failure.js";
import type { MemoryTest } from "../harness/memory-test.js";

const reused = {
  code: "INVALID_ARGUMENT",
  reason: "IDEMPOTENCY_KEY_REUSED",
  fields: ["idempotency_key"],
};

/** Cases of calls repeated with the same idempotency key. */
export function idempotencyCases(it: MemoryTest): void {
  it("a repeated Add gets the first reply, and one memory is stored", async ({ memories }) => {
    const fields = { idempotencyKey: "key", metadata: { b: 1, a: [2] }, tags: ["x"] };
    const first = await memories.add("once", fields);
    await memories.add("in between");
    expect(await memories.add("once", fields)).toEqual(first);
    expect(await memories.add("once", { ...fields, metadata: { a: [2], b: 1 } })).toEqual(first);
    expect(await failureOf(memories.add("twice", fields))).toMatchObject(reused);
    expect(await failureOf(memories.add("once", { ...fields, tags: [] }))).toMatchObject(reused);
    expect(await memories.contents()).toEqual(["in between", "once"]);
  });

  it("many concurrent Adds with one idempotency key store one memory, and all get the memory's id", async ({
    memories,
  }) => {
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => memories.add("once", { idempotencyKey: "key" })),
    );
    expect(new Set(replies.map(({ id }) => id)).size).toBe(1);
    expect(await memories.list()).toHaveLength(1);
  });

  it("different agents and RPCs can use the same idempotency key", async ({
    memories,
    namespaceOf,
  }) => {
    const other = namespaceOf({ agentId: "another" });
    const { id } = await memories.add("of the first agent", { idempotencyKey: "key" });
    await other.add("of the other agent", { idempotencyKey: "key" });
    await memories.update(id, { kind: "a" }, { idempotencyKey: "key" });
    expect(await memories.contents()).toEqual(["of the first agent"]);
    expect(await other.contents()).toEqual(["of the other agent"]);
  });

  it("a repeated AddTrace gets the first reply", async ({ memories }) => {
    const trace = {
      ...memories.namespace,
      workflowId: "wf",
      traceData: { a: 1 },
      idempotencyKey: "key",
    };
    const first = await memories.provider.addTrace(trace);
    expect(await memories.provider.addTrace(trace)).toEqual(first);
    expect(
      await failureOf(memories.provider.addTrace({ ...trace, workflowId: "other" })),
    ).toMatchObject(reused);
    expect(await memories.list()).toHaveLength(1);
  });

  it("a repeated Update changes nothing, and names the version that the first call made", async ({
    memories,
  }) => {
    const { id } = await memories.add("Red wine");
    const first = await memories.update(id, { kind: "a" }, { idempotencyKey: "key" });
    await memories.update(id, { kind: "b" });
    expect(first.replayedVersion).toBeUndefined();
    const again = await memories.update(id, { kind: "a" }, { idempotencyKey: "key" });
    expect(again).toMatchObject({ commitSeq: first.commitSeq, replayedVersion: 2n });
    expect(again.memory).toMatchObject({ kind: "b", version: 3n });
    expect(
      await failureOf(memories.update(id, { kind: "c" }, { idempotencyKey: "key" })),
    ).toMatchObject(reused);
    expect(await memories.get(id)).toMatchObject({ kind: "b", version: 3n });
  });

  it("a repeated Delete returns true again", async ({ memories }) => {
    const { id } = await memories.add("gone");
    expect(await memories.delete(id, "key")).toBe(true);
    expect(await memories.delete(id, "key")).toBe(true);
    expect(await memories.delete(id)).toBe(false);
    expect(await failureOf(memories.delete("other id", "key"))).toMatchObject(reused);
  });

  it("a repeated DeleteWhere gets the first reply, and keeps later memories", async ({
    memories,
  }) => {
    await memories.add("old", { tags: ["x"] });
    const request = { filter: { tagsAny: ["x"] }, idempotencyKey: "key" };
    const first = await memories.deleteWhere(request);
    await memories.add("new", { tags: ["x"] });
    expect(await memories.deleteWhere(request)).toEqual(first);
    expect(
      await failureOf(memories.deleteWhere({ ...request, filter: { tagsAny: ["y"] } })),
    ).toMatchObject(reused);
    expect(await memories.contents()).toEqual(["new"]);
  });

  it("a repeated Reset gets the first reply, and keeps later memories", async ({
    memories,
    namespaceOf,
  }) => {
    await memories.add("old");
    expect(await memories.reset("key")).toBe(1n);
    await memories.add("new");
    expect(await memories.reset("key")).toBe(1n);
    expect(await memories.contents()).toEqual(["new"]);
    expect(await namespaceOf({ agentId: "another" }).reset("key")).toBe(0n);
  });

  it("an Add repeated after the memory was deleted stores it again", async ({ memories }) => {
    const key = { idempotencyKey: "key" };
    const first = await memories.add("again", key);
    await memories.delete(first.id);
    const second = await memories.add("again", key);
    expect((await memories.list()).map(({ id }) => id)).toEqual([second.id]);
    await memories.reset();
    const third = await memories.add("again", key);
    expect(new Set([first.id, second.id, third.id]).size).toBe(3);
    await memories.expire(third.id);
    const fourth = await memories.add("again", key);
    expect(await memories.contents()).toEqual(["again"]);
    expect(await memories.add("again", key)).toEqual(fourth);
  });

  it("different RPCs and different users can use the same idempotency key", async ({
    memories,
    namespaceOf,
  }) => {
    const other = namespaceOf({ userId: "another" });
    const { id } = await memories.add("mine", { idempotencyKey: "key" });
    const theirs = await other.add("mine", { idempotencyKey: "key" });
    expect(theirs.id).not.toBe(id);
    expect(
      (await memories.update(id, { kind: "x" }, { idempotencyKey: "key" })).memory?.version,
    ).toBe(2n);
    expect(await memories.delete(id, "key")).toBe(true);
    expect(await other.contents()).toEqual(["mine"]);
  });

  it("a caller can use the idempotency key of a failed call again", async ({ memories }) => {
    const { id } = await memories.add("Rome");
    expect(
      (await failureOf(memories.add("Paris", { supersedes: "no such id", idempotencyKey: "key" })))
        .code,
    ).toBe("NOT_FOUND");
    await memories.add("Paris", { supersedes: id, idempotencyKey: "key" });
    expect(await memories.contents()).toEqual(["Paris"]);
  });
}
