import { expect } from "vitest";
import { OmissionReason, SearchOrder } from "#gen/vademecum/v1/search_pb.js";
import type { MemoryTest } from "../harness/memory-test.js";

/** Cases of token budgets. */
export function budgetCases(it: MemoryTest): void {
  it("a search never exceeds its budget, and skips matches that do not fit", async ({
    memories,
  }) => {
    await memories.add("tea tea"); // Two tokens.
    const { id: large } = await memories.add(`tea ${"with milk ".repeat(30)}`);
    await memories.add("tea now");
    const { contents, summary } = await memories.search("", { budgetTokens: 10 });
    expect(contents).toEqual(["tea now", "tea tea"]);
    expect(summary).toMatchObject({ totalMatches: 3n, budgetTokens: 10, omittedCount: 0n });
    expect(summary.omitted).toMatchObject([{ id: large, reason: OmissionReason.OVER_BUDGET }]);
    expect(summary.omitted[0]?.tokens).toBe((await memories.get(large)).tokenCount);
  });

  it("a search packs the matches that fit, in order, at every budget", async ({ memories }) => {
    await memories.addAll("one two three", "four five", "six", "seven eight nine ten");
    const newestFirst = await memories.list();
    const total = newestFirst.reduce((sum, { tokenCount }) => sum + tokenCount, 0);
    for (let budgetTokens = 1; budgetTokens <= total + 1; budgetTokens++) {
      let left = budgetTokens;
      const fitting = newestFirst.filter(({ tokenCount }) => {
        if (tokenCount > left) return false;
        left -= tokenCount;
        return true;
      });
      const { contents, summary } = await memories.search("", { budgetTokens });
      expect(contents).toEqual(fitting.map(({ content }) => content));
      expect(summary.tokensUsed).toBe(budgetTokens - left);
    }
  });

  it("a search whose matches are too long returns an excerpt of the best match", async ({
    memories,
  }) => {
    const content =
      "Call Ada. She has the key to the cellar where the extraordinarily expensive wine is kept.";
    const { id } = await memories.add(content);
    const whole = await memories.get(id);
    const sentence = await memories.search("Ada", { budgetTokens: 7 });
    expect(sentence.contents).toEqual(["Call Ada."]);
    expect(sentence.hits[0]).toMatchObject({
      excerpt: true,
      tokens: 3,
      memory: { id, tokenCount: whole.tokenCount },
    });
    expect(sentence.summary).toMatchObject({
      returned: 1,
      totalMatches: 1n,
      tokensUsed: 3,
      noHitsReason: "",
    });
    const cut = await memories.search("key", { budgetTokens: 7 });
    expect(cut.contents).toEqual(["She has the key to the cellar"]);
    expect((await memories.search("key", { budgetTokens: 2 })).contents).toEqual(["key to"]);
    expect((await memories.search("key", { budgetTokens: 1 })).contents).toEqual(["key"]);
    const { hits } = await memories.search("key", { budgetTokens: whole.tokenCount });
    expect(hits).toMatchObject([{ excerpt: false, memory: { content } }]);
  });

  it("an excerpt ends inside a word if not even the first word fits", async ({ memories }) => {
    const content = "Pneumonoultramicroscopicsilicovolcanoconiosis";
    await memories.add(content);
    const { hits, contents } = await memories.search("", { budgetTokens: 4 });
    expect(hits).toMatchObject([{ excerpt: true }]);
    expect(content.startsWith(contents[0] ?? "-")).toBe(true);
    expect(hits[0]?.tokens).toBeLessThanOrEqual(4);
    expect(contents[0]).not.toBe("");
  });

  it("an excerpt splits no character, and a search reports when not even one character fits", async ({
    memories,
  }) => {
    await memories.add("🧿🧿"); // Three tokens for each character.
    const { hits, summary } = await memories.search("", { budgetTokens: 2 });
    expect(hits).toEqual([]);
    expect(summary).toMatchObject({ totalMatches: 1n, returned: 0, tokensUsed: 0 });
    expect(summary.noHitsReason).toContain("budget_tokens");
    expect((await memories.search("", { budgetTokens: 4 })).contents).toEqual(["🧿"]);
  });

  it("if a search returns an excerpt, the receipt lists the other matches", async ({
    memories,
  }) => {
    await memories.addAll(
      "a much longer text about tea",
      "another long text about tea",
      "the longest text of all about tea",
    );
    const { hits, summary } = await memories.search("tea", { budgetTokens: 2 });
    expect(hits).toMatchObject([{ excerpt: true }]);
    expect(summary).toMatchObject({ totalMatches: 3n, returned: 1, omittedCount: 0n });
    expect(summary.omitted.map(({ reason }) => reason)).toEqual([
      OmissionReason.OVER_BUDGET,
      OmissionReason.OVER_BUDGET,
    ]);
  });

  it("a search packs in the requested order", async ({ memories }) => {
    await memories.addAll("tea tea tea", "a cup of tea");
    const newest = await memories.search("tea", {
      budgetTokens: 4,
      order: SearchOrder.NEWEST_FIRST,
    });
    expect(newest.contents).toEqual(["a cup of tea"]);
  });
}
