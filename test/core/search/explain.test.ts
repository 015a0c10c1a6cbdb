import { expect, test } from "vitest";
import type { Explanation } from "../../../src/core/search/query/search.js";
import { addAll, call, createService, queryOf } from "./search-service.js";

/** Returns the name and the reason of the stage that dropped the memory. */
function dropOf({ stages }: Explanation): readonly [string, string] | undefined {
  const dropped = stages.find(({ droppedReason }) => droppedReason !== "");
  return dropped && [dropped.name, dropped.droppedReason];
}

test("explain follows a hit to its rank and its final score", async () => {
  const service = await createService();
  await addAll(service, [
    { content: "The festival by the lake", author: "Mia" },
    { content: "The festival on the hill, with music and food" },
  ]);
  const query = queryOf("Which festival did Mia like?");
  const explained = await service.explain(query, "m2", call);
  const { hits } = await service.search(query, call);
  expect(explained.returned).toBe(true);
  expect(explained.stages.map(({ name }) => name)).toEqual([
    ...["filter", "keyword", "vector", "fused", "following", "relevance"],
    ...["author", "date", "answer", "mention", "similar_words"],
    ...["recency", "importance", "packing"],
  ]);
  expect(explained.stages.at(-1)).toMatchObject({ rank: 2, score: hits[1]?.scores.final });
  expect(explained.stages.find(({ name }) => name === "importance")?.score).toBeCloseTo(
    hits[1]?.scores.final ?? 0,
    10,
  );
  expect(explained.stages.find(({ name }) => name === "keyword")?.rank).toBe(2);
});

test.each<[string, string, Parameters<typeof queryOf>[1], string, string]>([
  ["the filter", "festival", { filter: { kinds: ["fact"] } }, "filter", "does not pass the filter"],
  [
    "having no word in common",
    "concert",
    {},
    "relevance",
    "shares no keyword with the query and has a relevance of 0, and the query neither names its " +
      "date nor asks only what its author said",
  ],
  [
    "the relevance floor",
    "festival lake boat sun",
    { minRelevance: 0.9 },
    "relevance",
    "its relevance is below min_relevance 0.9",
  ],
  ["the limit", "festival hill", { limit: 1 }, "packing", "limit 1 was reached before this match"],
  [
    "the budget",
    "festival hill",
    { budgetTokens: 7 },
    "packing",
    "its 5 tokens exceed the rest of budget_tokens 7",
  ],
])(
  "explain names the stage that drops a memory: %s",
  async (_name, query, changes, stage, reason) => {
    const service = await createService();
    await addAll(service, [
      { content: "The festival by the lake" },
      { content: "The festival on the hill" },
    ]);
    const explained = await service.explain(queryOf(query, changes), "m1", call);
    expect(dropOf(explained)).toEqual([stage, reason]);
    expect(explained.returned).toBe(false);
  },
);

test("explain gives min_relevance as the reason for dropping a memory whose author the query names", async () => {
  const service = await createService();
  await addAll(service, [{ content: "We should paint the hall", author: "Irma" }]);
  const query = queryOf("What did Irma say?", { minRelevance: 0.2 });
  expect(dropOf(await service.explain(query, "m1", call))).toEqual([
    "relevance",
    "its relevance is below min_relevance 0.2",
  ]);
});

test("explain reports a superseded memory, and a near-copy of a better match", async () => {
  const service = await createService();
  await addAll(service, [
    { content: "The festival by the lake" },
    { content: "The Festival, by the lake!" },
    { content: "No festival this year", supersedes: "m2" },
  ]);
  expect(dropOf(await service.explain(queryOf("festival"), "m2", call))).toEqual([
    "filter",
    "superseded by memory 'm3'",
  ]);
  const everything = queryOf("festival", { includeSuperseded: true });
  expect(dropOf(await service.explain(everything, "m1", call))).toEqual([
    "packing",
    "near-copy of a better match: the same words, author, time and other fields",
  ]);
});

test("explain gives a match beyond the limit the same score as a hit", async () => {
  const service = await createService();
  await addAll(service, [
    { content: "The festival by the lake" },
    { content: "The festival on the hill" },
  ]);
  const { hits } = await service.search(queryOf("festival hill"), call);
  const { stages } = await service.explain(queryOf("festival hill", { limit: 1 }), "m1", call);
  expect(hits[1]?.memory.id).toBe("m1");
  expect(stages.at(-1)?.score).toBe(hits[1]?.scores.final);
});

test("explain reports the near-copy of a newer match when hits are ordered newest first", async () => {
  const service = await createService();
  await addAll(service, [
    { content: "The festival by the lake" },
    { content: "The Festival, by the lake!" },
  ]);
  const explained = await service.explain(
    queryOf("festival", { order: "NEWEST_FIRST" }),
    "m1",
    call,
  );
  expect(dropOf(explained)).toEqual([
    "packing",
    "near-copy of a newer match: the same words, author, time and other fields",
  ]);
});

test("explain gives the limit as the reason for an omission only if the limit was reached", async () => {
  const service = await createService();
  await addAll(
    service,
    Array.from({ length: 103 }, () => ({ content: "The festival by the lake" })),
  );
  const dropped = await Promise.all(
    Array.from({ length: 103 }, async (_, i) =>
      dropOf(await service.explain(queryOf("festival"), `m${i + 1}`, call)),
    ),
  );
  const reasons = dropped.map((drop) => drop?.[1]);
  expect(
    reasons.filter(
      (reason) =>
        reason === "near-copy of a better match: the same words, author, time and other fields",
    ),
  ).toHaveLength(100);
  expect(
    reasons.filter(
      (reason) =>
        reason ===
        "it is omitted after the 100 omissions that are listed: it is a near-copy of a match before it",
    ),
  ).toHaveLength(2);
});

test("explain gives only the rank by time when the query is empty", async () => {
  const service = await createService();
  await addAll(service, [{ content: "one" }, { content: "two" }, { content: "three" }]);
  const { stages } = await service.explain(queryOf(""), "m1", call);
  expect(stages.map(({ name, rank }) => [name, rank])).toEqual([
    ["filter", undefined],
    ["newest first", 3],
    ["packing", 3],
  ]);
});

test("explain fails with NOT_FOUND for an unknown id", async () => {
  const service = await createService();
  await expect(service.explain(queryOf("x"), "m1", call)).rejects.toMatchObject({
    code: "NOT_FOUND",
    reason: "MEMORY_NOT_FOUND",
  });
});
