import { expect, test } from "vitest";
import { NumberReader } from "../../../../src/core/text/numbers/numbers-in-text.js";
import { plainNumbers } from "../../../../src/core/text/numbers/plain-numbers.js";
import type { Language } from "../../../../src/core/text/stop-words.js";

test.each<[Language, string, number]>([
  ["english", "one hundred and five", 105],
  ["english", "twelve thousand three hundred", 12_300],
  ["english", "minus twelve", -12],
  ["english", "two point five", 2.5],
  ["english", "1 1/2", 1.5],
  ["english", "1.2 million", 1_200_000],
  ["english", "950 euros and 80 cents", 950.8],
  ["english", "chapter XIV", 14],
  ["german", "zweihundertfünfundsiebzig", 275],
  ["german", "der einundzwanzigste", 21],
  ["french", "quatre-vingt-dix-neuf", 99],
  ["spanish", "treinta y cinco", 35],
  ["italian", "ventotto", 28],
  ["dutch", "vijfentwintig", 25],
  ["danish", "fem og halvfems", 5],
  ["danish", "femoghalvfems", 95],
  ["finnish", "kolmekymmentäviisi", 35],
  ["hungarian", "kétszáz", 200],
  ["turkish", "yirmi bir", 21],
  ["indonesian", "dua puluh satu", 21],
  ["vietnamese", "hai mươi mốt", 21],
  ["polish", "dwadzieścia pięć", 25],
  ["russian", "двести сорок тысяч", 240_000],
  ["arabic", "خمسة وعشرون", 25],
  ["persian", "بیست و یک", 21],
  ["hindi", "पैंतीस", 35],
  ["spanish", "ciento setenta y seis", 176],
  ["portuguese", "cento e cinco", 105],
  ["italian", "centotré", 103],
  ["greek", "εκατόν τριάντα πέντε", 135],
  ["arabic", "مائة وثمانية عشر", 118],
  ["hebrew", "מאה ותשע עשרה", 119],
  ["hindi", "दो लाख", 200_000],
  ["finnish", "kaksi miljoonaa viisisataatuhatta", 2_500_000],
  ["english", "三百二十个", 320],
])("in %s, %j is %d", (language, text, value) => {
  expect(NumberReader.of([language]).read(plainNumbers(text))[0]?.value).toBeCloseTo(value, 9);
});

test("a word that only begins like a number is none", () => {
  const read = (text: string, language: Language) => NumberReader.of([language]).read(text);
  expect(read("achtung, die dreisten zwerge", "german")).toEqual([]);
  expect(read("tensions, oneself and thousands", "english")).toEqual([]);
});
