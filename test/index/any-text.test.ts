import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Log } from "../../src/core/ports/log.js";
import { isNearDuplicate, phraseOf } from "../../src/core/text/near-duplicate.js";
import { type Analyzer, createAnalyzer } from "../../src/index/keyword/analyzer.js";
import { HotNamespaceIndex } from "../../src/index/namespace-index.js";
import { contextWeights } from "../../src/index/thread/context-weights.js";
import { KernelMemory } from "../../src/index/vector/kernel-memory.js";
import { memoryRecords } from "../../src/store/codec/memory-records.js";
import { sampleMemory } from "../contract/sample-records.js";
import { textsByLanguage } from "../fixtures/texts-by-language.js";
import { propertyRuns } from "../suite.js";

const kernel = new KernelMemory();
const realTexts = Object.values(textsByLanguage);
const realWords = realTexts.flatMap((text) => text.split(/\s+/));

/** Texts of any characters, texts of real words of one or more languages, and mixtures of both. */
const anyText = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...realWords) },
      { weight: 1, arbitrary: fc.constantFrom(...realTexts) },
      { weight: 2, arbitrary: fc.string({ unit: "grapheme" }) },
      { weight: 2, arbitrary: fc.string({ unit: "binary" }) },
      { weight: 1, arbitrary: fc.double().map(String) },
      { weight: 1, arbitrary: fc.constantFrom("__proto__", "constructor", "maxRetryCount", "\n") },
    ),
    { maxLength: 12 },
  )
  .chain((parts) => fc.constantFrom(" ", "", "-", "'", "_").map((by) => parts.join(by)));

/** A log that keeps its lines. */
function keptLog() {
  const lines: unknown[][] = [];
  const log: Log = (...line) => void lines.push(line);
  return { lines, log };
}

function emptyIndex(analyzer: Analyzer): HotNamespaceIndex {
  const parts = { analyzer, codec: memoryRecords, context: contextWeights, kernel };
  return new HotNamespaceIndex(parts, { epoch: "e", seq: 1 }, undefined);
}

function foundIn(index: HotNamespaceIndex, text: string): string[] {
  const { count, rows, keyword } = index.candidates({ text });
  return Array.from({ length: count }, (_, at) => at)
    .filter((at) => (keyword[at] as number) > 0)
    .map((at) => index.at(rows[at] as number as Parameters<typeof index.at>[0]).memory.id);
}

describe("texts of any characters and languages", () => {
  test("the terms of any text do not depend on the texts before it, and no stemmer fails", () => {
    const { lines, log } = keptLog();
    const used = createAnalyzer(log);
    fc.assert(
      fc.property(anyText, anyText, (content, tag) => {
        const memory = { content, tags: [tag], kind: tag };
        const fresh = createAnalyzer(log);
        expect(used.indexTerms(memory)).toEqual(fresh.indexTerms(memory));
        expect(used.queryTerms(content, ["bulgarian", "ukrainian"])).toEqual(
          fresh.queryTerms(content, ["bulgarian", "ukrainian"]),
        );
      }),
      { numRuns: propertyRuns(4_000) },
    );
    expect(lines).toEqual([]);
  });

  test("a namespace with memories of any texts can be searched, and each can be removed", () => {
    fc.assert(
      fc.property(fc.array(anyText, { minLength: 1, maxLength: 4 }), anyText, (contents, query) => {
        const index = emptyIndex(createAnalyzer());
        for (const [at, content] of contents.entries())
          index.put(sampleMemory(`m${at}`, content), undefined);
        for (const text of [query, ...contents]) index.candidates({ text });
        for (const at of contents.keys()) index.remove(`m${at}`);
        expect(index.size).toBe(0);
      }),
      { numRuns: propertyRuns(2_000) },
    );
  });

  test("any text with words or signs is a near-duplicate of itself with one more article", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const phrase = phraseOf(text);
        expect(isNearDuplicate(phrase, `${text} the`)).toBe(phrase.length > 0);
      }),
      { numRuns: propertyRuns(4_000) },
    );
  });
});

describe("a stemmer that fails", () => {
  /** Fails as a stemmer that writes to a string: the message of the error has the word. */
  function failing(word: string): string {
    throw new TypeError(`Cannot assign to read only property '3' of string '${word}'`);
  }
  const stemmers = { english: failing, bulgarian: failing, arabic: failing };

  test("a memory whose words cannot be stemmed is found by equal words, and can be removed", () => {
    const index = emptyIndex(createAnalyzer(() => undefined, stemmers));
    index.put(sampleMemory("bg", "Майка ми е родена във Варна"), undefined);
    index.put(sampleMemory("en", "Grandfather repaired the clocks"), undefined);
    index.put(sampleMemory("ar", "موعد البنك يوم الخميس"), undefined);
    expect(foundIn(index, "родена")).toEqual(["bg"]);
    expect(foundIn(index, "clocks")).toEqual(["en"]);
    expect(foundIn(index, "clock")).toEqual([]);
    expect(foundIn(index, "البنك")).toEqual(["ar"]);
    for (const id of ["bg", "en", "ar"]) index.remove(id);
    expect(index.size).toBe(0);
  });

  test("a failing stemmer is logged once for each language, without the word", () => {
    const { lines, log } = keptLog();
    const analyzer = createAnalyzer(log, stemmers);
    for (const content of ["Майка ми е родена във Варна", "Grandfather repaired the clocks"])
      for (let i = 0; i < 3; i++) analyzer.indexTerms({ content, tags: [] });
    const message = "a stemmer failed; words on which it fails are not stemmed";
    expect(lines).toEqual([
      ["error", message, { language: "bulgarian", reason: "TypeError" }],
      ["error", message, { language: "english", reason: "TypeError" }],
    ]);
  });
});
