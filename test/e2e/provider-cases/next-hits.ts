import { expect } from "vitest";
import { NearCopies } from "#gen/vademecum/v1/search_pb.js";
import { failureOf } from "../harness/failure.js";
import type { MemoryTest } from "../harness/memory-test.js";

/** Cases of searches for the next hits, for copies, and for the nearest vectors. */
export function nextHitCases(it: MemoryTest): void {
  it("three pages of ten hits under a budget hold thirty different memories", async ({
    memories,
  }) => {
    for (let i = 0; i < 40; i++)
      await memories.add(`The user bought wine number ${i} in shop ${i}`);
    const seen: string[] = [];
    for (let page = 0; page < 3; page++) {
      const { hits, summary } = await memories.search("which wine did the user buy?", {
        ...{ limit: 10, budgetTokens: 2_000, excludeIds: seen },
      });
      expect(hits).toHaveLength(10);
      expect(summary.totalMatches).toBe(BigInt(40 - seen.length));
      seen.push(...hits.map(({ memory }) => memory?.id ?? ""));
      await memories.add(`The user bought a better wine on page ${page}`);
      await memories.delete((await memories.page({ limit: 1 })).memories[0]?.id ?? "");
    }
    expect(new Set(seen).size).toBe(30);
    const { hits } = await memories.recall("wine", { excludeIds: seen, limit: 1000 });
    expect(hits).toHaveLength(10);
    const all = await memories.search("", { excludeIds: [...seen, "no such id"], limit: 1000 });
    expect(all.hits).toHaveLength(10);
    const tooMany = memories.search("x", {
      excludeIds: Array.from({ length: 1_001 }, (_, i) => `${i}`),
    });
    expect(await failureOf(tooMany)).toMatchObject({ fields: ["exclude_ids"] });
  });

  it("NEAR_COPIES_KEEP returns three equal texts as three hits", async ({ memories }) => {
    await memories.addAll("The user likes tea", "The user likes tea", "The user likes tea");
    const search = (nearCopies: NearCopies) => memories.search("tea", { limit: 10, nearCopies });
    expect((await search(NearCopies.UNSPECIFIED)).hits).toHaveLength(1);
    expect((await search(NearCopies.OMIT)).hits).toHaveLength(1);
    const kept = await search(NearCopies.KEEP);
    expect([kept.hits.length, kept.summary.omitted]).toEqual([3, []]);
  });

  it("a query by vector alone without a minimum returns the nearest, whatever the sign of the cosine", async ({
    memories,
  }) => {
    const vectors = { same: [1, 0], near: [0.9, 0.4], across: [0, 1], behind: [-0.4, 0.9] };
    const old = { importance: 0 };
    for (const [content, embedding] of Object.entries(vectors))
      await memories.add(content, { embedding, ...old });
    await memories.add("opposite", { embedding: [-1, 0], importance: 1 });
    await memories.add("without a vector");
    const query = { queryEmbedding: [1, 0], minRelevance: 0 };
    const order = ["same", "near", "across", "behind", "opposite"];
    expect((await memories.search("", { ...query, limit: 10 })).contents).toEqual(order);
    expect((await memories.search("", { ...query, limit: 4 })).contents).toEqual(order.slice(0, 4));
    const far = await memories.search("", { ...query, queryEmbedding: [0, -1], limit: 10 });
    expect(far.contents).toHaveLength(5);
    expect(far.contents[0]).toMatch(/same|opposite/);
    expect(
      (await memories.search("", { queryEmbedding: [0, -1], minRelevance: 0.1 })).contents,
    ).toEqual([]);
  });
}
