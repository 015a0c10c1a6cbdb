import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { expect } from "vitest";
import { isFullSuite } from "../../suite.js";
import { failureOf } from "../harness/failure.js";
import type { MemoryTest } from "../harness/memory-test.js";

/** Cases of Recall. */
export function recallCases(it: MemoryTest): void {
  it("annotate puts the date and the author before each memory, within the budget", async ({
    memories,
  }) => {
    const on = (day: number) => timestampFromMs(Date.UTC(2026, 2, day, 9));
    await memories.add("The mail was delivered", { author: "Ann", eventTime: on(8) });
    await memories.add("The mail was not delivered", { author: "Bob", eventTime: on(18) });
    const lines = ["- [2026-03-08] Ann: The mail was delivered"];
    lines.push("- [2026-03-18] Bob: The mail was not delivered");
    const all = await memories.recall("was the mail delivered?", { limit: 5, annotate: true });
    expect(all.text.split("\n").toSorted()).toEqual(lines);
    expect((await memories.recall("was the mail delivered?", { limit: 5 })).text).not.toContain(
      "[",
    );
    const budgetTokens = (all.summary?.tokensUsed ?? 0) - 1;
    const fitting = await memories.recall("was the mail delivered?", {
      budgetTokens,
      annotate: true,
    });
    expect(fitting.hits).toHaveLength(1);
    expect(fitting.summary?.tokensUsed).toBeLessThanOrEqual(budgetTokens);
  });

  it("Recall writes one line for each hit, and indents the further lines of a content", async ({
    memories,
  }) => {
    await memories.addAll("one line", "two\nlines", "old\r\nmac\rand unix\n\nlines");
    const { text, hits, summary } = await memories.recall("");
    expect(text).toBe("- old\n  mac\n  and unix\n  \n  lines\n- two\n  lines\n- one line");
    expect(hits.map(({ memory }) => memory?.content)).toEqual([
      "old\r\nmac\rand unix\n\nlines",
      "two\nlines",
      "one line",
    ]);
    expect(summary).toMatchObject({ returned: 3, totalMatches: 3n });
  });

  it("Recall finds the same memories as Search, in the same order", async ({ memories }) => {
    await memories.addAll("red wine", "white wine", "a red car", "something else altogether");
    const search = await memories.search("red wine", { limit: 10 });
    const recall = await memories.recall("red wine", { limit: 10 });
    expect(recall.hits.map(({ memory }) => memory?.id)).toEqual(
      search.hits.map(({ memory }) => memory?.id),
    );
    expect(recall.summary?.totalMatches).toBe(search.summary.totalMatches);
  });

  it("Recall counts the whole text against the budget", async ({ memories }) => {
    await memories.addAll("one two three", "four five", "six seven eight\nnine ten");
    const whole = await memories.recall("");
    const total = whole.summary?.tokensUsed ?? 0;
    for (let budgetTokens = 1; budgetTokens <= total + 2; budgetTokens++) {
      const { text, summary } = await memories.recall("", { budgetTokens });
      expect(summary?.tokensUsed).toBe(countTokens(text));
      expect(summary?.tokensUsed).toBeLessThanOrEqual(budgetTokens);
    }
    expect((await memories.recall("", { budgetTokens: total + 2 })).text).toBe(whole.text);
  });

  it("Recall shortens the best hit if no whole hit fits", async ({ memories }) => {
    await memories.add("Call Ada. She has the key to the cellar where the wine is kept.");
    const { text, hits, summary } = await memories.recall("Ada", { budgetTokens: 6 });
    expect(text).toBe("- Call Ada.");
    expect(hits).toMatchObject([{ excerpt: true, memory: { content: "Call Ada." } }]);
    expect(summary?.tokensUsed).toBe(4);
  });

  it("Recall returns an empty text if nothing matches", async ({ memories }) => {
    const { text, hits, summary } = await memories.recall("anything", { budgetTokens: 100 });
    expect({ text, hits, tokensUsed: summary?.tokensUsed }).toEqual({
      text: "",
      hits: [],
      tokensUsed: 0,
    });
  });

  it.runIf(isFullSuite)(
    "Recall refuses hits that are too large for one reply and names Search, which streams them",
    async ({ memories }) => {
      const contents = Array.from({ length: 34 }, (_, i) => `${i}`.padEnd(65_536, " wine"));
      await memories.addAll(...contents);
      const failure = await failureOf(memories.recall("", { limit: 100 }));
      expect(failure).toMatchObject({ code: "RESOURCE_EXHAUSTED", reason: "RESPONSE_TOO_LARGE" });
      expect(failure.message).toContain("use Search");
      expect((await memories.search("", { limit: 100 })).hits).toHaveLength(34);
      expect((await memories.recall("", { limit: 20 })).hits).toHaveLength(20);
    },
  );
}
