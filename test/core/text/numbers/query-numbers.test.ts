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
  ["Would Tim enjoy books by C. S. Lewis?", false],
  ["What LGBTQ events were there?", false],
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
  ["in commit 3f9a2c1", "in 3f9a2c1d8e7b6a5f4c3d2e1f0a9b8c7d6e5f4a3b", false],
  ["order 48231 or 48299", "order 48299", false],
  ["order 48231 or 48299", "order 48213", true],
  ["Node 20", "Node 20.11", false],
  ["the 2 constructors", "2 constructor calls", false],
  ["هل لديه ٣ قطط؟", "لديه 3 قطط", false],
  ["هل لديه ٣ قطط؟", "لديه ثلاثة قطط", false],
  ["هل لديه ٣ قطط؟", "لديه ٤ قطط", true],
  ["क्या ३५ मेहमान आए?", "पैंतीस मेहमान आए", false],
  ["Node 20", "Node 2.0", true],
  ["a race in 3:45:10", "a race in 3:54:10", true],
  ["2 hours", "two days ago, 120 minutes", false],
  ["is it 5 kg?", "it is 5 pounds", true],
])("for the query %j, %j is about another number: %j", (query, text, isOther) => {
  expect(otherNumbersOf(query, false)?.isIn(text)).toBe(isOther);
});
