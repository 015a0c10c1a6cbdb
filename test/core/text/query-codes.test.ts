import { expect, test } from "vitest";
import { codesOfQuery } from "../../../src/core/text/query-codes.js";

function spellingsOf(query: string, namesDate = false): readonly string[] {
  return codesOfQuery(query, namesDate).flatMap(({ spellings }) => spellings);
}

test.each([
  ["where is order 48231?", "48231"],
  ["invoice INV-2023-17", "INV-2023-17"],
  ["IBAN DE89 3704 0044 0532 0130 00", "DE89370400440532013000"],
  ["IBAN DE89370400440532013000", "DE89 3704 0044 0532 0130 00"],
  ["call +49 170 123 4567", "491701234567"],
  ["the price of 1,250.00 euros", "1250"],
  ["my 2 cats", "two"],
  ["part B-12", "B12"],
  ["room ４２", "42"],
])("the query %j has a code that may be spelled %s", (query, spelling) => {
  expect(spellingsOf(query)).toContain(spelling);
});

test.each([
  ["no digits here", false],
  ["in the 90s", false],
  ["what happened on 26 November 2023?", true],
  ["in 2022", true],
  ["2024-03-18", true],
  ["two weeks ago", true],
  ["what did Anna and I say?", false],
])("the query %j has no code", (query, namesDate) => {
  expect(codesOfQuery(query, namesDate)).toEqual([]);
});

test("only another number of a memory contradicts a small number of the query", () => {
  const [two] = codesOfQuery("my two cats", false);
  expect(two?.rivals).toEqual(expect.arrayContaining(["3", "three", "third"]));
  expect(two?.rivals).not.toContain("two");
  const [order] = codesOfQuery("order 48231", false);
  expect(order?.spellings).toContain("48231");
  expect(order?.rivals).toBeUndefined();
});
