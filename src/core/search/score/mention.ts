import { type DaySpan, daysOfMonth, monthOfDay, overlap } from "../../text/day-span.js";
import type { QueryDate } from "../../text/written-dates.js";

/**
 * A span of at most this number of days names each of its days. A longer span, such as "last
 * month", only names its months.
 */
const singleDaySpanMax = 9;

/**
 * Returns how well the days that a turn names fit the dates of a query.
 * - 0: no day fits.
 * - 1: a day fits a month of the query.
 * - 2: a day fits a day of the query.
 */
export function mentionFit(dates: readonly QueryDate[], days: readonly DaySpan[]): number {
  let fit = 0;
  for (const span of days) {
    for (const date of dates) {
      const years = date.year === undefined ? [yearOf(span.first), yearOf(span.last)] : [date.year];
      for (const year of years) fit = Math.max(fit, fitOf(date, year, span));
    }
  }
  return fit;
}

function fitOf({ month, day, lastDay = day }: QueryDate, year: number, span: DaySpan): number {
  const days = daysOfMonth(12 * year + month - 1);
  if (!overlap(days, span)) return 0;
  if (day === undefined || lastDay === undefined || span.last - span.first >= singleDaySpanMax)
    return 1;
  const named = { first: days.first + day - 1, last: days.first + lastDay - 1 };
  return overlap(named, span) ? 2 : 1;
}

function yearOf(day: number): number {
  return Math.floor(monthOfDay(day) / 12);
}
