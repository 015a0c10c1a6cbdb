import { expect, test } from "vitest";
import { dateFit, findDates, isWithin } from "../../../../src/core/search/query/date.js";
import { isoRanges } from "../../text/times/iso-ranges.js";

/** Friday, 20 October 2023. */
const today = dayOf("2023-10-20");

function dayOf(date: string): number {
  return Date.parse(date) / 86_400_000;
}

function datesIn(query: string): string[] {
  return isoRanges(findDates(query, today));
}

test.each([
  ["What happened on 8 May 2023?", ["2023-05-08"]],
  ["What did she do in July?", ["07-01/07-31"]],
  ["Where was he in December 2022?", ["2022-12-01/2022-12-31"]],
  ["What did we plan two weeks ago?", ["2023-10-04/2023-10-08"]],
  ["What did I eat yesterday?", ["2023-10-19"]],
  ["What will I eat tomorrow?", ["2023-10-21"]],
  ["What did we decide last month?", ["2023-09-01/2023-09-30"]],
  ["Who came on the 3rd of march?", ["03-03"]],
  ["Who came on the third of May?", ["05-03"]],
  ["Which spot did she visit in May?", ["05-01/05-31"]],
  ["What was cooked on the evening of 3 June, 2022?", ["2022-06-03"]],
  ["What did they see in the night of March 9th, 2021?", ["2021-03-09"]],
  ["the picture of December 1,2023", ["2023-12-01"]],
  ["meetings of 2022-04-30", ["2022-04-30"]],
  ["all of 2022-04", ["2022-04-01/2022-04-30"]],
  ["20.05.2023", ["2023-05-20"]],
  ["the call of 05/20/2023", ["2023-05-20"]],
  ["Sept. 2022", ["2022-09-01/2022-09-30"]],
  ["Whom did I call last Friday?", ["2023-10-13"]],
  ["Whom did I call past Fri?", ["2023-10-13"]],
  ["8 May '23", ["2023-05-08"]],
  ["8 May ’98", ["1998-05-08"]],
  ["on the 11th or 15th of August 2023", ["2023-08-11", "2023-08-15"]],
  ["11 and 12 August", ["08-11", "08-12"]],
  ["on June 20 and on June 24 2021", ["06-20", "2021-06-24"]],
  ["last week", ["2023-10-09/2023-10-15"]],
  ["this week", ["2023-10-16/2023-10-22"]],
  ["the week before last", ["2023-10-02/2023-10-08"]],
  ["the week of 3 May 2023", ["2023-05-01/2023-05-07"]],
  ["last weekend", ["2023-10-14/2023-10-15"]],
  ["in the last 3 weeks", ["2023-09-29/2023-10-20"]],
  ["in the last two days", ["2023-10-18/2023-10-20"]],
  ["in the past two months", ["2023-08-01/2023-10-20"]],
  ["4 years ago", ["2019-01-01/2019-12-31"]],
  ["in three days", ["2023-10-23"]],
  ["on Monday", ["2023-10-16", "2023-10-23"]],
  ["Friday, 3 May 2024", ["2024-05-03"]],
  ["this morning", ["2023-10-20"]],
  ["What did we do in 2021?", ["2021-01-01/2021-12-31"]],
  ["last year", ["2022-01-01/2022-12-31"]],
  ["2020", ["2020-01-01/2020-12-31"]],
  ["late March", ["03-21/03-31"]],
  ["mid-June 2022", ["2022-06-11/2022-06-20"]],
  ["the end of May last year", ["2022-05-21/2022-05-31"]],
  ["early 2022", ["2022-01-01/2022-04-30"]],
  ["the first week of June", ["06-01/06-07"]],
  ["the last week in October 2021", ["2021-10-25/2021-10-31"]],
  ["last May", ["2023-05-01/2023-05-31"]],
  ["last december", ["2022-12-01/2022-12-31"]],
  ["this May", ["2023-05-01/2023-05-31"]],
  ["next May", ["2024-05-01/2024-05-31"]],
  ["May of next year", ["2024-05-01/2024-05-31"]],
])("the days of %j are found", (query, dates) => {
  expect(datesIn(query)).toEqual(dates);
});

test.each([
  ["between 11 and 15 August 2023", "2023-08-11/2023-08-15"],
  ["between the 11th and the 15th of August", "08-11/08-15"],
  ["August 11-15, 2023", "2023-08-11/2023-08-15"],
  ["between August 11 and 15", "08-11/08-15"],
  ["from 4-9 June 2022", "2022-06-04/2022-06-09"],
  ["from 4 June to 9 June 2022", "2022-06-04/2022-06-09"],
  ["between June 20 and June 24 2021", "2021-06-20/2021-06-24"],
  ["from 2022-04-30 to 2022-05-02", "2022-04-30/2022-05-02"],
  ["28 November 2021 until 3 January 2022", "2021-11-28/2022-01-03"],
  ["from 28 November to 3 January 2022", "2021-11-28/2022-01-03"],
  ["between 9 June 2022 and 4 June 2022", "2022-06-04/2022-06-09"],
  ["from December to February", "12-01/02-28"],
  ["between 2020 and 2022", "2020-01-01/2022-12-31"],
  ["from March to May 2023", "2023-03-01/2023-05-31"],
  ["from Monday to Friday", "2023-10-16/2023-10-20"],
  ["before 20 March", "/2023-03-19"],
  ["before 20 March 2022", "/2022-03-19"],
  ["before March", "/2023-02-28"],
  ["before 2022", "/2021-12-31"],
  ["after 20 March 2023", "2023-03-21/"],
  ["after 2021", "2022-01-01/"],
  ["since March", "2023-03-01/"],
  ["since December", "2022-12-01/"],
  ["since last week", "2023-10-09/"],
  ["until 5 May", "/2023-05-05"],
  ["by 5 December", "/2023-12-05"],
  ["by Friday", "/2023-10-20"],
  ["by next Friday", "/2023-10-27"],
  ["from May onwards", "2023-05-01/"],
  ["20 March 2022 or later", "2022-03-20/"],
  ["20 March 2022 or earlier", "/2022-03-20"],
  ["after 3 March and before 9 March", "2023-03-04/2023-03-08"],
  ["before 9 March, after 3 March", "2023-03-04/2023-03-08"],
  ["the week before March 5, 2022", "2022-02-26/2022-03-04"],
  ["two days after 30 April 2021", "2021-05-02"],
  ["two weeks before 11 August 2023", "2023-07-28"],
  ["the Sunday before October 25, 2022", "2022-10-23"],
])("%j names a range", (written, range) => {
  expect(datesIn(`What was said ${written}?`)).toEqual([range]);
});

test.each([
  "What may I eat?",
  "Did they march in the parade?",
  "What does she like?",
  "When did he run 5 km?",
  "before Christmas",
  "not before 20 March",
  "every day except 20 March",
  "on Mondays",
  "the flat 2022",
  "order 2021-993",
  "version 2.2022.1",
  "the 99 May queens",
  "room 2023-45",
  "what this may mean",
  "0 March",
  "",
])("%j names no date", (query) => {
  expect(datesIn(query)).toEqual([]);
});

test("a date at the end of a long query is found", () => {
  expect(datesIn(`${"word ".repeat(1_600)}on 8 May 2023`)).toEqual(["2023-05-08"]);
  expect(datesIn("1 of may 1 ".repeat(745))).toHaveLength(745);
});

test("an event within a range is within a date of the query", () => {
  const days = (query: string, ...events: string[]) =>
    events.map((event) => isWithin(findDates(query, today), dayOf(event)));
  expect(days("on 8 May 2023", "2023-05-08", "2023-05-09")).toEqual([true, false]);
  expect(days("in May", "2001-05-31", "2023-05-01", "2023-06-01")).toEqual([true, true, false]);
  expect(days("before 20 March", "2019-12-01", "2023-03-19", "2023-03-20")).toEqual([
    true,
    true,
    false,
  ]);
  expect(days("from December to February", "2020-12-24", "2021-02-28", "2021-03-01")).toEqual([
    true,
    true,
    false,
  ]);
});

test.each([
  ["on 8 May 2023", ["2023-05-08", "2023-05-09", "2023-06-08", "2022-05-08"], [2, 1, 0, 0]],
  ["in May", ["1999-05-01", "1999-06-01"], [1, 0]],
  [
    "between 28 July and 3 August 2023",
    ["2023-07-27", "2023-07-31", "2023-08-03", "2023-08-04", "2023-09-01"],
    [1, 2, 2, 1, 0],
  ],
  ["before 20 March 2023", ["2023-03-19", "2023-03-20", "2019-01-01"], [1, 0, 1]],
])(
  "for %j, a day of the query has a fit of 2, and a day of a month or open range 1",
  (query, events, fits) => {
    const dates = findDates(query, today);
    expect(events.map((event) => dateFit(dates, dayOf(event)))).toEqual(fits);
  },
);
