import { expect, test } from "vitest";
import { findDates } from "../../../../src/core/search/query/date.js";
import { mentionFit } from "../../../../src/core/search/score/mention.js";
import { dayOf } from "../../../../src/core/text/day-span.js";

const today = dayOf(Date.parse("2023-10-20"));

function span(first: string, last = first) {
  return { first: dayOf(Date.parse(first)), last: dayOf(Date.parse(last)) };
}

test.each([
  ["the day that the turn mentions", "8 May 2023", span("2023-05-08"), 2],
  ["another day of the month", "9 May 2023", span("2023-05-08"), 1],
  ["another month", "8 June 2023", span("2023-05-08"), 0],
  ["another year", "8 May 2022", span("2023-05-08"), 0],
  ["the day without a year", "8 May", span("2023-05-08"), 2],
  ["the month without a year", "in May", span("2023-05-08"), 1],
  ["a span of days around the day", "1-9 May 2023", span("2023-05-08"), 2],
  ["a day inside a span across months", "1 June 2023", span("2023-05-29", "2023-06-02"), 2],
  ["a day inside a span across years", "1 January", span("2023-12-30", "2024-01-02"), 2],
  ["a day of the month that the turn mentions", "8 May 2023", span("2023-05-01", "2023-05-31"), 1],
  ["an open range around the day", "since March 2023", span("2023-05-08"), 1],
  ["an open range beside the day", "before May 2023", span("2023-05-08"), 0],
])("a turn has the expected fit for a query that names %s", (_name, query, days, fit) => {
  expect(mentionFit(findDates(query, today), [days])).toBe(fit);
});

test("if a query names several dates and a turn several days, the best fit counts", () => {
  const dates = findDates("on 1 April 2023 and on 8 May 2023", today);
  expect(mentionFit(dates, [span("2020-01-01"), span("2023-05-08")])).toBe(2);
  expect(mentionFit(dates, [])).toBe(0);
  expect(mentionFit([], [span("2023-05-08")])).toBe(0);
});
