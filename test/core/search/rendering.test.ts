import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import type { TokenCounter } from "../../../src/core/ports/token-counter.js";
import {
  type ListedHit,
  type ListRendering,
  listRendering,
  listText,
} from "../../../src/core/search/rendering.js";
import { createTokenCounter } from "../../../src/tokens/o200k-token-counter.js";
import { memoryOf } from "../memory-fixture.js";

let counter: TokenCounter;
let list: ListRendering;
beforeAll(async () => {
  counter = await createTokenCounter();
  list = listRendering(counter);
});

function hitOf(content: string, tokenCount = counter.count(content)): ListedHit {
  const memory = memoryOf({ content, tokenCount });
  return { memory, tokens: list.tokensOf(memory), excerpt: false };
}

function tokensOfText(hits: readonly ListedHit[]): number {
  return counter.count(listText(hits.map(({ memory }) => memory.content)));
}

test("the tokens of a list are those of its text, for any contents", async () => {
  const parts = fc.constantFrom(
    "Ada",
    " likes",
    " tea",
    ".",
    "!",
    "\n",
    "\r\n",
    "  ",
    "7",
    "'s",
    "字",
  );
  const content = fc.array(parts, { minLength: 1, maxLength: 20 }).map((texts) => texts.join(""));
  await fc.assert(
    fc.asyncProperty(fc.array(content, { maxLength: 5 }), async (contents) => {
      const hits = contents.map((one) => hitOf(one));
      expect(await list.tokensOfList(hits)).toBe(tokensOfText(hits));
    }),
  );
});

test("a memory whose stored count differs, because an early version stored a long run of letters, is counted again", async () => {
  const run = "ab".repeat(150);
  const hits = [hitOf(run, 1), hitOf(`Its key is ${run}`, 2)];
  expect(await list.tokensOfList(hits)).toBe(tokensOfText(hits));
});

test("an excerpt has the tokens of its own text", async () => {
  const whole = "Ada drinks oat milk. Ben drinks tea.";
  const excerpt: ListedHit = {
    ...hitOf("Ada drinks oat milk.", counter.count(whole)),
    excerpt: true,
  };
  expect(await list.tokensOfList([excerpt])).toBe(tokensOfText([excerpt]));
});
