import { expect, test } from "vitest";
import { otherNumbersOf } from "../../../../src/core/text/numbers/query-numbers.js";

test.each([
  ["no digits here", false],
  ["in the 90s", false],
  ["one of them came first", false],
  ["what happened on 26 November 2023?", true],
  ["in 2022", true],
  ["2024-03-18", true],
  ["two weeks ago", true],
  ["what did Anna and I say?", false],
  ["Was gibt es Neues in der Stadt und auf dem Land?", false],
])("the query %j has no number, code or id", (query, namesDate) => {
  expect(otherNumbersOf(query, namesDate)).toBeUndefined();
});

test.each([
  ["my two cats", "my cats", false],
  ["my two cats", "my three cats", true],
  ["my two cats", "three years with my cats", false],
  ["order 48231", "the order", true],
  ["order 48231", "order 48 231", false],
  ["room ４２", "room 42", false],
  ["vitamin C", "a vitamin", true],
])("for the query %j, %j is about another number: %j", (query, text, isOther) => {
  expect(otherNumbersOf(query, false)?.isIn(text)).toBe(isOther);
});
