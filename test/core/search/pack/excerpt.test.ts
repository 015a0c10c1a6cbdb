import fc from "fast-check";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import type { ScorePassages } from "../../../../src/core/ports/search-index.js";
import type { TokenCounter } from "../../../../src/core/ports/token-counter.js";
import { createExcerpter, cutToFit } from "../../../../src/core/search/pack/excerpt.js";
import { segmentsOf } from "../../../../src/core/text/segments.js";
import { createTokenCounter } from "../../../../src/tokens/o200k-token-counter.js";

let counter: TokenCounter;
beforeAll(async () => {
  counter = await createTokenCounter();
});
afterEach(() => vi.restoreAllMocks());

test("an excerpt ends after a sentence if one fits, and otherwise after a word", async () => {
  const text = "The lake froze. We walked across it to the island on the other side.";
  expect(await cutToFit(text, 8, counter)).toBe("The lake froze.");
  expect(await cutToFit(text, 3, counter)).toBe("The lake froze");
});

test.each([
  ["a family of four", "👨‍👩‍👧‍👦"],
  ["a flag", "🏴󠁧󠁢󠁳󠁣󠁴󠁿"],
  ["letters with marks", "e\u0323\u0302\u0301"],
  ["syllables of Devanagari", "क्षि"],
])("an excerpt splits no character if a whole one fits: %s", async (_, character) => {
  const text = character.repeat(40);
  const whole = counter.count(character);
  for (let maxTokens = 1; maxTokens < 60; maxTokens++) {
    const excerpt = await cutToFit(text, maxTokens, counter);
    if (maxTokens >= whole) expect(excerpt.length % character.length).toBe(0);
    expect(text.startsWith(excerpt)).toBe(true);
    expect(counter.count(excerpt)).toBeLessThanOrEqual(maxTokens);
  }
  expect(await cutToFit(text, 59, counter)).not.toBe("");
});

test("an excerpt of any text is its beginning, fits the budget, and ends after a whole character", async () => {
  const segmenter = new Intl.Segmenter("und", { granularity: "grapheme" });
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: "grapheme", minLength: 1, maxLength: 60 }),
      fc.integer({ min: 1, max: 20 }),
      async (text, maxTokens) => {
        fc.pre(counter.count(text) > maxTokens);
        const excerpt = await cutToFit(text, maxTokens, counter);
        expect(text.startsWith(excerpt)).toBe(true);
        expect(counter.count(excerpt)).toBeLessThanOrEqual(maxTokens);
        const [first = ""] = Array.from(segmenter.segment(text), ({ segment }) => segment);
        if (excerpt !== excerpt.trimEnd() || excerpt.length < first.length) return;
        expect(segmenter.segment(text).containing(excerpt.length)?.index).toBe(excerpt.length);
      },
    ),
  );
});

test("an excerpt of a long text does not segment the rest of the text", async () => {
  const iterations = vi.spyOn(
    Object.getPrototypeOf(new Intl.Segmenter().segment("")) as Intl.Segments,
    Symbol.iterator,
  );
  await cutToFit("a. ".repeat(20_000), 5_000, counter);
  expect(iterations).not.toHaveBeenCalled();
});

/** Scores each passage by how many words of the query it contains. */
function scoreBy(query: string): ScorePassages {
  return async (passages) =>
    passages.map((passage) => query.split(" ").filter((word) => passage.includes(word)).length);
}

async function excerptOf(
  text: string,
  query: string,
  maxTokens: number,
  tokens = counter,
): Promise<string> {
  const excerpt = await createExcerpter(text, tokens, scoreBy(query));
  return excerpt(maxTokens);
}

const notes =
  "The lake froze. We walked to the island. There was a zebra. It ate grass. " +
  "We took the boat back to the old harbour.";

test.each([
  ["zebra", 5, "There was a zebra."],
  ["zebra", 10, "There was a zebra. It ate grass."],
  ["lake zebra", 14, "The lake froze. … There was a zebra. It ate grass."],
  ["harbour", 12, "We took the boat back to the old harbour."],
  ["harbour", 4, "harbour."],
  ["boat", 5, "We took the boat back"],
  ["nothing", 5, "The lake froze."],
])("an excerpt for %j has the sentences that match best", async (query, maxTokens, expected) => {
  const excerpt = await excerptOf(notes, query, maxTokens);
  expect(excerpt).toBe(expected);
  expect(counter.count(excerpt)).toBeLessThanOrEqual(maxTokens);
});

test("an excerpt of a long sentence starts at the word that matches", async () => {
  const words = Array.from({ length: 400 }, (_, n) => `w${n}`).join(" ");
  const text = `${words} zebra crossing ahead ${words}`;
  const excerpt = await excerptOf(text, "zebra", 6);
  expect(excerpt).toMatch(/^zebra crossing/);
});

test("counting tokens for an excerpt of many short sentences reads the text less than 20 times", async () => {
  const text = "Ab. ".repeat(16_000);
  const budget = counter.count(text) - 10;
  let counted = 0;
  const meter: TokenCounter = {
    ...counter,
    countInTurns(part) {
      counted += part.length;
      return counter.countInTurns(part);
    },
  };
  const excerpt = await excerptOf(text, "Ab.", budget, meter);
  expect(counter.count(excerpt)).toBeGreaterThan(0.9 * budget);
  expect(counter.count(excerpt)).toBeLessThanOrEqual(budget);
  expect(counted).toBeLessThan(20 * text.length);
});

test("a long text is split into all of its sentences", async () => {
  const text = "One sentence is here. Two are better! ".repeat(1_500);
  const segments = await segmentsOf(text, "sentence", async () => undefined);
  expect(segments).toHaveLength(3_000);
  expect(segments.map(({ start, end }) => text.slice(start, end)).join("")).toBe(text);
});
