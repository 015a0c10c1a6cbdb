import { expect } from "vitest";
import { MemoryType } from "#gen/vademecum/v1/memory_pb.js";
import { TurnEvent } from "#gen/vademecum/v1/tool_pb.js";
import { open, type Query, type ToolClient, type ToolTest } from "./tool-client.js";

const { EPISODIC, SEMANTIC } = MemoryType;

/** A text of `tokens` tokens. Texts with different numbers are no near-copies. */
const text = (number: number, tokens: number) => `n${number} ${"tea ".repeat(tokens - 2).trim()}`;

/** Stores memories of 50 tokens each. */
async function furnish(
  { memories, declare }: ToolClient,
  memoryType: MemoryType,
  count: number,
): Promise<void> {
  await declare(open(memoryType));
  for (let number = 1; number <= count; number++)
    await memories.add(text(number, 50), { memoryType });
  expect((await memories.list()).every(({ tokenCount }) => tokenCount === 50)).toBe(true);
}

const tea = (queryId: string, budgetTokens?: number, memoryType: MemoryType = EPISODIC): Query => ({
  queryId,
  memoryType,
  queryText: "tea",
  limit: 100,
  ...(budgetTokens === undefined ? {} : { budgetTokens }),
});

/** Cases of token budgets. */
export function budgetCases(it: ToolTest): void {
  it("a query with a budget of 300 returns at most 300 of 500 matching tokens, and the trace reports the cut", async ({
    tool,
  }) => {
    await furnish(tool, EPISODIC, 10);
    const [outcome] = await tool.ask([tea("q", 300)]);
    expect(outcome?.last).toMatchObject({
      tokensUsed: 300,
      budgetTokens: 300,
      returnedResults: 6,
      totalResults: 10n,
    });
    const [queried, truncated] = await tool.trace();
    expect(queried).toMatchObject({
      event: TurnEvent.QUERIED,
      tokensUsed: 300,
      returnedResults: 6,
      reason: "",
    });
    expect(truncated).toMatchObject({ event: TurnEvent.TRUNCATED, tokensUsed: 0 });
    expect(truncated?.reason).toContain("300 tokens");
  });

  it("two queries of 300 tokens get 300 and 200 of a total budget of 500", async ({ tool }) => {
    await furnish(tool, EPISODIC, 10);
    const outcomes = await tool.ask(
      [tea("first", 300), { ...tea("second", 300), queryText: "tea n1" }],
      { budgetTokens: 500 },
    );
    expect(outcomes.map(({ last }) => [last.budgetTokens, last.tokensUsed])).toEqual([
      [300, 300],
      [200, 200],
    ]);
    expect(await tool.events()).toEqual([
      "first QUERIED",
      "first TRUNCATED",
      "second QUERIED",
      "second TRUNCATED",
    ]);
  });

  it("the default budget of a query is 500 tokens, and the default budget of a request 1,000 tokens", async ({
    tool,
  }) => {
    await furnish(tool, EPISODIC, 24);
    const outcomes = await tool.ask([
      tea("a"),
      { ...tea("b"), queryText: "tea n1" },
      { ...tea("c"), queryText: "tea n2" },
    ]);
    expect(outcomes.map(({ last }) => last.tokensUsed)).toEqual([500, 500, 0]);
    expect(outcomes[2]?.last).toMatchObject({
      budgetTokens: 0,
      totalResults: 24n,
      omittedCount: 24n,
      results: [],
    });
    expect((await tool.trace()).at(-1)?.reason).toContain("no tokens were left");
  });

  it("a query can use the budget that the previous query left", async ({ tool }) => {
    await furnish(tool, EPISODIC, 4);
    const outcomes = await tool.ask([tea("a", 500), tea("b", 200)], { budgetTokens: 400 });
    expect(outcomes.map(({ last }) => [last.budgetTokens, last.tokensUsed])).toEqual([
      [400, 200],
      [200, 200],
    ]);
    expect(await tool.events()).toEqual(["a QUERIED", "b QUERIED"]);
  });

  it("the trace names the budget when the budget of the type cuts a result short", async ({
    tool,
  }) => {
    await furnish(tool, EPISODIC, 4);
    await tool.declare({ ...open(EPISODIC), maxBudgetTokens: 100 });
    await tool.ask([tea("first", 300)]);
    const { reason } = (await tool.trace())[1] ?? {};
    expect(reason).toBe(
      "2 of 4 matches did not fit into the remaining 100 tokens; the query asked for 300, but the budget of the request or of its type had no more",
    );
  });

  it("max_budget_tokens limits all queries of a type together", async ({ tool }) => {
    await furnish(tool, EPISODIC, 10);
    await tool.declare({ ...open(EPISODIC), maxBudgetTokens: 250 }, open(SEMANTIC));
    await tool.memories.add(text(11, 50), { memoryType: SEMANTIC });
    const outcomes = await tool.ask([tea("a", 200), tea("b", 200), tea("c", 200, SEMANTIC)]);
    expect(outcomes.map(({ last }) => last.tokensUsed)).toEqual([200, 50, 50]);
  });

  it("a best match that does not fit into the budget is returned as an excerpt", async ({
    tool,
  }) => {
    await tool.declare(open(EPISODIC));
    await tool.memories.add(
      "Call Ada. She has the key to the cellar where the extraordinarily expensive wine is kept.",
    );
    const [outcome] = await tool.ask([
      { queryId: "q", memoryType: EPISODIC, queryText: "Ada", budgetTokens: 7 },
    ]);
    expect(outcome?.memories).toMatchObject([
      { excerpt: true, tokens: 3, memory: { content: "Call Ada." } },
    ]);
    expect(await tool.events()).toEqual(["q QUERIED", "q TRUNCATED"]);
  });

  it("a query returns no excerpt if only one or two tokens remain", async ({ tool }) => {
    await tool.declare(open(EPISODIC), open(SEMANTIC));
    await tool.memories.add("wine cellars hold the extraordinarily expensive bottles");
    await tool.memories.add(text(1, 50), { memoryType: SEMANTIC });
    const wine = (queryId: string, budgetTokens: number): Query => ({
      queryId,
      memoryType: EPISODIC,
      queryText: "wine",
      budgetTokens,
    });
    for (const left of [1, 2]) {
      const [, scrap] = await tool.ask([tea("first", 50, SEMANTIC), wine("second", 500)], {
        budgetTokens: 50 + left,
      });
      expect(scrap?.last).toMatchObject({
        results: [],
        tokensUsed: 0,
        budgetTokens: left,
        totalResults: 1n,
        omittedCount: 1n,
      });
      expect((await tool.trace()).at(-1)?.reason).toMatch(
        new RegExp(`^1 match did not fit into the remaining ${left === 1 ? "token" : "2 tokens"};`),
      );
    }
    const [, excerpt] = await tool.ask([tea("first", 50, SEMANTIC), wine("second", 500)], {
      budgetTokens: 54,
    });
    expect(excerpt?.memories).toMatchObject([{ excerpt: true }]);
    const [alone] = await tool.ask([wine("q", 2)]);
    expect(alone?.memories, "who asks for two tokens gets two").toMatchObject([{ excerpt: true }]);
  });

  it("a query returns the same with the rest of a shared budget as with a budget of that size of its own", async ({
    tool,
  }) => {
    await tool.declare(open(EPISODIC), open(SEMANTIC));
    for (let used = 10; used <= 130; used += 15) {
      const other = tool.forAgent(`agent ${used}`);
      for (const [at, tokens] of [40, 7, 25, 4, 60, 12].entries())
        await other.memories.add(text(at, tokens));
      await other.memories.add(text(99, used), { memoryType: SEMANTIC });
      const [, shared] = await other.ask([tea("a", 140, SEMANTIC), tea("b", 140)], {
        budgetTokens: 140,
      });
      const [alone] = await other.ask([tea("b", 140 - used)]);
      expect(shared?.contents).toEqual(alone?.contents);
      expect(shared?.last.omitted).toEqual(alone?.last.omitted);
    }
  });
}
