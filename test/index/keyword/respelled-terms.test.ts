import { describe, expect, test } from "vitest";
import { createAnalyzer } from "../../../src/index/keyword/analyzer.js";
import { KeywordIndex } from "../../../src/index/keyword/keyword-index.js";
import { respellTerms } from "../../../src/index/keyword/respelled-terms.js";
import { contextWeights } from "../../../src/index/thread/context-weights.js";
import { ThreadOrder } from "../../../src/index/thread/thread-order.js";

const analyzer = createAnalyzer();

/** Returns the respellings of a query in an index of some texts. */
function respell(
  texts: readonly string[],
  query: string,
  isKnownWord: (word: string) => boolean = () => false,
) {
  const index = new KeywordIndex(new ThreadOrder(() => ""), contextWeights.terms);
  for (const [row, content] of texts.entries())
    index.add(row, analyzer.indexTerms({ content, tags: [] }));
  return { index, ...respellTerms(analyzer.queryTerms(query), index, isKnownWord) };
}

describe("respellTerms", () => {
  test("respellTerms replaces only words that no row has", () => {
    const { respellings } = respell(["a farm in Lisbon"], "the frm or the farm in Lizbon");
    expect(respellings).toEqual([{ word: "lizbon", terms: ["lisbon"] }]);
  });

  test("respellTerms keeps a word that is known to be spelled right", () => {
    const { respellings } = respell(["the farm"], "form", (word) => word === "form");
    expect(respellings).toEqual([]);
  });

  test("respellTerms takes the four most frequent of the nearest terms", () => {
    const texts = ["talbon", "telbon", "tilbon", "tolbon", "tulbon", "tulbon telbon", "other"];
    const { respellings } = respell(texts, "tblbon");
    expect(respellings).toEqual([
      { word: "tblbon", terms: ["telbon", "tulbon", "talbon", "tilbon"] },
    ]);
  });

  test("respellTerms looks up the words of an identifier that no row has whole", () => {
    const { respellings } = respell(["retry count"], "retryCuont");
    expect(respellings).toEqual([{ word: "cuont", terms: ["count"] }]);
  });

  test("respellTerms looks up at most 16 words of a query", () => {
    const words = Array.from({ length: 20 }, (_, i) => `zeppelin${String.fromCharCode(97 + i)}`);
    const { respellings } = respell(["zeppelin"], words.join(" "));
    expect(respellings).toHaveLength(16);
  });

  test("respellTerms gives a term a lower weight the more edits it needs", () => {
    const scoreOf = (query: string) => {
      const { index, terms } = respell(["the bicycle", "the stapler", "the umbrella"], query);
      const scores = new Float32Array(3);
      const respelled = new Float32Array(3);
      index.score(terms, scores, new Int32Array(3), { respelled });
      return { score: scores[0] ?? 0, respelled: respelled[0] ?? 0 };
    };
    const [exact, one, two] = ["bicycle", "bicicle", "bycicle"].map(scoreOf);
    expect(exact?.respelled).toBe(0);
    expect(one?.respelled).toBe(one?.score);
    expect(one?.score).toBeLessThan(exact?.score ?? 0);
    expect(two?.score).toBeLessThan(one?.score ?? 0);
    expect(two?.score).toBeGreaterThan(0);
  });
});
