import fc from "fast-check";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import type { TokenCounter } from "../../../src/core/ports/token-counter.js";
import { excerptOf } from "../../../src/core/search/rendering.js";
import { createTokenCounter } from "../../../src/tokens/o200k-token-counter.js";

let counter: TokenCounter;
beforeAll(async () => {
  counter = await createTokenCounter();
});
afterEach(() => vi.restoreAllMocks());

test("an excerpt ends after a sentence if one fits, and else after a word", () => {
  const text = "The lake froze. We walked across it to the island on the other side.";
  expect(excerptOf(text, 8, counter)).toBe("The lake froze.");
  expect(excerptOf(text, 3, counter)).toBe("The lake froze");
});

test.each([
  ["a family of four", "👨‍👩‍👧‍👦"],
  ["a flag", "🏴󠁧󠁢󠁳󠁣󠁴󠁿"],
  ["letters with marks", "e\u0323\u0302\u0301"],
  ["syllables of Devanagari", "क्षि"],
])("an excerpt does not split %s", (_, character) => {
  const text = character.repeat(40);
  for (let maxTokens = 1; maxTokens < 60; maxTokens++) {
    const excerpt = excerptOf(text, maxTokens, counter);
    expect(excerpt).toBe(character.repeat(excerpt.length / character.length));
    expect(counter.count(excerpt)).toBeLessThanOrEqual(maxTokens);
  }
  expect(excerptOf(text, 59, counter)).not.toBe("");
});

test("an excerpt of any text is a beginning within the budget and splits no character", () => {
  const segmenter = new Intl.Segmenter("und", { granularity: "grapheme" });
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme", minLength: 1, maxLength: 60 }),
      fc.integer({ min: 1, max: 20 }),
      (text, maxTokens) => {
        fc.pre(counter.count(text) > maxTokens);
        const excerpt = excerptOf(text, maxTokens, counter);
        expect(text.startsWith(excerpt)).toBe(true);
        expect(counter.count(excerpt)).toBeLessThanOrEqual(maxTokens);
        if (excerpt !== excerpt.trimEnd() || excerpt === "") return;
        expect(segmenter.segment(text).containing(excerpt.length)?.index).toBe(excerpt.length);
      },
    ),
  );
});

test("an excerpt of a long text does not iterate over the segments", () => {
  const iterations = vi.spyOn(
    Object.getPrototypeOf(new Intl.Segmenter().segment("")) as Intl.Segments,
    Symbol.iterator,
  );
  excerptOf("a. ".repeat(20_000), 5_000, counter);
  expect(iterations).not.toHaveBeenCalled();
});
