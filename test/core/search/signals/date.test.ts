import { expect, test } from "vitest";
import { instantOfMillis } from "../../../../src/core/instant.js";
import { dateFit, datesNamed } from "../../../../src/core/search/signals/date.js";

const reference = instantOfMillis(Date.UTC(2023, 9, 20, 12));

test.each([
  ["What happened on 8 May 2023?", { year: 2023, month: 5, day: 8 }],
  ["What did she do in July?", { year: undefined, month: 7, day: undefined }],
  ["Where was he in December 2022?", { year: 2022, month: 12, day: undefined }],
  ["What did we plan two weeks ago?", { year: 2023, month: 10, day: 6 }],
  ["What did I eat yesterday?", { year: 2023, month: 10, day: 19 }],
  ["What did we decide last month?", { year: 2023, month: 9, day: undefined }],
  ["Who came on the 3rd of march?", { year: undefined, month: 3, day: 3 }],
  ["Which spot did she visit in May?", { year: undefined, month: 5, day: undefined }],
])("%s", (query, date) => {
  expect(datesNamed(query, reference)).toEqual([date]);
});

test.each(["What may I eat?", "Did they march in the parade?", "What does she like?", "When did he run 5 km?", ""])(
  "%j names no date",
  (query) => {
    expect(datesNamed(query, reference)).toEqual([]);
  },
);

test("a named month fits an event of that month, a named day fits it doubly", () => {
  const dates = datesNamed("on 8 May 2023", reference);
  const fitAt = (...date: [number, number, number]) => dateFit(dates, instantOfMillis(Date.UTC(...date)));
  expect([fitAt(2023, 4, 8), fitAt(2023, 4, 9), fitAt(2023, 5, 8), fitAt(2022, 4, 8)]).toEqual([2, 1, 0, 0]);
});

test("a month without a year fits that month of any year", () => {
  const dates = datesNamed("in May", reference);
  expect(dateFit(dates, instantOfMillis(Date.UTC(1999, 4, 1)))).toBe(1);
});

test("a memory without an event's time fits no date", () => {
  expect(dateFit(datesNamed("on 8 May 2023", reference), undefined)).toBe(0);
});
