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
  ["What was cooked on the evening of 3 June, 2022?", { year: 2022, month: 6, day: 3 }],
  ["What did they see in the night of March 9th, 2021?", { year: 2021, month: 3, day: 9 }],
  ["on the 21st of February, 2020", { year: 2020, month: 2, day: 21 }],
  ["meetings of 2022-04-30", { year: 2022, month: 4, day: 30 }],
  ["all of 2022-04", { year: 2022, month: 4, day: undefined }],
  ["Sept. 2022", { year: 2022, month: 9, day: undefined }],
  ["Whom did I call last Friday?", { year: 2023, month: 10, day: 13 }],
])("%s", (query, date) => {
  expect(datesNamed(query, reference)).toEqual([date]);
});

test.each([
  ["last May", 2023],
  ["last december", 2022],
  ["last October", 2022],
  ["this May", 2023],
  ["next May", 2024],
  ["next December", 2023],
  ["May last year", 2022],
  ["May of next year", 2024],
])("%s is one of a certain year", (query, year) => {
  expect(datesNamed(`What happened in ${query}?`, reference)).toMatchObject([{ year, day: undefined }]);
});

test("each of several dates counts, and a year that was not written is not made up of a day", () => {
  expect(datesNamed("What was said between June 20 and June 24 2021?", reference)).toEqual([
    { year: undefined, month: 6, day: 20 },
    { year: 2021, month: 6, day: 24 },
  ]);
});

test.each([
  ["the week before March 5, 2022", { year: 2022, month: 3, day: 5 }, { year: 2022, month: 2, day: 26 }],
  ["two days after 30 April 2021", { year: 2021, month: 4, day: 30 }, { year: 2021, month: 5, day: 2 }],
  ["from 4-9 June 2022", { year: 2022, month: 6, day: 9 }, { year: 2022, month: 6, day: 4 }],
])("%s names the written date and the one that follows from it", (query, written, other) => {
  expect(datesNamed(query, reference)).toEqual([written, other]);
});

test.each(["the 99 May queens", "room 2023-45", "what this may mean", "0 March"])("what is written in %j is no date", (query) => {
  expect(datesNamed(query, reference)).toEqual([]);
});

test("what is written behind the first 512 characters is not read, so that no query takes long", () => {
  const long = "1 of may 1 ".repeat(745);
  expect(datesNamed(`${"word ".repeat(102)}on 8 May 2023`, reference)).toEqual([]);
  expect(datesNamed(long, reference)).toEqual(datesNamed(long.slice(0, 512), reference));
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
