import fc from "fast-check";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { beforeAll, describe, expect, test } from "vitest";
import type { TokenCounter } from "../../src/core/ports/token-counter.js";
import { createTokenCounter } from "../../src/tokens/o200k-token-counter.js";
import { withTurns } from "../core/event-loop-turns.js";
import { bySuite } from "../suite.js";

/** Number of repetitions of a character, more than any token has. */
const runLength = bySuite({ quick: 1_500, full: 5_000 });

let tokens: TokenCounter;
beforeAll(async () => {
  tokens = await createTokenCounter();
});

/**
 * Fragments of texts: words, white space, punctuation, scripts without spaces, marks, emoji of
 * several code points, and look-alikes of special tokens.
 */
const fragments = fc.constantFrom(
  ...Array.from("abc XYZ 09 \t\n.,'!/-_<|>"),
  " ",
  "  ",
  "\r\n",
  "'ll",
  "I'vE",
  "hello",
  " world",
  "Donaudampfschifffahrt",
  "é",
  "e\u0301",
  "\u0301",
  "漢字",
  "ひらがな",
  "ที่",
  "न्",
  "مرحبا",
  "한국어",
  "ǅ",
  "½",
  "𠀀",
  "😀",
  "👩‍👩‍👧‍👦",
  "🏳️‍🌈",
  "<|endoftext|>",
  "<|im_start|>",
);
const texts = fc
  .oneof(
    fc.array(fragments, { maxLength: 60 }).map((parts) => parts.join("")),
    fc.string({ unit: "binary", maxLength: 60 }),
    fc.string({ unit: "grapheme", maxLength: 60 }),
  )
  // gpt-tokenizer counts U+FEFF as white space, but not U+0085.
  .filter((text) => !/[\ufeff\u0085]/.test(text));

/** Returns letters in a sequence that does not repeat, so that many tokens are needed. */
function lettersOf(length: number): string {
  return Array.from({ length }, (_, index) =>
    String.fromCharCode(97 + ((index * index + (index >> 3)) % 26)),
  ).join("");
}

test("an ASCII text has as many tokens as gpt-tokenizer counts", () => {
  const characters = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
  const words = ["hello", " World", "I'vE", "'ll", "  ", "\r\n", "camelCase", "1234", "://"];
  const parts = fc.constantFrom(...characters, ...words);
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 60 }), (texts) => {
      const text = texts.join("");
      expect(tokens.count(text)).toBe(countTokens(text, { disallowedSpecial: new Set() }));
    }),
    { numRuns: bySuite({ quick: 500, full: 10_000 }) },
  );
});

describe("counting a text between two others", () => {
  const ascii = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
  const words = ["hello", " World", "I'vE", "'ll", "  ", "\r\n", "1234", "://", "!!", " ?", "\n/"];
  const long = [" ".repeat(70), "!".repeat(70), "x".repeat(70), "lorem ipsum ".repeat(6)];
  const joined = (parts: readonly string[], maxLength: number) =>
    fc.array(fc.constantFrom(...parts), { maxLength }).map((texts) => texts.join(""));
  const inAscii = [...ascii, ...words, ...long];

  function expectSameCount(before: string, text: string, after: string): void {
    const counted = { text, tokens: tokens.count(text) };
    expect(tokens.countFramed(before, counted, after)).toBe(tokens.count(before + text + after));
  }

  test("the count is that of the whole text, for any ASCII text", () => {
    const before = fc.oneof(fc.constant("- "), joined(inAscii, 4));
    fc.assert(
      fc.property(
        before,
        joined(inAscii, 60),
        fc.constantFrom("", "\n", "\n", "'s"),
        expectSameCount,
      ),
      { numRuns: bySuite({ quick: 2_000, full: 100_000 }) },
    );
  });

  test("the count is that of the whole text, for any text", () => {
    const parts = [...inAscii, "é", "字", "😀"];
    fc.assert(fc.property(joined(parts, 4), joined(parts, 20), joined(parts, 4), expectSameCount));
  });

  test.each([
    ["nothing but punctuation and a line break", `${"!".repeat(24)}\n`, ""],
    ["a contraction at the end of what countFramed reads", `${"X".repeat(62)}'ll`, ""],
    ["white space beyond what countFramed reads", `${"\n".repeat(40)}${" \t".repeat(40)}\r\n!`, ""],
    ["a slash after a line break at its end", `${"lorem ipsum ".repeat(6)}!\n/`, "\n"],
    ["a slash after slashes and line breaks", `${"lorem ipsum ".repeat(6)}/\n/`, "\n"],
    ["much punctuation at its end", `lorem ${"!?".repeat(40)}`, "\n"],
    ["punctuation after a tab", "lorem\t!!", "\n"],
    ["punctuation after spaces", "lorem   !!", "\n"],
    ["nothing but punctuation", "!!", "\n"],
    ["no character", "", "\n"],
  ])("the count is that of the whole text if the text has %s", (_, text, after) => {
    for (const before of ["", "- ", "A", "-\n", " "]) expectSameCount(before, text, after);
  });

  test.each(["Ada drinks oat milk.", "Ada drinks oat milk", "Ada has 12", "Hi!", "(an aside)"])(
    "only the ends of %j are counted",
    (text) => {
      const counted = { text, tokens: 1_000 + tokens.count(text) };
      expect(tokens.countFramed("- ", counted, "\n")).toBe(1_000 + tokens.count(`- ${text}\n`));
    },
  );
});

describe("counting in turns", () => {
  test("counting in turns gives the same count as counting in one step, for any text", async () => {
    await fc.assert(
      fc.asyncProperty(texts, fc.integer({ min: 1, max: 500 }), async (text, times) => {
        const long = text.repeat(times);
        expect(await tokens.countInTurns(long)).toBe(tokens.count(long));
      }),
    );
  });

  test.each([
    ["one word", lettersOf(64 * 1024)],
    ["words", "wine and bread ".repeat(4_000)],
  ])("counting in turns lets other calls run while it counts a text of %s", async (_, text) => {
    const { reply, turns } = await withTurns(() => tokens.countInTurns(text));
    expect(reply).toBe(tokens.count(text));
    expect(turns).toBeGreaterThan(10);
  });
});

describe("counting", () => {
  test.each([
    ["", 0],
    ["hello world", 2],
    ["The user prefers oat milk in their coffee.", 9],
    ["私は昨日東京へ行きました。", 8],
    ["👩‍👩‍👧‍👦", 11],
    ["e\u0301", 2],
    ["\ufeff", 1],
  ])("%j has %i tokens, as OpenAI's own encoder counts", (text, count) => {
    expect(tokens.count(text)).toBe(count);
  });

  test("a text that looks like a special token is counted as plain text", () => {
    expect(tokens.count("<|endoftext|>")).toBe(7);
    expect(tokens.count("a<|im_start|>b")).toBeGreaterThan(5);
  });

  test("any text has as many tokens as gpt-tokenizer counts", () => {
    fc.assert(
      fc.property(
        texts,
        (text) => tokens.count(text) === countTokens(text, { disallowedSpecial: new Set() }),
      ),
    );
  });

  test("a long text in any script, with runs of up to 2,000 letters, has as many tokens as gpt-tokenizer counts", () => {
    const characters = fc.oneof(
      fc.integer({ min: 0x20, max: 0x7e }),
      fc.integer({ min: 0x4e00, max: 0x9fff }),
      fc.integer({ min: 0xe01, max: 0xe5b }),
      fc.integer({ min: 0x400, max: 0x4ff }),
      fc.integer({ min: 0x1f300, max: 0x1faff }),
    );
    const run = fc.tuple(
      characters,
      fc.integer({ min: 1, max: 50 }),
      fc.integer({ min: 1, max: 2_000 }),
    );
    const longTexts = fc
      .array(run, { minLength: 1, maxLength: 4 })
      .map((runs) =>
        runs
          .map(([first, step, length]) =>
            String.fromCodePoint(...Array.from({ length }, (_, i) => first + ((i * step) % 7))),
          )
          .join("\n\n"),
      );
    fc.assert(
      fc.property(
        longTexts,
        (text) => tokens.count(text) === countTokens(text, { disallowedSpecial: new Set() }),
      ),
    );
  });

  test.each(["a", "!", " ", "\n", "字", "א", "ก", "あ", "ß", "😀", "\u0301", "AQ", "/"])(
    `a run of ${runLength} times %j has as many tokens as gpt-tokenizer counts`,
    (characters) => {
      const text = `x ${characters.repeat(runLength)} y`;
      expect(tokens.count(text)).toBe(countTokens(text));
    },
  );

  test.each([
    ["Thai", 0xe01, 46, 996],
    ["Japanese", 0x3041, 86, 780],
    ["Hebrew", 0x5d0, 27, 1_500],
    ["Arabic", 0x628, 19, 1_200],
    ["Chinese", 0x4e00, 20_000, 3_000],
    ["Georgian", 0x10d0, 33, 2_000],
  ])(
    "a run of %s letters without a space has as many tokens as gpt-tokenizer counts",
    (_, first, kinds, length) => {
      for (const step of [1, 7, 31, 7_919]) {
        const letters = Array.from({ length }, (_, i) => first + ((i * step) % kinds));
        const text = String.fromCodePoint(...letters);
        expect(tokens.count(text)).toBe(countTokens(text));
      }
    },
  );

  test("a run of 12,000 Latin letters has as many tokens as gpt-tokenizer counts", () => {
    expect(tokens.count(lettersOf(12_000))).toBe(countTokens(lettersOf(12_000)));
  });

  test("a run of 80,000 letters is counted, and truncated to any number of tokens", async () => {
    const run = lettersOf(80_000);
    const count = tokens.count(run);
    expect(count).toBeGreaterThan(20_000);
    for (const maxTokens of [1, 1_000, count - 1])
      expect(tokens.count(await tokens.truncateInTurns(run, maxTokens))).toBe(maxTokens);
    expect(await tokens.truncateInTurns(run, count)).toBe(run);
  });

  test.each([
    ["a\u0085b", 4],
    ["a\u0085\u0085\u0085b", 8],
    ["\ufeffThe user", 3],
    ["one\ufeff two", 3],
  ])("%j has %i tokens, by Unicode's definition of white space", (text, count) => {
    expect(tokens.count(text)).toBe(count);
  });

  test.each([
    ["white space", " \t"],
    ["line breaks", " \n"],
    ["punctuation", "!?"],
    ["slashes and line breaks", "/\n"],
    ["marks", "\u0301\u0302"],
    ["capitals", "AQ"],
    ["digits", "07"],
    ["lone surrogates", "\ud800\udfff\ud800"],
  ])("100,000 characters of %s are counted", (_, pattern) => {
    expect(tokens.count(pattern.repeat(100_000 / pattern.length))).toBeGreaterThan(0);
  });

  test("a count does not depend on earlier counts", () => {
    fc.assert(
      fc.property(texts, texts, (text, other) => {
        const before = tokens.count(text);
        tokens.count(other);
        expect(tokens.count(text)).toBe(before);
      }),
    );
  });
});

describe("truncating", () => {
  test("truncating returns a prefix of the text within the allowed tokens", async () => {
    await fc.assert(
      fc.asyncProperty(texts, fc.nat(40), async (text, maxTokens) => {
        const beginning = await tokens.truncateInTurns(text, maxTokens);
        expect(text.startsWith(beginning)).toBe(true);
        expect(tokens.count(beginning)).toBeLessThanOrEqual(maxTokens);
      }),
    );
  });

  test("truncating never ends inside a character", async () => {
    await fc.assert(
      fc.asyncProperty(texts, fc.nat(40), async (text, maxTokens) => {
        expect((await tokens.truncateInTurns(text, maxTokens)).isWellFormed()).toBe(true);
      }),
    );
  });

  test("truncating can end between two tokens of a long run without spaces", async () => {
    const text = "漢字と仮名が切れ目なく続く長い文".repeat(10);
    const beginnings = await Promise.all(
      Array.from({ length: tokens.count(text) }, (_, index) =>
        tokens.truncateInTurns(text, index + 1),
      ),
    );
    for (const [index, beginning] of beginnings.entries())
      expect(text.startsWith(beginning) && tokens.count(beginning) <= index + 1).toBe(true);
    expect(new Set(beginnings).size).toBeGreaterThan(text.length / 2);
    expect(beginnings.at(-1)).toBe(text);
  });

  test("truncating returns the whole text if it fits", async () => {
    await fc.assert(
      fc.asyncProperty(
        texts,
        async (text) => (await tokens.truncateInTurns(text, tokens.count(text))) === text,
      ),
    );
  });

  test("truncating never returns less with a larger allowance", async () => {
    await fc.assert(
      fc.asyncProperty(texts, fc.nat(40), async (text, maxTokens) => {
        const less = await tokens.truncateInTurns(text, maxTokens);
        const more = await tokens.truncateInTurns(text, maxTokens + 1);
        expect(more.length).toBeGreaterThanOrEqual(less.length);
      }),
    );
  });

  test("truncating uses the whole allowance if each token is a word", async () => {
    expect(await tokens.truncateInTurns("one two three four", 3)).toBe("one two three");
    expect(await tokens.truncateInTurns("one two three four", 0)).toBe("");
  });

  test("truncating drops a character of several tokens rather than splitting it", async () => {
    expect(tokens.count("𠀀")).toBe(3);
    expect(await tokens.truncateInTurns("a𠀀b", 3)).toBe("a");
    expect(await tokens.truncateInTurns("a𠀀b", 4)).toBe("a𠀀");
  });

  test("truncating drops a token that would be two tokens at the end of the shorter text", async () => {
    expect(tokens.count("Now I'S")).toBe(3);
    expect(tokens.count("Now I'")).toBe(3);
    expect(await tokens.truncateInTurns("Now I'S", 2)).toBe("Now");
  });

  test("truncating treats lone surrogates as characters", async () => {
    const text = "a\ud800b\udc00c";
    for (let maxTokens = 0; maxTokens <= tokens.count(text); maxTokens++) {
      const beginning = await tokens.truncateInTurns(text, maxTokens);
      expect(text.startsWith(beginning)).toBe(true);
      expect(tokens.count(beginning)).toBeLessThanOrEqual(maxTokens);
    }
  });

  test.each([
    ["one word", lettersOf(64 * 1024)],
    ["words", "wine and bread ".repeat(4_000)],
  ])("truncating lets other calls run during a text of %s", async (_, text) => {
    const half = Math.floor(tokens.count(text) / 2);
    const { reply, turns } = await withTurns(() => tokens.truncateInTurns(text, half));
    expect(tokens.count(reply)).toBe(half);
    expect(turns).toBeGreaterThan(10);
  });
});
