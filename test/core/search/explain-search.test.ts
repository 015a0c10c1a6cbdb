import { expect, test } from "vitest";
import type { ExplainedMemory, SearchExplanation } from "../../../src/core/search/query/search.js";
import { addAll, call, createService, queryOf, secondsAt } from "./search-service.js";

const followed = { ids: [], nearMisses: 20 };

function idsOf({ memories }: SearchExplanation): readonly string[] {
  return memories.map(({ memory }) => memory.id);
}

function lastOf({ stages }: ExplainedMemory) {
  return stages.at(-1);
}

test("explainSearch gives each memory the stages that explain gives it, and the result of search", async () => {
  const service = await createService();
  await addAll(service, [
    { content: "The festival by the lake", author: "Mia" },
    { content: "The Festival, by the lake!", author: "Mia" },
    { content: "The festival on the hill, with music and food" },
    { content: "A boat on the lake" },
    { content: "Nothing of the kind" },
  ]);
  const query = queryOf("festival lake", { limit: 2, budgetTokens: 14 });
  const explained = await service.explainSearch(query, followed, call);
  const { hits, summary } = await service.search(query, call);
  expect(explained.result.hits).toEqual(hits);
  expect(explained.result.summary).toEqual(summary);
  for (const { memory, stages, returned } of explained.memories) {
    const one = await service.explain(query, memory.id, call);
    expect({ stages, returned }).toEqual({ stages: one.stages, returned: one.returned });
  }
});

test("explainSearch lists hits, omissions, near misses and asked memories, each once", async () => {
  const service = await createService();
  await addAll(service, [
    { content: "The festival by the lake" },
    { content: "The Festival, by the lake!" },
    { content: "The festival on the hill" },
    { content: "A concert of the choir" },
    { content: "An old rule", tags: ["x"] },
  ]);
  const query = queryOf("festival lake", { limit: 1, filter: { tagsAny: [] } });
  const all = await service.explainSearch(query, { ids: ["m4", "m9"], nearMisses: 1 }, call);
  expect(all.missingIds).toEqual(["m9"]);
  const [hit, miss, asked] = all.memories;
  expect(all.memories).toHaveLength(3);
  expect(hit?.returned).toBe(true);
  expect(miss && lastOf(miss)).toMatchObject({
    name: "packing",
    droppedReason: "limit 1 was reached before this match",
  });
  expect(asked?.memory.id).toBe("m4");
  expect(asked && lastOf(asked)?.name).toBe("relevance");
  const none = await service.explainSearch(query, { ids: [], nearMisses: 0 }, call);
  expect(idsOf(none)).toEqual([hit?.memory.id]);
});

test("explainSearch names the hit of which an omission is a near-copy, and what is over the budget", async () => {
  const service = await createService();
  await addAll(service, [
    { content: "The festival by the lake" },
    { content: "The Festival, by the lake!" },
    { content: "The festival on the hill with much music and good food for all the people" },
  ]);
  const query = queryOf("festival lake", { budgetTokens: 10 });
  const { memories, result } = await service.explainSearch(query, followed, call);
  const omitted = memories.filter(({ returned }) => !returned);
  expect(omitted).toMatchObject([
    { omission: "NEAR_COPY", nearCopyOf: result.hits[0]?.memory.id },
    { omission: "OVER_BUDGET", tokens: 15 },
  ]);
});

test("explainSearch tells how the query was read: keywords with their counts, authors, and dates with their zone", async () => {
  const service = await createService();
  await addAll(service, [
    { content: "We sailed on the lakes", author: "Mia", eventTime: secondsAt("2023-05-03") },
    { content: "The lake was cold", author: "Tom" },
  ]);
  const read = async (text: string) => {
    const query = queryOf(text, { timeZone: "Europe/Madrid" });
    return (await service.explainSearch(query, followed, call)).reading;
  };
  const reading = await read("What did Mia say about lakes in May 2023?");
  expect(reading.terms).toContainEqual({ term: "lake", memories: 2 });
  expect(reading.authors).toEqual(["Mia"]);
  expect(reading.timeZone.name).toBe("Europe/Madrid");
  const days = reading.dates.map(({ days: { first, last } }) => last - first + 1);
  expect(days).toEqual([31]);
  expect((await read("lake")).dates).toEqual([]);
  expect((await read("")).terms).toEqual([]);
});

test("explainSearch counts what each stage leaves", async () => {
  const service = await createService();
  await addAll(service, [
    { content: "The festival by the lake", kind: "fact" },
    { content: "The festival on the hill", kind: "fact" },
    { content: "A concert of the choir", kind: "fact" },
    { content: "The festival of the town" },
  ]);
  const query = queryOf("festival", { filter: { kinds: ["fact"] }, limit: 1 });
  const { stages } = await service.explainSearch(query, followed, call);
  // The clock of the test stands still.
  const durationMs = 0;
  expect(stages).toEqual([
    { name: "filter", left: 3, dropped: 1, durationMs },
    { name: "keyword", left: 2, dropped: 0, durationMs },
    { name: "vector", left: 0, dropped: 0 },
    { name: "relevance", left: 2, dropped: 1, durationMs },
    { name: "packing", left: 1, dropped: 1, durationMs },
  ]);
});

test("explainSearch says how long each stage took, by the clock of the service", async () => {
  let nowMs = Date.UTC(2026, 0, 1);
  let stepMs = 0;
  const service = await createService(undefined, { nowMs: () => (nowMs += stepMs) });
  await addAll(service, [{ content: "The festival by the lake" }, { content: "A concert" }]);
  // Each look at the clock takes a millisecond.
  stepMs = 1;
  const { stages } = await service.explainSearch(queryOf("festival"), followed, call);
  expect(stages.map(({ name, durationMs }) => [name, durationMs])).toEqual([
    ["filter", 1],
    ["keyword", 1],
    ["vector", undefined],
    // Ranking took 1 ms, of which the scores took all.
    ["relevance", 0],
    ["packing", 1],
  ]);
});
