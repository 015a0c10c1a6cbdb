import { expect, test } from "vitest";
import type { Explanation } from "../../../src/core/search/search.js";
import { addAll, call, createService, queryOf, secondsAt } from "./searching.js";

/** Name and reason of the stage that dropped the memory. */
function droppedBy({ stages }: Explanation): readonly [string, string] | undefined {
  const dropped = stages.find(({ droppedReason }) => droppedReason !== "");
  return dropped && [dropped.name, dropped.droppedReason];
}

test("a hit is followed to its place, and its last score is that of the search", async () => {
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
    ...["thread", "author", "date", "recency", "importance", "packing"],
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
    "having nothing in common",
    "concert",
    {},
    "relevance",
    "shares no keyword with the query and has a relevance of 0",
  ],
  [
    "the relevance floor",
    "festival lake boat sun",
    { minRelevance: 0.9 },
    "relevance",
    "its relevance is below min_relevance 0.9",
  ],
  ["the limit", "festival hill", { limit: 1 }, "packing", "limit 1 was reached before its turn"],
  [
    "the budget",
    "festival hill",
    { budgetTokens: 7 },
    "packing",
    "its 5 tokens did not fit into what was left of budget_tokens 7",
  ],
])("says that a memory was dropped by %s", async (_name, query, changes, stage, reason) => {
  const service = await createService();
  await addAll(service, [
    { content: "The festival by the lake" },
    { content: "The festival on the hill" },
  ]);
  const explained = await service.explain(queryOf(query, changes), "m1", call);
  expect(droppedBy(explained)).toEqual([stage, reason]);
  expect(explained.returned).toBe(false);
});

test("says that a memory is a near-copy of a better one, or superseded", async () => {
  const service = await createService();
  await addAll(service, [
    { content: "The festival by the lake", eventTime: secondsAt("2020-01-01T00:00:00Z") },
    { content: "By the lake, the festival!" },
    { content: "No festival this year", supersedes: "m2" },
  ]);
  expect(droppedBy(await service.explain(queryOf("festival"), "m2", call))).toEqual([
    "filter",
    "superseded by memory 'm3'",
  ]);
  const everything = queryOf("festival", { includeSuperseded: true });
  expect(droppedBy(await service.explain(everything, "m1", call))).toEqual([
    "packing",
    "a better match has the same words",
  ]);
});

test("a match beyond the limit keeps the score that it would have had as a hit", async () => {
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

test("a near-copy in the order by time is one of a newer match", async () => {
  const service = await createService();
  await addAll(service, [
    { content: "The festival by the lake" },
    { content: "By the lake, the festival!" },
  ]);
  const explained = await service.explain(
    queryOf("festival", { order: "NEWEST_FIRST" }),
    "m1",
    call,
  );
  expect(droppedBy(explained)).toEqual(["packing", "a newer match has the same words"]);
});

test("a match behind more than are listed is passed over, and no limit is blamed that was not reached", async () => {
  const service = await createService();
  await addAll(
    service,
    Array.from({ length: 103 }, () => ({ content: "The festival by the lake" })),
  );
  const dropped = await Promise.all(
    Array.from({ length: 103 }, async (_, i) =>
      droppedBy(await service.explain(queryOf("festival"), `m${i + 1}`, call)),
    ),
  );
  const reasons = dropped.map((drop) => drop?.[1]);
  expect(reasons.filter((reason) => reason === "a better match has the same words")).toHaveLength(
    100,
  );
  expect(
    reasons.filter(
      (reason) =>
        reason === "it was passed over behind 100 others: it has the words of a match before it",
    ),
  ).toHaveLength(2);
});

test("with an empty query a memory has only its place by time", async () => {
  const service = await createService();
  await addAll(service, [{ content: "one" }, { content: "two" }, { content: "three" }]);
  const { stages } = await service.explain(queryOf(""), "m1", call);
  expect(stages.map(({ name, rank }) => [name, rank])).toEqual([
    ["filter", undefined],
    ["newest first", 3],
    ["packing", 3],
  ]);
});

test("an id that the namespace does not have is not found", async () => {
  const service = await createService();
  await expect(service.explain(queryOf("x"), "m1", call)).rejects.toMatchObject({
    code: "NOT_FOUND",
    reason: "MEMORY_NOT_FOUND",
  });
});
