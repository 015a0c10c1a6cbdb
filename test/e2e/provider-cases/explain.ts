import { expect } from "vitest";
import { failureOf } from "../harness/failure.js";
import type { MemoryTest } from "../harness/memory-test.js";
import type { NamespaceClient, SearchFields } from "../harness/namespace-client.js";

/** Cases of Explain. */
export function explainCases(it: MemoryTest): void {
  it("Explain follows a hit through all stages to its rank", async ({ memories }) => {
    const [tea = "", wine = ""] = await memories.addAll("Ada drinks tea", "Ada drinks red wine");
    const { hits } = await memories.search("red wine");
    const { stages, returned } = await explain(memories, "red wine", wine);
    expect(returned).toBe(true);
    expect(stages.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["filter", "keyword", "vector", "fused", "relevance", "packing"]),
    );
    expect(stages.map(({ droppedReason }) => droppedReason)).toEqual(stages.map(() => ""));
    expect(stages.at(-1)).toMatchObject({ name: "packing", rank: 1 });
    expect(stages.find(({ name }) => name === "relevance")?.score).toBe(hits[0]?.scores?.relevance);
    expect((await explain(memories, "red wine", tea)).returned).toBe(
      hits.some(({ memory }) => memory?.id === tea),
    );
  });

  it("ExplainSearch explains a search in one call, as Search and Explain do", async ({
    memories,
  }) => {
    const [tea = "", wine = ""] = await memories.addAll("Ada drinks tea", "Ada drinks red wine");
    const long = await memories.add("x".repeat(2000), { metadata: { note: "secret" } });
    const fields = { limit: 1, referenceTime: { seconds: 1_800_000_000n, nanos: 0 } };
    const whole = await memories.provider.explainSearch({
      search: { ...fields, namespace: memories.namespace, query: "red wine in May" },
      ids: [tea, long.id, "missing"],
      nearMisses: 0,
    });
    expect(whole.missingIds).toEqual(["missing"]);
    expect(whole.memories.map(({ memory }) => memory?.id)).toEqual([wine, tea, long.id]);
    expect(whole.memories.map(({ returned }) => returned)).toEqual([true, false, false]);
    expect(whole.memories.at(-1)?.memory).toMatchObject({ content: "x".repeat(500) });
    expect(whole.memories.at(-1)?.memory?.metadata).toBeUndefined();
    expect(whole.reading?.terms.map(({ term }) => term)).toContain("wine");
    expect(whole.reading?.dates).toMatchObject([
      { firstDay: "05-01", lastDay: "05-31", everyYear: true },
    ]);
    expect(whole.stages.map(({ name }) => name)).toEqual([
      ...["filter", "keyword", "vector", "relevance", "packing"],
    ]);
    expect(whole.summary).toMatchObject({ returned: 1 });
    const one = await explain(memories, "red wine in May", wine, fields);
    expect(whole.memories[0]?.stages).toEqual(one.stages);
  });

  it("Explain ends with the stage that dropped the memory, and gives the reason", async ({
    memories,
  }) => {
    const { id: rome } = await memories.add("Ada lives in Rome");
    const { id: oslo } = await memories.add("Ada lives in Oslo", { supersedes: rome });
    const { id: copy } = await memories.add("Ada lives in OSLO!", { importance: 0 });
    const { id: weak } = await memories.add("Ada sings");
    const dropOf = async (id: string, fields: SearchFields = {}) => {
      const { stages, returned } = await explain(memories, "Ada lives in Oslo", id, fields);
      const last = stages.at(-1);
      expect(returned).toBe(false);
      expect(stages.slice(0, -1).filter(({ droppedReason }) => droppedReason !== "")).toEqual([]);
      expect(last?.droppedReason).not.toBe("");
      expect(last?.rank).toBeUndefined();
      return last?.name;
    };
    expect(await dropOf(rome)).toBe("filter");
    expect(await dropOf(oslo, { filter: { tagsAny: ["work"] } })).toBe("filter");
    expect(await dropOf(weak, { minRelevance: 1 })).toBe("relevance");
    const gated = { minRelevance: 0, gate: 1 };
    const zebra = await explain(memories, "Ada and a zebra", weak, gated);
    expect(zebra.stages.at(-1)?.name).toBe("gate");
    expect(await dropOf(copy)).toBe("packing");
    expect(await dropOf(weak, { limit: 1 })).toBe("packing");
    expect(await dropOf(weak, { budgetTokens: 5 })).toBe("packing");
  });

  it("Explain answers NOT_FOUND for an unknown id", async ({ memories }) => {
    await memories.add("Ada drinks tea");
    const failure = await failureOf(explain(memories, "tea", "no such id"));
    expect(failure).toMatchObject({ code: "NOT_FOUND", reason: "MEMORY_NOT_FOUND" });
  });
}

async function explain(
  { provider, namespace }: NamespaceClient,
  query: string,
  id: string,
  fields: SearchFields = {},
) {
  return provider.explain({ search: { ...fields, namespace, query }, id });
}
