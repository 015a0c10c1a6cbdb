import { expect } from "vitest";
import type { SearchResponse } from "#gen/vademecum/v1/memory_provider_pb.js";
import type { SearchHit } from "#gen/vademecum/v1/search_pb.js";
import { failureOf } from "../harness/failure.js";
import type { MemoryTest } from "../harness/memory-test.js";
import { collect, required } from "../harness/namespace-client.js";

const hitsOf = (messages: readonly SearchResponse[]): SearchHit[] =>
  messages.flatMap(({ hits }) => hits);
const shown = (hits: readonly SearchHit[]) =>
  hits.map(({ memory }) => [memory?.namespace?.agentId, memory?.content] as const);
const agentsOf = (hits: readonly SearchHit[]) =>
  new Set(hits.map(({ memory }) => memory?.namespace?.agentId));

/** Cases of searches over several agents, and of calls by id alone. */
export function agentCases(it: MemoryTest): void {
  it("a search over several agents merges their hits under one limit, and names each namespace", async ({
    memories,
    namespaceOf,
  }) => {
    const { namespace, provider } = memories;
    const { userId } = namespace;
    const [diary, shop] = [namespaceOf({ agentId: "diary" }), namespaceOf({ agentId: "shop" })];
    await diary.add("Ann drank a Riesling at the lake");
    await shop.add("Ann ordered Riesling, six bottles of Riesling");
    await shop.add("The delivery comes on Monday");
    await namespaceOf({ agentId: "other" }).add("Riesling is a white grape");
    await namespaceOf({ userId: `${userId}2`, agentId: "diary" }).add("Riesling of another user");
    const query = "Riesling";
    const some = { userId, query, agentIds: ["shop", "diary", "shop", "no such agent"] };
    const found = await collect(provider.search(some));
    expect(hitsOf(found)).toHaveLength(2);
    expect(new Map(shown(hitsOf(found)))).toEqual(
      new Map([
        ["diary", "Ann drank a Riesling at the lake"],
        ["shop", "Ann ordered Riesling, six bottles of Riesling"],
      ]),
    );
    const finals = hitsOf(found).map(({ scores }) => scores?.final ?? 0);
    expect(finals).toEqual(finals.toSorted((a, b) => b - a));
    expect(found.at(-1)?.summary).toMatchObject({ totalMatches: 2n, returned: 2 });
    const all = hitsOf(await collect(provider.search({ userId, query, allAgents: true })));
    expect(all).toHaveLength(3);
    expect(agentsOf(all)).toEqual(new Set(["diary", "other", "shop"]));
    const first = await collect(provider.search({ userId, query, allAgents: true, limit: 1 }));
    expect(shown(hitsOf(first))).toEqual(shown(all.slice(0, 1)));
    expect(first.at(-1)?.summary).toMatchObject({ totalMatches: 3n, omittedCount: 2n });
    const own = { namespace: shop.namespace, query, agentIds: ["diary"] };
    expect(shown(hitsOf(await collect(provider.search(own)))).map(([id]) => id)).toEqual(["diary"]);
  });

  it("a recall over several agents keeps one budget, and leaves out near-copies across agents", async ({
    memories,
    namespaceOf,
  }) => {
    const { provider } = memories;
    const { userId } = memories.namespace;
    for (const agentId of ["a", "b"]) {
      const agent = namespaceOf({ agentId });
      await agent.add("The user drinks tea");
      for (let i = 0; i < 20; i++) await agent.add(`Tea ${i} of ${agentId} is kept in tin ${i}`);
    }
    const search = { userId, query: "tea", budgetTokens: 100, allAgents: true };
    const { hits, summary, text } = await provider.recall({ search });
    const { tokensUsed, totalMatches, omitted, omittedCount } = required(summary, "no receipt");
    expect(tokensUsed).toBeLessThanOrEqual(100);
    expect(hits.map(({ memory }) => memory?.namespace?.agentId)).toEqual(
      expect.arrayContaining(["a", "b"]),
    );
    expect(text.split("\n")).toHaveLength(hits.length);
    expect(totalMatches).toBe(BigInt(hits.length + omitted.length) + omittedCount);
    const wide = await provider.recall({ search: { ...search, budgetTokens: 10_000 } });
    const copies = wide.hits.filter(({ memory }) => memory?.content === "The user drinks tea");
    expect(copies).toHaveLength(1);
    const small = await provider.recall({ search: { ...search, budgetTokens: 4 } });
    expect(small.hits).toMatchObject([{ excerpt: true }]);
    expect(small.hits[0]?.memory?.namespace?.agentId).toMatch(/^[ab]$/);
  });

  it("a search over agents without memories answers with an empty receipt", async ({
    memories,
  }) => {
    const { provider } = memories;
    const { userId } = memories.namespace;
    const found = await collect(provider.search({ userId, query: "tea", allAgents: true }));
    expect(found).toMatchObject([{ hits: [], summary: { totalMatches: 0n } }]);
  });

  it("a search names one namespace, or a user with agents", async ({ memories }) => {
    const { namespace, provider } = memories;
    const { userId } = namespace;
    const cases: [object, string][] = [
      [{ query: "x" }, "namespace"],
      [{ userId, namespace, allAgents: true }, "namespace"],
      [{ userId }, "user_id"],
      [{ userId, allAgents: true, agentIds: ["a"] }, "all_agents"],
      [{ userId, allAgents: true, weights: { novelty: 0.1 } }, "weights.novelty"],
      [{ userId, agentIds: Array.from({ length: 101 }, (_, i) => `${i}`) }, "agent_ids"],
      [{ userId, agentIds: [""] }, "agent_ids[0]"],
    ];
    for (const [search, field] of cases) {
      const failure = await failureOf(collect(provider.search(search)));
      expect(failure).toMatchObject({ code: "INVALID_ARGUMENT", fields: [field] });
      expect(await failureOf(provider.recall({ search }))).toMatchObject({
        fields: [`search.${field}`],
      });
    }
    const explain = provider.explain({ search: { namespace, allAgents: true }, id: "x" });
    expect(await failureOf(explain)).toMatchObject({ fields: ["search"] });
  });

  it("Get, Update and Delete find a memory by its user and id, whatever its agent", async ({
    memories,
    namespaceOf,
  }) => {
    const { provider } = memories;
    const { userId } = memories.namespace;
    const diary = namespaceOf({ agentId: "diary" });
    await namespaceOf({ agentId: "shop" }).add("another");
    const { id } = await diary.add("tea");
    expect((await provider.get({ userId, id })).memory).toMatchObject({
      namespace: diary.namespace,
      content: "tea",
    });
    const { memory } = await provider.update({ userId, id, changes: { content: "coffee" } });
    expect(memory).toMatchObject({ namespace: diary.namespace, version: 2n });
    const otherUser = { userId: `${userId}2`, id };
    expect(await failureOf(provider.get(otherUser))).toMatchObject({ code: "NOT_FOUND" });
    expect((await provider.delete(otherUser)).deleted).toBe(false);
    const request = { userId, id, idempotencyKey: "key" };
    expect((await provider.delete(request)).deleted).toBe(true);
    expect((await provider.delete(request)).deleted).toBe(true);
    expect((await provider.delete({ userId, id })).deleted).toBe(false);
    const update = provider.update({ userId, id, changes: { content: "x" } });
    expect(await failureOf(update)).toMatchObject({ code: "NOT_FOUND" });
    for (const call of [
      provider.get({ id }),
      provider.get({ userId, namespace: diary.namespace, id }),
    ])
      expect(await failureOf(call)).toMatchObject({ fields: ["namespace"] });
    const byName = provider.get({ userId, externalId: "mail-1" });
    expect(await failureOf(byName)).toMatchObject({ fields: ["external_id"] });
  });
}
