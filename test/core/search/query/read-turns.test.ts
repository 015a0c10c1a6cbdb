import { expect, test } from "vitest";
import type { Filter } from "../../../../src/core/filter/matcher.js";
import { workInTurns } from "../../../../src/core/search/query/read-turns.js";
import { withTurns } from "../../event-loop-turns.js";
import { memoryOf } from "../../memory-fixture.js";
import { addAll, call, createService, namespace, queryOf } from "../search-service.js";

const expression = "size(id) > 0";
const memoryCount = 40;

async function createFilledService() {
  const service = await createService();
  await addAll(
    service,
    Array.from({ length: memoryCount }, (_, i) => ({ content: `wine ${i}` })),
  );
  // The first search loads the index. The load would also give turns to other calls.
  await service.search(queryOf("wine"), call);
  return service;
}

test("other calls get their turn while a search, a listing or a deletion evaluates a slow filter", async () => {
  const service = await createFilledService();
  const filter: Filter = { expression };
  const none: Filter = { expression: `${expression} && false` };
  const page = { limit: 1_000, pageToken: "", includeSuperseded: false };
  const searched = await withTurns(() => service.search(queryOf("wine", { filter }), call));
  const listed = await withTurns(() => service.getAll({ namespace, filter, ...page }, call));
  const counted = await withTurns(() =>
    service.deleteWhere({ namespace, filter, dryRun: true }, call),
  );
  const kept = await withTurns(() =>
    service.deleteWhere({ namespace, filter: none, dryRun: false }, call),
  );
  expect(searched.reply).toEqual(await service.search(queryOf("wine"), call));
  expect(listed.reply.memories).toHaveLength(memoryCount);
  expect(counted.reply.deleted).toBe(memoryCount);
  expect(kept.reply.deleted).toBe(0);
  for (const { turns } of [searched, listed, counted, kept]) expect(turns).toBeGreaterThan(2);
});

test("other calls get their turn while the tokens of a recall are counted", async () => {
  const service = await createFilledService();
  const query = queryOf("wine", { limit: 1_000 });
  const { reply, turns } = await withTurns(() => service.recall(query, call));
  expect(reply.hits).toHaveLength(memoryCount);
  expect(reply.summary.tokensUsed).toBe(
    (await service.recall(query, call)).hits.reduce((sum, { tokens }) => sum + tokens, 0) - 1,
  );
  expect(turns).toBeGreaterThan(2);
});

test.each([
  ["one sentence", "wine from the valley, said Ann. "],
  ["many sentences", "Wine came from the valley. "],
])("other calls get their turn while an excerpt of %s is made", async (_, unit) => {
  const service = await createService();
  await addAll(service, [{ content: `${unit.repeat(2_000)} bread` }]);
  const query = queryOf("bread", { budgetTokens: 500 });
  // The first search loads the index. The load would also give turns to other calls.
  const searched = await service.search(query, call);
  const results = {
    search: await withTurns(() => service.search(query, call)),
    recall: await withTurns(() => service.recall(query, call)),
    explain: await withTurns(() => service.explain(query, "m1", call)),
  };
  expect(results.search.reply).toEqual(searched);
  expect(results.search.reply.hits[0]).toMatchObject({ excerpt: true });
  expect(results.search.reply.hits[0]?.memory.content).toMatch(/bread$/);
  expect(results.recall.reply.hits[0]).toMatchObject({ excerpt: true });
  expect(results.explain.reply.returned).toBe(true);
  for (const { turns } of Object.values(results)) expect(turns).toBeGreaterThan(10);
});

test("a filter that gives other calls a turn evaluates each version of a memory once", () => {
  const versions: number[] = [];
  const matches = workInTurns(({ version }) => {
    versions.push(version);
    return version === 2;
  });
  expect([1, 1, 2, 2].map((version) => matches(memoryOf({ version })))).toEqual([
    false,
    false,
    true,
    true,
  ]);
  expect(versions).toEqual([1, 2]);
});
