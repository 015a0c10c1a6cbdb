import { expect } from "vitest";
import { OmissionReason, SearchOrder } from "#gen/vademecum/v1/search_pb.js";
import { failureOf } from "../harness/failure.js";
import type { MemoryTest } from "../harness/memory-test.js";

/** Cases of callers' vectors. */
export function vectorCases(it: MemoryTest): void {
  it("a namespace with callers' vectors ranks by these vectors", async ({ memories }) => {
    await memories.add("alpha", { embedding: [1, 0] });
    await memories.add("beta", { embedding: [3, 4] });
    await memories.add("gamma", { embedding: [0, 1] });
    const ranked = await memories.search("unheard", { queryEmbedding: [0.6, 0.8] });
    expect(ranked.contents).toEqual(["beta", "gamma", "alpha"]);
    expect(ranked.hits[0]?.scores?.vector).toBeCloseTo(1, 2);
    expect(ranked.hits[0]?.scores?.relevance).toBe(1);
    expect(ranked.hits[1]?.scores?.vector).toBeCloseTo(0.8, 2);
  });

  it("a search ranks by the vector alone if the query is empty or white space", async ({
    memories,
  }) => {
    await memories.add("alpha", { embedding: [1, 0] });
    await memories.add("beta", { embedding: [3, 4] });
    await memories.add("gamma", { embedding: [0, 1] });
    await memories.add("Beta!", { embedding: [3, 4], importance: 0 });
    await memories.add("opposite", { embedding: [-1, -1] });
    const queryEmbedding = [0.6, 0.8];
    for (const query of ["", "  \n\t\u3000"]) {
      const { contents, hits, summary } = await memories.search(query, { queryEmbedding });
      expect(contents).toEqual(["beta", "gamma", "alpha"]);
      const relevances = hits.map(({ scores }) => scores?.relevance ?? 0);
      expect(relevances).toEqual(relevances.toSorted((a, b) => b - a));
      expect(Math.min(...relevances)).toBeGreaterThan(0);
      expect(relevances[0]).toBe(1);
      expect(relevances[1]).toBeLessThan(1);
      expect(hits[0]?.scores?.vector).toBeCloseTo(1, 2);
      expect(summary).toMatchObject({
        totalMatches: 4n,
        omitted: [{ reason: OmissionReason.NEAR_COPY }],
      });
      const [best, second] = relevances as [number, number];
      const above = { queryEmbedding, minRelevance: (best + second) / 2 };
      expect((await memories.search(query, above)).contents).toEqual(["beta"]);
      const newest = { queryEmbedding, order: SearchOrder.NEWEST_FIRST };
      expect((await memories.search(query, newest)).contents).toEqual(["Beta!", "gamma", "alpha"]);
      expect((await memories.recall(query, { queryEmbedding, limit: 1 })).text).toBe("- beta");
      const [, gamma] = hits;
      const { provider, namespace } = memories;
      const search = { namespace, query, queryEmbedding };
      const explained = await provider.explain({ search, id: gamma?.memory?.id ?? "" });
      expect(explained.returned).toBe(true);
      expect(explained.stages.find(({ name }) => name === "vector")?.rank).toBe(3);
    }
  });

  it("a memory with the query's own vector has the relevance 1", async ({ memories }) => {
    const text =
      "The ferry to the island runs only in summer, and the captain sells tickets aboard";
    await memories.add(text);
    await memories.addAll(...Array.from({ length: 20 }, (_, i) => `ferry ${i}`));
    const { hits } = await memories.search(text);
    expect(hits[0]).toMatchObject({ memory: { content: text }, scores: { relevance: 1 } });
  });

  it("a query with only a vector matches nothing if no memory has a vector", async ({
    memories,
  }) => {
    expect((await memories.search("", { queryEmbedding: [1, 0] })).hits).toEqual([]);
    await memories.add("alpha", { embedding: [1, 0] });
    const { id } = await memories.add("beta");
    await memories.update(id, { content: "omega" });
    expect((await memories.search("", { queryEmbedding: [1, 0] })).contents).toEqual(["alpha"]);
  });

  it("a query of white space counts as empty", async ({ memories }) => {
    await memories.addAll("first", "second");
    const { contents, hits } = await memories.search(" \n");
    expect(contents).toEqual(["second", "first"]);
    expect(hits.map(({ scores }) => scores?.relevance)).toEqual([0, 0]);
  });

  it("words find a memory without a vector in a namespace with callers' vectors", async ({
    memories,
  }) => {
    await memories.add("alpha particles", { embedding: [1, 0] });
    await memories.add("beta particles");
    expect((await memories.search("beta")).contents[0]).toBe("beta particles");
    expect((await memories.search("beta", { queryEmbedding: [1, 0] })).contents).toContain(
      "beta particles",
    );
  });

  it("the first vector sets the dimension of a namespace, and other dimensions are refused", async ({
    memories,
  }) => {
    const { id } = await memories.add("alpha", { embedding: [1, 0, 0] });
    const refusal = { code: "INVALID_ARGUMENT", reason: "EMBEDDING_DIMENSION_MISMATCH" };
    const embedding = [1, 0];
    expect(await failureOf(memories.add("beta", { embedding }))).toMatchObject({
      ...refusal,
      fields: ["embedding"],
    });
    expect(await failureOf(memories.update(id, { embedding }))).toMatchObject(refusal);
    const search = await failureOf(memories.search("alpha", { queryEmbedding: embedding }));
    expect(search).toMatchObject({ ...refusal, fields: ["query_embedding"] });
    expect(await memories.contents()).toEqual(["alpha"]);
  });

  it("a caller's vector is refused in a namespace with the server's vectors", async ({
    memories,
    namespaceOf,
  }) => {
    await memories.add("The server makes the vectors here");
    const refusal = { code: "FAILED_PRECONDITION", reason: "EMBEDDING_MODEL_MISMATCH" };
    const embedding = [1, 0];
    expect(await failureOf(memories.add("alpha", { embedding }))).toMatchObject({
      ...refusal,
      fields: ["embedding"],
    });
    const search = await failureOf(memories.search("alpha", { queryEmbedding: embedding }));
    expect(search).toMatchObject({ ...refusal, fields: ["query_embedding"] });
    // Another namespace of the same user may hold other vectors.
    await namespaceOf({ agentId: "another" }).add("alpha", { embedding });
  });

  it("a vector of zeros is refused", async ({ memories }) => {
    const zeros = [0, 0, 0];
    expect(await failureOf(memories.add("alpha", { embedding: zeros }))).toMatchObject({
      code: "INVALID_ARGUMENT",
      fields: ["embedding"],
    });
    expect(await failureOf(memories.search("alpha", { queryEmbedding: zeros }))).toMatchObject({
      code: "INVALID_ARGUMENT",
      fields: ["query_embedding"],
    });
    expect(await memories.list()).toEqual([]);
  });

  it("Update replaces the vector of a memory, and removes it if the text changes", async ({
    memories,
  }) => {
    const { id } = await memories.add("alpha", { embedding: [1, 0] });
    await memories.update(id, { embedding: [0, 1] });
    const vectorScore = async () =>
      (await memories.search("alpha", { queryEmbedding: [0, 1] })).hits[0]?.scores?.vector;
    expect(await vectorScore()).toBeCloseTo(1, 2);
    await memories.update(id, { content: "alpha and omega" });
    expect(await vectorScore()).toBe(0);
  });

  it("vectors may have 1 to 4,096 numbers, even very small or very large numbers", async ({
    memories,
    namespaceOf,
  }) => {
    const long = Array.from({ length: 4096 }, (_, i) => Math.sin(i));
    await memories.add("long", { embedding: long });
    expect(
      (await memories.search("x", { queryEmbedding: long })).hits[0]?.scores?.vector,
    ).toBeCloseTo(1, 2);
    const short = namespaceOf({ agentId: "short" });
    for (const [i, length] of [1e-38, 1, 3e38].entries())
      await short.add(`number ${i}`, { embedding: [length] });
    const { hits } = await short.search("x", { queryEmbedding: [2] });
    expect(hits).toHaveLength(3);
    for (const { scores } of hits) expect(scores?.vector).toBeCloseTo(1, 2);
  });
}
