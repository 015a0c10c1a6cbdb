import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { languagesOfText } from "../../../src/core/text/languages.js";
import { words } from "../../../src/core/text/words.js";
import { eachWrittenPart } from "../../../src/core/text/written-words.js";

describe("the parts of a long text", () => {
  /** Texts with words of every kind. Some texts have no space at all. */
  const texts = [
    "Zoë прочитала «Войну и мир»; ",
    "黒い猫 ねこ、",
    "我喜欢",
    "我喜欢-ねこ_",
    "ผมชอบกาแฟ",
    "👩🏽‍💻🎉",
    "many-joints_",
    "manyHumps ",
    "manyHumps",
  ].flatMap((unit) => [1, 400, 700].map((times) => unit.repeat(times)));

  test("the parts of a long text have the same words as the text", () => {
    for (const text of texts) {
      const found = Array.from(eachWrittenPart(text), (part) => part.words).flat();
      const spaced = text.replace(/(?<=[a-z])(?=H)/g, " ").replaceAll("_", " ");
      expect(found.map(({ word }) => word).join(" ")).toBe(words(spaced).join(" "));
    }
  });

  test("the parts of a long text have at most 256 words each", () => {
    const counts = texts.flatMap((text) =>
      Array.from(eachWrittenPart(text), (part) => part.words.length),
    );
    expect(Math.max(...counts)).toBeLessThan(257);
  });

  test("the parts of a long text contain each of its Chinese characters exactly once", () => {
    for (const times of [341, 342, 683]) {
      const parts = Array.from(eachWrittenPart("我喜欢".repeat(times)));
      const characters = parts.flatMap((part) => part.characters);
      expect(characters.join("")).toBe("我喜欢".repeat(times));
    }
  });
});

test.each([
  ["Spanish", "¿Cuántos tienen? ¿Y cuáles?"],
  ["Polish", "Czego się z nim mamy i ile?"],
  ["Russian", "На чём она у него теперь? Сколько их?"],
  ["Arabic", "ماذا لديه؟ كم لي؟"],
])(
  "pronouns, question words and auxiliaries of %s are stop words in all their forms",
  (_, text) => {
    const written = [...eachWrittenPart(text)].flatMap((part) => part.words);
    expect(written.filter(({ role }) => role === "content")).toEqual([]);
  },
);

test("an ASCII text has the same parts as the text with a character outside ASCII appended", () => {
  const fragments =
    "the IT Kim maxRetryCount HTTPServer v2.4 a_b c-d 's don't O'Neil . ? NASA x1Y Z";
  const text = fc.array(
    fc.oneof(fc.constantFrom(...fragments.split(" ")), fc.string({ unit: "binary-ascii" })),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(text, fc.constantFrom(" ", ""), (parts, space) => {
      const ascii = parts.join(space);
      const languages = languagesOfText(ascii);
      const partsOf = (one: string) =>
        [...eachWrittenPart(one, languages)].filter(({ words }) => words.length > 0);
      expect(partsOf(ascii)).toEqual(partsOf(`${ascii} •`));
    }),
  );
});
