import { expect } from "vitest";
import { failureOf } from "../harness/failure.js";
import type { MemoryTest } from "../harness/memory-test.js";

/** Cases of memories that replace others. */
export function supersessionCases(it: MemoryTest): void {
  it("a search returns only the newest memory of a chain of replacements, or all of them on request", async ({
    memories,
  }) => {
    const { id: rome } = await memories.add("Ada lives in Rome");
    const { id: paris } = await memories.add("Ada lives in Paris", { supersedes: rome });
    const { id: oslo } = await memories.add("Ada lives in Oslo", { supersedes: paris });
    const search = async (includeSuperseded: boolean) =>
      (await memories.search("Where does Ada live?", { includeSuperseded })).contents.toSorted();
    expect(await search(false)).toEqual(["Ada lives in Oslo"]);
    expect(await search(true)).toEqual([
      "Ada lives in Oslo",
      "Ada lives in Paris",
      "Ada lives in Rome",
    ]);
    expect(await memories.contents()).toEqual(["Ada lives in Oslo"]);
    expect(await memories.contents({ includeSuperseded: true })).toHaveLength(3);
    expect((await memories.search("")).summary.totalMatches).toBe(1n);
    expect(await memories.count()).toBe(1n);
    expect(await memories.get(rome)).toMatchObject({ supersededBy: paris, version: 2n });
    expect(await memories.get(paris)).toMatchObject({ supersedes: rome, supersededBy: oslo });
    expect(await memories.get(oslo)).toMatchObject({ supersedes: paris });
  });

  it("a memory is current again after Delete deletes its replacement", async ({ memories }) => {
    const { id: rome } = await memories.add("Ada lives in Rome");
    const { id: paris } = await memories.add("Ada lives in Paris", { supersedes: rome });
    const { id: oslo } = await memories.add("Ada lives in Oslo", { supersedes: paris });
    await memories.delete(oslo);
    expect(await memories.contents()).toEqual(["Ada lives in Paris"]);
    await memories.delete(paris);
    expect(await memories.contents()).toEqual(["Ada lives in Rome"]);
    expect((await memories.search("Where does Ada live?")).contents).toEqual(["Ada lives in Rome"]);
    expect((await memories.get(rome)).supersededBy).toBeUndefined();
  });

  it("a memory is current again after DeleteWhere deletes its replacement", async ({
    memories,
  }) => {
    const { id: rome } = await memories.add("Ada lives in Rome");
    await memories.add("Ada lives in Paris", { supersedes: rome, tags: ["wrong"] });
    await memories.deleteWhere({ filter: { tagsAny: ["wrong"] } });
    expect(await memories.contents()).toEqual(["Ada lives in Rome"]);
  });

  it("replacing a missing or already replaced memory is refused, and nothing is stored", async ({
    memories,
    namespaceOf,
  }) => {
    const { id: rome } = await memories.add("Ada lives in Rome");
    const { id: paris } = await memories.add("Ada lives in Paris", { supersedes: rome });
    const { id: foreign } = await namespaceOf({ agentId: "another" }).add("Bob lives in Rome");
    const twice = await failureOf(memories.add("Ada lives in Oslo", { supersedes: rome }));
    expect(twice).toMatchObject({
      code: "FAILED_PRECONDITION",
      reason: "ALREADY_SUPERSEDED",
      fields: ["supersedes"],
    });
    expect(twice.message).toContain(paris);
    for (const supersedes of ["no such id", foreign]) {
      const missing = await failureOf(memories.add("Ada lives in Oslo", { supersedes }));
      expect(missing).toMatchObject({
        code: "NOT_FOUND",
        reason: "MEMORY_NOT_FOUND",
        fields: ["supersedes"],
      });
    }
    expect(await memories.contents({ includeSuperseded: true })).toEqual([
      "Ada lives in Paris",
      "Ada lives in Rome",
    ]);
  });

  it("only one of many concurrent replacements of a memory is accepted", async ({ memories }) => {
    const { id: supersedes } = await memories.add("Ada lives in Rome");
    const adds = Array.from({ length: 10 }, (_, i) =>
      memories.add(`Ada lives at ${i}`, { supersedes }),
    );
    const outcomes = await Promise.allSettled(adds);
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await memories.contents()).toHaveLength(1);
  });

  it("Add does not report the replaced memory as a near-duplicate of its replacement", async ({
    memories,
  }) => {
    const { id: supersedes } = await memories.add("The user lives in Rome near the river");
    const { nearDuplicates } = await memories.add("The user lives in Rome near the river.", {
      supersedes,
    });
    expect(nearDuplicates).toEqual([]);
  });

  it("Add reports three near-duplicates even if the memory that it replaces is one of the best", async ({
    memories,
  }) => {
    const text = "The user lives in Rome near the river";
    const others = await memories.addAll(text, text, text);
    const { id: supersedes } = await memories.add(text);
    const { nearDuplicates } = await memories.add(text, { supersedes });
    expect(nearDuplicates.map(({ id }) => id).toSorted()).toEqual(others.toSorted());
  });
}
