import { describe, expect, test, vi } from "vitest";
import { isStopWord, words } from "../../../src/core/text/words.js";

describe("words", () => {
  test("come in lower case, split at everything that is no letter, digit or emoji", () => {
    expect(words("Ann's new phone: +44 20-7946, model_X3 (ann@example.org)!")).toEqual(
      "ann s new phone 44 20 7946 model x3 ann example org".split(" "),
    );
  });

  test("keep the letters and marks of every script", () => {
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

  test("are the same for the composed and the decomposed, the wide and the plain form of a text", () => {
    expect(words("Cafe\u0301")).toEqual(words("Café"));
    expect(words("ＡＢＣ１２３")).toEqual(["abc123"]);
    expect(words("co\u00ADoperate")).toEqual(["cooperate"]);
  });

  test("are not made by signs that are emoji only on demand: a trade mark, an arrow, a keycap", () => {
    expect(words("1️⃣ Acme™ ©️ ↔️ ‼️")).toEqual(["1", "acme"]);
  });

  test("are emoji too, each by itself, whatever its skin tone and whether it is drawn in colour", () => {
    expect(words("🎉🎂🥳")).toEqual(["🎉", "🎂", "🥳"]);
    expect(words("party🎉tonight")).toEqual(["party", "🎉", "tonight"]);
    expect(words("I ❤️ it 👍🏽")).toEqual(words("I ❤ it 👍"));
    expect(words("👩🏽‍💻 👨‍👩‍👧")).toEqual(["👩", "💻", "👨", "👩", "👧"]);
  });

  test("are flags too, each as a whole", () => {
    expect(words("🇧🇷🇩🇪 🇧")).toEqual(["🇧🇷", "🇩🇪"]);
  });

  test("of Chinese, Japanese and Korean are overlapping pairs of characters", () => {
    expect(words("我喜欢咖啡。")).toEqual(["我喜", "喜欢", "欢咖", "咖啡"]);
    expect(words("コーヒーが好き")).toEqual(["コー", "ーヒ", "ヒー", "ーが", "が好", "好き"]);
    expect(words("커피를 마셔요")).toEqual(["커피", "피를", "마셔", "셔요"]);
    expect(words("猫 𠮷野家")).toEqual(["猫", "𠮷野", "野家"]);
  });

  test("stay whole where another script meets a Chinese or Japanese one", () => {
    expect(words("iPhoneを買う")).toEqual(["iphone", "を買", "買う"]);
  });

  test("of Thai, Lao, Khmer and Burmese are those of a dictionary", () => {
    expect(words("ผมชอบกาแฟ")).toEqual(["ผม", "ชอบ", "กาแฟ"]);
    expect(words("ພາສາລາວ")).toEqual(["ພາສາ", "ລາວ"]);
    expect(words("ភាសាខ្មែរ").length).toBeGreaterThan(0);
    expect(words("မြန်မာစာ").length).toBeGreaterThan(1);
  });

  test("of a long run without spaces are those of its parts", () => {
    const part = ["ผม", "ชอบ", "กาแฟ"];
    expect(words(part.join("").repeat(300))).toEqual(
      Array.from({ length: 300 }, () => part).flat(),
    );
  });

  test("of a long run without spaces are looked up a short part at a time, as each step takes time in proportion to the part", () => {
    const segment = vi.spyOn(Intl.Segmenter.prototype, "segment");
    words("ผมชอบกาแฟ".repeat(300));
    words(`ก${"\u0e48".repeat(20_000)}`);
    expect(Math.max(...segment.mock.calls.map(([text]) => text.length))).toBeLessThanOrEqual(256);
    segment.mockRestore();
  });

  test("keep as many marks on a letter as any script has, and no more, because putting them in order takes quadratic time", () => {
    const marks = "\u0327\u0301".repeat(15);
    expect(words(`a${marks}${"\u0327".repeat(20_000)}`)).toEqual(words(`a${marks}`));
    const normalized = vi.spyOn(String.prototype, "normalize");
    words(`a${"\u0301\u0327".repeat(20_000)}`);
    expect(Math.max(...normalized.mock.contexts.map((text) => String(text).length))).toBe(31);
    normalized.mockRestore();
  });

  test("are none in a text without letters, digits and emoji", () => {
    expect(words("")).toEqual([]);
    expect(words(" …!? \n")).toEqual([]);
  });
});

describe("stop words", () => {
  test("hold question words, auxiliaries and what an apostrophe leaves behind", () => {
    for (const word of ["what", "when", "did", "have", "the", "s", "t"])
      expect(isStopWord(word), word).toBe(true);
    for (const word of ["ann", "march", "like", "before", "7"])
      expect(isStopWord(word), word).toBe(false);
  });
});
