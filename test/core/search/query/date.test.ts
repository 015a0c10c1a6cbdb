import { expect, test } from "vitest";
import { instantOfMillis } from "../../../../src/core/model/instant.js";
import { dateFit, findDates, isWithin } from "../../../../src/core/search/query/date.js";

const reference = instantOfMillis(Date.UTC(2023, 9, 20, 12));

function monthsOf(year: number, month: number, day: number, lastDay: number) {
  return [{ year, month, day, lastDay }];
}

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
  ["Whom did I call past Fri?", { year: 2023, month: 10, day: 13 }],
])("the date in %j is found", (query, date) => {
  expect(findDates(query, reference)).toEqual([date]);
});

test.each([
  ["late March", { year: undefined, month: 3, day: 21, lastDay: 31 }],
  ["mid-June 2022", { year: 2022, month: 6, day: 11, lastDay: 20 }],
  ["the end of May last year", { year: 2022, month: 5, day: 21, lastDay: 31 }],
  ["the first week of June", { year: undefined, month: 6, day: 1, lastDay: 7 }],
  ["the last week in October 2021", { year: 2021, month: 10, day: 25, lastDay: 31 }],
])("%s names a part of the month", (part, date) => {
  expect(findDates(`What happened in ${part}?`, reference)).toEqual([date]);
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
])("the year in %s is found", (query, year) => {
  expect(findDates(`What happened in ${query}?`, reference)).toMatchObject([
    { year, day: undefined },
  ]);
});

test("several dates are found, and a date without a year stays without a year", () => {
  expect(findDates("What was said on June 20 and on June 24 2021?", reference)).toEqual([
    { year: undefined, month: 6, day: 20 },
    { year: 2021, month: 6, day: 24 },
  ]);
});

test.each([
  [
    "the week before March 5, 2022",
    { year: 2022, month: 3, day: 5 },
    { year: 2022, month: 2, day: 26 },
  ],
  [
    "two days after 30 April 2021",
    { year: 2021, month: 4, day: 30 },
    { year: 2021, month: 5, day: 2 },
  ],
])("%s names the written date and the date relative to it", (query, written, other) => {
  expect(findDates(query, reference)).toEqual([written, other]);
});

test.each([
  ["between 11 and 15 August 2023", [{ year: 2023, month: 8, day: 11, lastDay: 15 }]],
  [
    "between the 11th and the 15th of August",
    [{ year: undefined, month: 8, day: 11, lastDay: 15 }],
  ],
  ["August 11-15, 2023", [{ year: 2023, month: 8, day: 11, lastDay: 15 }]],
  ["between August 11 and 15", [{ year: undefined, month: 8, day: 11, lastDay: 15 }]],
  ["from 4-9 June 2022", [{ year: 2022, month: 6, day: 4, lastDay: 9 }]],
  ["from 4 June to 9 June 2022", [{ year: 2022, month: 6, day: 4, lastDay: 9 }]],
  ["between June 20 and June 24 2021", [{ year: 2021, month: 6, day: 20, lastDay: 24 }]],
  ["from 2022-04-30 to 2022-05-02", [monthsOf(2022, 4, 30, 31), monthsOf(2022, 5, 1, 2)].flat()],
  [
    "28 November 2021 until 3 January 2022",
    [monthsOf(2021, 11, 28, 31), monthsOf(2021, 12, 1, 31), monthsOf(2022, 1, 1, 3)].flat(),
  ],
  ["11 and 12 August", [11, 12].map((day) => ({ year: undefined, month: 8, day }))],
  ["on the 11th or 15th of August 2023", [11, 15].map((day) => ({ year: 2023, month: 8, day }))],
  ["8 May '23", [{ year: 2023, month: 5, day: 8 }]],
  ["8 May ’98", [{ year: 1998, month: 5, day: 8 }]],
  ["last week", [{ year: 2023, month: 10, day: 9, lastDay: 15 }]],
  ["this week", [{ year: 2023, month: 10, day: 16, lastDay: 22 }]],
])("all days of %j are found", (written, dates) => {
  expect(findDates(`What was said ${written}?`, reference)).toEqual(dates);
});

test("a week can span two months", () => {
  const monday = instantOfMillis(Date.UTC(2024, 0, 8));
  expect(findDates("what did we do last week", monday)).toEqual([
    { year: 2024, month: 1, day: 1, lastDay: 7 },
  ]);
  const tuesday = instantOfMillis(Date.UTC(2024, 0, 2));
  expect(findDates("what will we do next week", tuesday)).toEqual(monthsOf(2024, 1, 8, 14));
  const autumn = instantOfMillis(Date.UTC(2023, 10, 7));
  expect(findDates("what did we do last week", autumn)).toEqual(
    [monthsOf(2023, 10, 30, 31), monthsOf(2023, 11, 1, 5)].flat(),
  );
});

test.each([
  ["What did we do in 2021?", [2021]],
  ["What did we do last year?", [2022]],
  ["our plans for next year", [2024]],
  ["2020", [2020]],
])("%j names every month of the year", (query, [year]) => {
  expect(findDates(query, reference)).toEqual(
    Array.from({ length: 12 }, (_, month) => ({ year, month: month + 1, day: undefined })),
  );
});

test.each([
  ["last weekend", monthsOf(2023, 10, 14, 15)],
  ["in the last 3 weeks", [monthsOf(2023, 9, 29, 30), monthsOf(2023, 10, 1, 20)].flat()],
  ["in the last two days", monthsOf(2023, 10, 18, 20)],
  ["on Monday", [monthsOf(2023, 10, 16, 16), monthsOf(2023, 10, 23, 23)].flat()],
  ["this morning", monthsOf(2023, 10, 20, 20)],
])("all days of the period %j are found", (period, dates) => {
  expect(findDates(`What was said ${period}?`, reference)).toEqual(dates);
});

test("`the past two months` names two whole months, and this month up to today", () => {
  expect(findDates("What was said in the past two months?", reference)).toEqual([
    { year: 2023, month: 8, day: undefined },
    { year: 2023, month: 9, day: undefined },
    { year: 2023, month: 10, day: 1, lastDay: 20 },
  ]);
});

test.each(["on Mondays", "the flat 2022", "order 2021-993", "version 2.2022.1"])(
  "%j names no period",
  (query) => {
    expect(findDates(`what about ${query}`, reference)).toEqual([]);
  },
);

test("a date with a day fits events of that day only, and a month fits events of each of its days", () => {
  const dayOf = (...date: [number, number, number]) => Date.UTC(...date) / 86_400_000;
  const day = findDates("on 8 May 2023", reference);
  const month = findDates("in May", reference);
  expect([8, 9].map((date) => isWithin(day, dayOf(2023, 4, date)))).toEqual([true, false]);
  expect([2001, 2023].map((year) => isWithin(month, dayOf(year, 4, 31)))).toEqual([true, true]);
  expect(isWithin(month, dayOf(2023, 5, 1))).toBe(false);
  const span = findDates("between 28 July and 3 August 2023", reference);
  const days = [dayOf(2023, 6, 27), dayOf(2023, 6, 31), dayOf(2023, 7, 3), dayOf(2023, 7, 4)];
  expect(days.map((each) => isWithin(span, each))).toEqual([false, true, true, false]);
});

test("an event on a day inside a span has a fit of 2, and on another day of the same months a fit of 1", () => {
  const dates = findDates("between 28 July and 3 August 2023", reference);
  const fits = [
    Date.UTC(2023, 6, 27),
    Date.UTC(2023, 6, 31, 23),
    Date.UTC(2023, 7, 3, 1),
    Date.UTC(2023, 7, 4),
    Date.UTC(2023, 8, 1),
  ];
  expect(fits.map((ms) => dateFit(dates, instantOfMillis(ms)))).toEqual([1, 2, 2, 1, 0]);
});

test.each(["the 99 May queens", "room 2023-45", "what this may mean", "0 March"])(
  "the number or word in %j is no date",
  (query) => {
    expect(findDates(query, reference)).toEqual([]);
  },
);

test("only the first 512 characters of a query are searched for dates", () => {
  const long = "1 of may 1 ".repeat(745);
  expect(findDates(`${"word ".repeat(102)}on 8 May 2023`, reference)).toEqual([]);
  expect(findDates(long, reference)).toEqual(findDates(long.slice(0, 512), reference));
});

test.each([
  "What may I eat?",
  "Did they march in the parade?",
  "What does she like?",
  "When did he run 5 km?",
  "",
])("%j names no date", (query) => {
  expect(findDates(query, reference)).toEqual([]);
});

test("an event on the day of a date has a fit of 2, and on another day of that month a fit of 1", () => {
  const dates = findDates("on 8 May 2023", reference);
  const fitAt = (...date: [number, number, number]) =>
    dateFit(dates, instantOfMillis(Date.UTC(...date)));
  expect([fitAt(2023, 4, 8), fitAt(2023, 4, 9), fitAt(2023, 5, 8), fitAt(2022, 4, 8)]).toEqual([
    2, 1, 0, 0,
  ]);
});

test("a month without a year fits that month of every year", () => {
  const dates = findDates("in May", reference);
  expect(dateFit(dates, instantOfMillis(Date.UTC(1999, 4, 1)))).toBe(1);
});

test("a memory without an event time fits no date", () => {
  expect(dateFit(findDates("on 8 May 2023", reference), undefined)).toBe(0);
});
