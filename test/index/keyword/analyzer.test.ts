import { describe, expect, test } from "vitest";
import { createAnalyzer } from "../../../src/index/keyword/analyzer.js";

describe("index terms", () => {
  const { indexTerms, queryTerms: analyze } = createAnalyzer();

  test("are the stems of all words that are not stop words, repeats included", () => {
    expect(analyze("Where did Ann's sisters go rowing? They row in rowing boats!")).toEqual([
      "ann",
      "sister",
      "go",
      "row",
      "row",
      "row",
      "boat",
    ]);
  });

  test("are the same with and without accents", () => {
    expect(analyze("Zoë met José in the CAFÉ")).toEqual(analyze("Zoe met Jose in the cafe"));
    expect(analyze("ёлка")).toEqual(analyze("елка"));
    expect(analyze("שָׁלוֹם")).toEqual(analyze("שלום"));
  });

  test("are the same in the spellings that a language has for one word", () => {
    expect(analyze("Großvater STRASSE")).toEqual(analyze("Grossvater straße"));
    expect(analyze("مَوْعِد القـطـار مدرسة على أختي")).toEqual(analyze("موعد القطار مدرسه علي اختي"));
    expect(analyze("ｹﾞｰﾄ ＡＢＣ １２")).toEqual(analyze("ゲート abc 12"));
    expect(analyze("ـــ")).toEqual([]);
  });

  test("of a memory include each Chinese character, and of a query only a character that stands alone", () => {
    expect(indexTerms("黒い猫 ねこ")).toEqual(["黒い", "い猫", "黒", "猫", "ねこ"]);
    expect(indexTerms("我喜欢")).toEqual(["我喜", "喜欢", "我", "喜", "欢"]);
    expect(analyze("猫 我喜欢")).toEqual(["猫", "我喜", "喜欢"]);
  });

  test("are the same for a memory and a query where nothing is Chinese", () => {
    for (const text of ["Ann rows", "커피를 마셔요", "ผมชอบกาแฟ", "Zoë прочитала"])
      expect(indexTerms(text)).toEqual(analyze(text));
  });

  test("keep scripts that have no English stem as they are", () => {
    expect(analyze("Москва 東京都 한국어 שָׁלוֹם")).toEqual([
      "москва",
      "東京",
      "京都",
      "한국",
      "국어",
      "שלום",
    ]);
  });

  test("are the same for an emoji in a memory and in a query", () => {
    const { indexTerms, queryTerms } = createAnalyzer();
    expect(indexTerms("The party 🎉🥳 tonight")).toEqual(["parti", "🎉", "🥳", "tonight"]);
    expect(queryTerms("🥳")).toEqual(["🥳"]);
  });

  test("do not depend on texts analysed before", () => {
    const expected = analyze("Interesting organisations and their 3rd committees");
    for (let i = 0; i < 40_000; i++) analyze(`word${i}`);
    expect(analyze("Interesting organisations and their 3rd committees")).toEqual(expected);
  });
});
