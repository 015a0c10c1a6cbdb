import { expect, test } from "vitest";
import { mentionFit } from "../../../../src/core/search/score/mention.js";
import { dayOf } from "../../../../src/core/text/day-span.js";

function span(first: string, last = first) {
  return { first: dayOf(Date.parse(first)), last: dayOf(Date.parse(last)) };
}

test.each([
  ["the day that the turn mentions", { year: 2023, month: 5, day: 8 }, span("2023-05-08"), 2],
  ["another day of the month", { year: 2023, month: 5, day: 9 }, span("2023-05-08"), 1],
  ["another month", { year: 2023, month: 6, day: 8 }, span("2023-05-08"), 0],
  ["another year", { year: 2022, month: 5, day: 8 }, span("2023-05-08"), 0],
  ["the day without a year", { year: undefined, month: 5, day: 8 }, span("2023-05-08"), 2],
  [
    "the month without a year",
    { year: undefined, month: 5, day: undefined },
    span("2023-05-08"),
    1,
  ],
  [
    "a span of days around the day",
    { year: 2023, month: 5, day: 1, lastDay: 9 },
    span("2023-05-08"),
    2,
  ],
  [
    "a day inside a span across months",
    { year: 2023, month: 6, day: 1 },
    span("2023-05-29", "2023-06-02"),
    2,
  ],
  [
    "a day inside a span across years",
    { year: undefined, month: 1, day: 1 },
    span("2023-12-30", "2024-01-02"),
    2,
  ],
  [
    "a day of the month that the turn mentions without a day",
    { year: 2023, month: 5, day: 8 },
    span("2023-05-01", "2023-05-31"),
    1,
  ],
])("a turn has the expected fit for a query that names %s", (_name, date, days, fit) => {
  expect(mentionFit([date], [days])).toBe(fit);
});

test("if a query names several dates and a turn several days, the best fit counts", () => {
  const dates = [
    { year: 2023, month: 4, day: 1 },
    { year: 2023, month: 5, day: 8 },
  ];
  expect(mentionFit(dates, [span("2020-01-01"), span("2023-05-08")])).toBe(2);
  expect(mentionFit(dates, [])).toBe(0);
  expect(mentionFit([], [span("2023-05-08")])).toBe(0);
});
