import { languagesOfText } from "../../text/languages.js";
import { type DayRange, fitOfDay, includesDay, rangesOf } from "../../text/times/day-ranges.js";
import { readTimes } from "../../text/times/read-times.js";

/**
 * Finds the days that a query names, by date or relative to its day.
 *
 * @param today The day of the query in the time zone of its caller, as a number since 1970.
 */
export function findDates(query: string, today: number): readonly DayRange[] {
  return rangesOf(readTimes(query, languagesOfText(query).latin, true), today);
}

/**
 * Returns how well the day of an event fits the dates of a query.
 * - 0: the event fits no date.
 * - 1: the event is in a month of the query, or in a range that is open or longer than a month.
 * - 2: the event is on a day of the query.
 */
export function dateFit(dates: readonly DayRange[], eventDay: number): number {
  let fit = 0;
  for (const date of dates) fit = Math.max(fit, fitOfDay(date, eventDay));
  return fit;
}

/** Whether an event lies within a date that a query names. A day holds only its own events. */
export function isWithin(dates: readonly DayRange[], eventDay: number): boolean {
  return dates.some((date) => includesDay(date, eventDay));
}
