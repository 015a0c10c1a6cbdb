import { describe, expect, test } from "vitest";
import { createAnalyzer } from "../../../src/index/keyword/analyzer.js";

describe("index terms", () => {
  const analyze = createAnalyzer();

  test("are the stems of the words that say something, repeats included", () => {
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
  });

  test("keep scripts that have no English stem as they are", () => {
    expect(analyze("Москва 東京都 한국어 שָׁלוֹם")).toEqual(["москва", "東京", "京都", "한국", "국어", "שָׁלוֹם"]);
  });

  test("do not depend on what was analysed before, however much that was", () => {
    const expected = analyze("Interesting organisations and their 3rd committees");
    for (let i = 0; i < 40_000; i++) analyze(`word${i}`);
    expect(analyze("Interesting organisations and their 3rd committees")).toEqual(expected);
  });
});
