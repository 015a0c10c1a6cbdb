import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Language, stopWordsByLanguage } from "../../../src/core/text/stop-words.js";
import { words } from "../../../src/core/text/words.js";
import { allStemmers } from "../../../src/index/keyword/stemmers.js";
import { textsByLanguage } from "../../fixtures/texts-by-language.js";
import { propertyRuns } from "../../suite.js";

type Stem = (word: string) => string;
const stemmers = Object.entries(allStemmers) as [Language, Stem][];

/** Words that an object has as properties. */
const ofObjects = ["constructor", "tostring", "valueof", "hasownproperty", "__proto__", "length"];

function realWords(language: Language): string[] {
  return [...words(textsByLanguage[language]), ...stopWordsByLanguage[language]];
}

/**
 * Random words of a language: letters of the language, often with the ending of a real word. An
 * ending has up to four letters.
 */
function madeUpWords(language: Language): fc.Arbitrary<string> {
  const real = realWords(language);
  const letters = [...new Set(real.join(""))];
  const endings = [...new Set(real.flatMap((word) => [1, 2, 3, 4].map((n) => word.slice(-n))))];
  const stem = fc.string({ unit: fc.constantFrom(...letters), maxLength: 9 });
  return fc.oneof(
    stem,
    fc.tuple(stem, fc.constantFrom(...endings)).map((parts) => parts.join("")),
  );
}

/** Whether a word has the same stem, whatever was stemmed before it. */
function hasSteadyStem(stem: Stem, before: string, word: string): boolean {
  const first = stem(word);
  stem(before);
  return stem(word) === first && stem(word) === first;
}

describe("stemmers", () => {
  test("each language with a stemmer has a text of its own words for the tests", () => {
    expect(stemmers).toHaveLength(24);
    for (const [language] of stemmers) expect(realWords(language).length).toBeGreaterThan(30);
  });

  test.each(stemmers)(
    "%s: every word of real texts has a stem, and most are shortened",
    (language, stem) => {
      const real = [...new Set(words(textsByLanguage[language]))].filter(
        (word) => !stopWordsByLanguage[language].has(word),
      );
      const stems = real.map(stem);
      expect(stems.filter((one, at) => one !== real[at]).length).toBeGreaterThan(real.length / 3);
      const unsteady = realWords(language).filter(
        (word) => !hasSteadyStem(stem, real[0] as string, word),
      );
      expect(unsteady).toEqual([]);
    },
  );

  test.each(stemmers)(
    "%s: no word of the language's letters and endings fails, and its stem does not depend on earlier words",
    (language, stem) => {
      const word = madeUpWords(language);
      fc.assert(
        fc.property(word, word, (before, one) => hasSteadyStem(stem, before, one)),
        { numRuns: propertyRuns(20_000) },
      );
    },
  );

  test.each(stemmers)("%s: no text of any characters fails", (_, stem) => {
    const any = fc.oneof(
      fc.string({ unit: "binary", maxLength: 16 }),
      fc.string({ unit: "grapheme", maxLength: 16 }),
      fc.constantFrom(...ofObjects, "", "a".repeat(1_024), "а".repeat(1_024)),
    );
    fc.assert(
      fc.property(any, any, (before, one) => hasSteadyStem(stem, before, one)),
      { numRuns: propertyRuns(5_000) },
    );
  });

  test.each([
    ["град", "града градът градове градовете"],
    ["вестник", "вестник вестникът вестници вестниците"],
    ["собственик", "собственик собственика собственици собствениците"],
    ["подлог", "подлог подлогът подлози подлозите"],
    ["кожух", "кожух кожуха кожуси кожусите"],
    ["центр", "център центъра центърът центрове центровете"],
    ["промян", "промяна промяната промени промените"],
    ["песн", "песен песента песни песните"],
    ["строй", "строй строеве строевете"],
    ["верн", "верен верни"],
  ])("bulgarian: the stem of all forms is %s: %s", (stem, forms) => {
    const stems = forms.split(" ").map((form) => allStemmers.bulgarian?.(form));
    expect(new Set(stems)).toEqual(new Set([stem]));
  });

  test("ukrainian: words on -ость have the same stem each time", () => {
    const word = "собственностью";
    const stems = [1, 2, 3].map(() => allStemmers.ukrainian?.(word));
    expect(stems).toEqual(["собствен", "собствен", "собствен"]);
  });
});
