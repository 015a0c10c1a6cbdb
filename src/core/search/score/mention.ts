import type { DaySpan } from "../../text/day-span.js";
import { type DayRange, fitOfSpan } from "../../text/times/day-ranges.js";

/**
 * A span of at most this number of days names each of its days. A longer span, such as "last
 * month", only names its months.
 */
const singleDaySpanMax = 9;

/**
 * Returns how well the days that a turn names fit the dates of a query.
 * - 0: no day fits.
 * - 1: a day fits a month of the query, or an open or long range.
 * - 2: a day fits a day of the query.
 */
export function mentionFit(dates: readonly DayRange[], days: readonly DaySpan[]): number {
  let fit = 0;
  for (const span of days) {
    const isLong = span.last - span.first >= singleDaySpanMax;
    for (const date of dates) fit = Math.max(fit, fitOfSpan(date, span, isLong));
  }
  return fit;
}
