import { type DaySpan, daysOfMonth, monthOfDay } from "../day-span.js";

/** Number of months in a year. */
export const monthsInYear = 12;
/** Number of months in a quarter. */
export const monthsInQuarter = 3;

/** Returns the days of a month, or of its first, second or last ten. */
export function partOfMonth(month: number, part: number | undefined): DaySpan {
  const { first, last } = daysOfMonth(month);
  if (part === undefined) return { first, last };
  return { first: first + 10 * part, last: part === 2 ? last : first + 10 * part + 9 };
}

/** Returns the days of a week of a year. The first week has 4 January. */
export function daysOfYearWeek(year: number, week: number): DaySpan {
  const fourth = daysOfMonth(monthsInYear * year).first + 3;
  const first = fourth - isoWeekday(fourth) + 1 + 7 * (week - 1);
  return { first, last: first + 6 };
}

/** Returns the days of a year, or of its first, second or last four months. */
export function partOfYear(year: number, part: number | undefined): DaySpan {
  return partOfMonths(monthsInYear * year, monthsInYear, part);
}

/** Returns the days of several months, or those of their first, second or last third. */
export function partOfMonths(month: number, count: number, part: number | undefined): DaySpan {
  const [first, length] = part === undefined ? [0, count] : [(count / 3) * part, count / 3];
  return {
    first: daysOfMonth(month + first).first,
    last: daysOfMonth(month + first + length - 1).last,
  };
}

/** Returns the day that lies a number of units after a day; negative: before. */
export function moveDay(day: number, unit: string, count: number): number {
  if (unit === "day") return day + count;
  if (unit === "week" || unit === "weekend") return day + 7 * count;
  const months =
    count * (unit === "year" ? monthsInYear : unit === "quarter" ? monthsInQuarter : 1);
  const { first } = daysOfMonth(monthOfDay(day));
  const target = daysOfMonth(monthOfDay(day) + months);
  return Math.min(target.first + day - first, target.last);
}

/** Returns the number of days, 1 to 7, since the last day of this name. */
export function daysBack(today: number, weekday: number): number {
  return ((isoWeekday(today) - weekday + 6) % 7) + 1;
}

/** Returns the day of the week, 1 to 7, Monday first. Day 0 was a Thursday. */
export function isoWeekday(day: number): number {
  return ((((day + 3) % 7) + 7) % 7) + 1;
}

/** Returns the year of a day. */
export function yearOfDay(day: number): number {
  return Math.floor(monthOfDay(day) / monthsInYear);
}
