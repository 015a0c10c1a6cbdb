import { GB, type ParsedResult } from "chrono-node/en";
import { type Instant, millisOfInstant } from "../../model/instant.js";
import { daysOfMonth, monthOfDay } from "../../text/day-span.js";
import { findTextDates } from "../../text/month-parts.js";
import { findPeriods } from "../../text/query-periods.js";
import { monthNames, type QueryDate, type WrittenDate } from "../../text/written-dates.js";

/**
 * Matches a word that the parser (chrono-node) reads as a date although it mostly means something
 * else.
 */
const ambiguousWord = /^(?:march|may|mar|sun|sat|wed|mon|second|sec)$/;

/**
 * Number of characters of a query that are searched for dates, from its start. The parser takes
 * time in proportion to the square of the length: 8 KiB took 6 s.
 */
const parsedLength = 512;

/** Matches any query that can name a date. This test takes a fortieth of the time of parsing. */
const dateHint = new RegExp(
  String.raw`\d|\b(?:${monthNames}|ago|last|next|mon|tues?|wed|thu(?:rs?)?|fri|sat|sun)\b|` +
    "day|week|month|year|night|this",
  "i",
);

/** Matches a weekday that names one day: "last Friday" does, "on Mondays" does not. */
const singleWeekday = /^(?:last|past|next|this)\s/i;

/**
 * Finds the dates that the first 512 characters of a query name, in UTC.
 *
 * A date written in full counts by itself, even as part of a longer expression: "the week before
 * 3 August" names 27 July and 3 August.
 *
 * @param reference The time that relative dates count from.
 */
export function findDates(query: string, reference: Instant): QueryDate[] {
  const beginning = query.slice(0, parsedLength);
  if (!dateHint.test(beginning)) return [];
  const instant = new Date(millisOfInstant(reference));
  const dates = findTextDates(beginning, instant);
  // In "May last year", the written date already has the year, so the period "last year" is left
  // out.
  const periods = findPeriods(beginning, instant).filter(
    ({ start, end }) => !dates.some((date) => date.start < end && start < date.end),
  );
  const written = [...dates, ...periods];
  const parsed = GB.parse(beginning, { instant, timezone: 0 }).flatMap((result) => {
    const resultEnd = result.index + result.text.length;
    if (written.some(({ start, end }) => start <= result.index && resultEnd <= end)) return [];
    const inside = written.filter(({ start, end }) => start < resultEnd && end > result.index);
    return dateOf(result).filter((date) => inside.every((other) => addsTo(date, other)));
  });
  return [...written.map(({ start: _start, end: _end, ...date }) => date), ...parsed];
}

/**
 * Returns how well an event fits the dates of a query.
 * - 0: the event fits no date.
 * - 1: the event fits a month.
 * - 2: the event fits a day.
 */
export function dateFit(dates: readonly QueryDate[], eventTime: Instant | undefined): number {
  if (eventTime === undefined || dates.length === 0) return 0;
  const event = new Date(millisOfInstant(eventTime));
  let fit = 0;
  for (const { year, month, day, lastDay = day } of dates) {
    const sameMonth =
      event.getUTCMonth() + 1 === month && (year === undefined || event.getUTCFullYear() === year);
    if (!sameMonth) continue;
    const sameDay =
      day !== undefined &&
      lastDay !== undefined &&
      event.getUTCDate() >= day &&
      event.getUTCDate() <= lastDay;
    fit = Math.max(fit, sameDay ? 2 : 1);
  }
  return fit;
}

/**
 * Whether an event lies within a date that a query names. A date with a day holds only events of
 * this day. A date without a day holds the events of its month.
 *
 * @param eventDay Number of the day since 1970, in UTC.
 */
export function isWithin(dates: readonly QueryDate[], eventDay: number): boolean {
  const month = monthOfDay(eventDay);
  return dates.some((date) => {
    const { year = Math.floor(month / 12), day, lastDay = day } = date;
    if (12 * year + date.month - 1 !== month) return false;
    const dayOfMonth = eventDay - daysOfMonth(month).first + 1;
    return day === undefined || (dayOfMonth >= day && dayOfMonth <= (lastDay ?? day));
  });
}

/**
 * Whether a date from the parser says something that a written date in the same text does not.
 * Returns false if the months are the same and the parser's date has no day, or a day of the
 * written date.
 */
function addsTo(date: QueryDate, written: WrittenDate): boolean {
  const { day = 0, lastDay = day } = written;
  return (
    date.month !== written.month ||
    (date.day !== undefined && (date.day < day || date.day > lastDay))
  );
}

/**
 * Returns the date of a parser's result. Returns none if the text says neither a month nor a
 * weekday that names one day. The parser calls a part certain if the text says it.
 */
function dateOf({ text, start }: ParsedResult): QueryDate[] {
  const month = start.get("month");
  if (month === null || ambiguousWord.test(text)) return [];
  if (start.isCertain("month"))
    return [{ year: certainPart(start, "year"), month, day: certainPart(start, "day") }];
  if (!start.isCertain("weekday") || !singleWeekday.test(text)) return [];
  return [{ year: start.get("year") ?? undefined, month, day: start.get("day") ?? undefined }];
}

function certainPart(components: ParsedResult["start"], part: "year" | "day"): number | undefined {
  return components.isCertain(part) ? (components.get(part) ?? undefined) : undefined;
}
