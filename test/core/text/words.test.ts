import { describe, expect, test, vi } from "vitest";
import { isStopWord, words } from "../../../src/core/text/words.js";

describe("words", () => {
  test("words are in lower case and consist of letters, digits or an emoji", () => {
    expect(words("Ann's new phone: +44 20-7946, model_X3 (ann@example.org)!")).toEqual(
      "ann s new phone 44 20 7946 model x3 ann example org".split(" "),
    );
  });

  test("words keep the letters and marks of every script", () => {
    expect(words("Zoë прочитала «Войну и мир» — हिन्दी में — שָׁלוֹם")).toEqual([
      "zoë",
      "прочитала",
      "войну",
      "и",
      "мир",
      "हिन्दी",
      "में",
      "שָׁלוֹם",
    ]);
  });

  test("words are equal for composed and decomposed, wide and plain forms of a text", () => {
    expect(words("Cafe\u0301")).toEqual(words("Café"));
    expect(words("ＡＢＣ１２３")).toEqual(["abc123"]);
    expect(words("co\u00ADoperate")).toEqual(["cooperate"]);
  });

  test("words do not include signs such as trade marks, arrows and keycaps", () => {
    expect(words("1️⃣ Acme™ ©️ ↔️ ‼️")).toEqual(["1", "acme"]);
  });

  test("words include each emoji, without its skin tone and colour variant", () => {
    expect(words("🎉🎂🥳")).toEqual(["🎉", "🎂", "🥳"]);
    expect(words("party🎉tonight")).toEqual(["party", "🎉", "tonight"]);
    expect(words("I ❤️ it 👍🏽")).toEqual(words("I ❤ it 👍"));
    expect(words("👩🏽‍💻 👨‍👩‍👧")).toEqual(["👩", "💻", "👨", "👩", "👧"]);
  });

  test("words include the flag of a country as one word", () => {
    expect(words("🇧🇷🇩🇪 🇧")).toEqual(["🇧🇷", "🇩🇪"]);
  });

  test("Chinese, Japanese and Korean words are overlapping pairs of characters", () => {
    expect(words("我喜欢咖啡。")).toEqual(["我喜", "喜欢", "欢咖", "咖啡"]);
    expect(words("コーヒーが好き")).toEqual(["コー", "ーヒ", "ヒー", "ーが", "が好", "好き"]);
    expect(words("커피를 마셔요")).toEqual(["커피", "피를", "마셔", "셔요"]);
    expect(words("猫 𠮷野家")).toEqual(["猫", "𠮷野", "野家"]);
  });

  test("words of another script stay whole next to Chinese or Japanese", () => {
    expect(words("iPhoneを買う")).toEqual(["iphone", "を買", "買う"]);
  });

  test("Thai, Lao, Khmer and Burmese words come from a dictionary", () => {
    expect(words("ผมชอบกาแฟ")).toEqual(["ผม", "ชอบ", "กาแฟ"]);
    expect(words("ພາສາລາວ")).toEqual(["ພາສາ", "ລາວ"]);
    expect(words("ភាសាខ្មែរ").length).toBeGreaterThan(0);
    expect(words("မြန်မာစာ").length).toBeGreaterThan(1);
  });

  test("a long run without spaces has the words of its parts", () => {
    const part = ["ผม", "ชอบ", "กาแฟ"];
    expect(words(part.join("").repeat(300))).toEqual(
      Array.from({ length: 300 }, () => part).flat(),
    );
  });

  test("a long run without spaces is segmented in windows of at most 256 UTF-16 code units", () => {
    const segment = vi.spyOn(Intl.Segmenter.prototype, "segment");
    words("ผมชอบกาแฟ".repeat(300));
    words(`ก${"\u0e48".repeat(20_000)}`);
    expect(Math.max(...segment.mock.calls.map(([text]) => text.length))).toBeLessThanOrEqual(256);
    segment.mockRestore();
  });

  test("words keep at most 30 marks on a letter, because normalization takes quadratic time", () => {
    const marks = "\u0327\u0301".repeat(15);
    expect(words(`a${marks}${"\u0327".repeat(20_000)}`)).toEqual(words(`a${marks}`));
    const normalized = vi.spyOn(String.prototype, "normalize");
    words(`a${"\u0301\u0327".repeat(20_000)}`);
    expect(Math.max(...normalized.mock.contexts.map((text) => String(text).length))).toBe(31);
    normalized.mockRestore();
  });

  test("a text without letters, digits and emoji has no words", () => {
    expect(words("")).toEqual([]);
    expect(words(" …!? \n")).toEqual([]);
  });
});

describe("stop words", () => {
  test("stop words include question words, auxiliaries and the letters after an apostrophe", () => {
    for (const word of ["what", "when", "did", "have", "the", "s", "t"])
      expect(isStopWord(word), word).toBe(true);
    for (const word of ["ann", "march", "like", "before", "7"])
      expect(isStopWord(word), word).toBe(false);
  });
});
