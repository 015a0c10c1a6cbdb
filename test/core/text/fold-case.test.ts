import { expect, test } from "vitest";
import { foldCase } from "../../../src/core/text/fold-case.js";

test.each([
  ["Wine", "wINE"],
  ["Straße", "STRASSE"],
  ["STRAẞE", "straße"],
  ["ΟΔΟΣ", "οδος"],
  ["Ёлка", "ёЛКА"],
  ["İstanbul", "i̇stanbul"],
  ["caf\u00e9", "CAFE\u0301"],
])("%s and %s are the same text in another case", (one, other) => {
  expect(foldCase(one)).toBe(foldCase(other));
});

test.each([
  ["a letter with an accent and the letter without it", "café", "cafe"],
  ["a digit and its superscript", "2", "²"],
  ["other letters", "wine", "vine"],
])("%s stay different", (_name, one, other) => {
  expect(foldCase(one)).not.toBe(foldCase(other));
});
