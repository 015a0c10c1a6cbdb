import { expect } from "vitest";
import { failureOf } from "../harness/failure.js";
import type { MemoryTest } from "../harness/memory-test.js";

/** Cases of Delete, DeleteWhere and Reset. */
export function deleteCases(it: MemoryTest): void {
  it("Delete deletes a memory, and returns false the second time", async ({ memories }) => {
    const { id } = await memories.add("The user prefers red wine");
    await memories.add("The user prefers tea");
    expect(await memories.delete(id)).toBe(true);
    expect(await memories.delete(id)).toBe(false);
    expect((await memories.search("red wine", { limit: 10 })).contents).not.toContain(
      "The user prefers red wine",
    );
    expect(await memories.contents()).toEqual(["The user prefers tea"]);
    expect(await failureOf(memories.get(id))).toMatchObject({ code: "NOT_FOUND" });
  });

  it("Delete with an id of another namespace returns false and deletes nothing", async ({
    memories,
    namespaceOf,
  }) => {
    const other = namespaceOf({ agentId: "another" });
    const { id } = await other.add("kept");
    expect(await memories.delete(id)).toBe(false);
    expect(await memories.delete("no such id")).toBe(false);
    expect(await other.contents()).toEqual(["kept"]);
  });

  it("exactly one of many concurrent Deletes of a memory returns true", async ({ memories }) => {
    const { id } = await memories.add("once");
    const replies = await Promise.all(Array.from({ length: 10 }, () => memories.delete(id)));
    expect(replies.filter(Boolean)).toHaveLength(1);
  });

  it("DeleteWhere deletes the memories that match a filter, even superseded and expired ones", async ({
    memories,
  }) => {
    const { id } = await memories.add("old", { tags: ["x"] });
    await memories.add("new", { supersedes: id, tags: ["x"] });
    const { id: expired } = await memories.add("expired", { tags: ["x"] });
    await memories.expire(expired);
    await memories.add("kept", { tags: ["y"] });
    const { deleted, sampleIds } = await memories.deleteWhere({ filter: { tagsAny: ["x"] } });
    expect(deleted).toBe(3n);
    expect(sampleIds).toHaveLength(3);
    expect(await memories.contents({ includeSuperseded: true })).toEqual(["kept"]);
    for (const query of ["old", "new", "expired"])
      expect((await memories.search(query)).contents).not.toContain(query);
  });

  it("DeleteWhere with dry_run counts the matches, lists the ten newest, and deletes nothing", async ({
    memories,
  }) => {
    const ids = await memories.addAll(...Array.from({ length: 15 }, (_, i) => `memory ${i}`));
    const filter = { contentContains: "MEMORY" };
    const dry = await memories.deleteWhere({ filter, dryRun: true, idempotencyKey: "key" });
    expect(dry).toMatchObject({ deleted: 15n, sampleIds: ids.toReversed().slice(0, 10) });
    expect(await memories.list()).toHaveLength(15);
    const real = await memories.deleteWhere({ filter, idempotencyKey: "key" });
    expect(real).toMatchObject({ deleted: 15n, sampleIds: dry.sampleIds });
    expect(await memories.list()).toEqual([]);
  });

  it("DeleteWhere without a condition is refused", async ({ memories }) => {
    await memories.add("kept");
    for (const filter of [{}, { metadata: {} }, { tagsAny: [] }, { timeRange: {} }]) {
      const failure = await failureOf(memories.deleteWhere({ filter }));
      expect(failure).toMatchObject({
        code: "INVALID_ARGUMENT",
        reason: "EMPTY_FILTER",
        fields: ["filter"],
      });
    }
    expect(await failureOf(memories.deleteWhere({}))).toMatchObject({
      code: "INVALID_ARGUMENT",
      fields: ["filter"],
    });
    expect(await memories.contents()).toEqual(["kept"]);
  });

  it("Reset empties only the given namespace", async ({ memories, namespaceOf }) => {
    const other = namespaceOf({ agentId: "another" });
    const { id } = await memories.add("first");
    await memories.add("second", { supersedes: id });
    await other.add("kept");
    expect(await memories.reset()).toBe(2n);
    expect(await memories.page()).toMatchObject({ memories: [], nextPageToken: "" });
    expect((await memories.search("")).summary.totalMatches).toBe(0n);
    expect((await memories.search("first second")).summary.totalMatches).toBe(0n);
    expect(await memories.reset()).toBe(0n);
    expect(await other.contents()).toEqual(["kept"]);
  });

  it("ids are never reused after a Reset, and commit_seq never decreases", async ({ memories }) => {
    const before = await memories.add("before");
    await memories.reset();
    const after = await memories.add("after");
    expect(after.id > before.id).toBe(true);
    expect(after.commitSeq).toBeGreaterThan(before.commitSeq);
    expect(await failureOf(memories.get(before.id))).toMatchObject({ code: "NOT_FOUND" });
    expect(await memories.contents()).toEqual(["after"]);
  });

  it("Reset of everything is refused without the option that allows it", async ({ memories }) => {
    await memories.add("kept");
    const failure = await failureOf(
      memories.provider.reset({ target: { case: "everything", value: true } }),
    );
    expect(failure).toMatchObject({
      code: "PERMISSION_DENIED",
      message: expect.stringContaining("--allow-reset") as unknown,
    });
    expect(await memories.contents()).toEqual(["kept"]);
  });
}
