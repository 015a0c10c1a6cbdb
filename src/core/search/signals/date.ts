import { GB, type ParsedResult } from "chrono-node/en";
import { type Instant, millisOfInstant } from "../../model/instant.js";
import { monthNames, type NamedDate, type WrittenDate, writtenDates } from "./written-dates.js";

/** Month names that are other words too: they count only as names are written. */
const ambiguous = /^(?:march|may|mar|sun|sat|wed|mon|second|sec)$/;

/** Beginning of a query that is looked at: the parser's time grows with the square of the length, and 8 KiB took 6 s. */
const parsedLength = 512;

/** What cannot name a date is not parsed, which takes 40 times as long. */
const dateHint = new RegExp(
  String.raw`\d|\b(?:${monthNames}|ago|last|next|mon|tues?|wed|thu(?:rs?)?|fri|sat|sun)\b|day|week|month|year|night`,
  "i",
);

/** Weekdays count where it is said which one: "on Mondays" is no date. */
const whichWeekday = /^(?:last|past|next|this)\s/i;

/**
 * The dates that the first 512 characters of a query name, relative ones counted from the reference time, all in UTC.
 * A date that is written out counts by itself, also where more is said of it: "the week before 3 August" names that week and the third.
 */
export function datesNamed(query: string, reference: Instant): NamedDate[] {
  const beginning = query.slice(0, parsedLength);
  if (!dateHint.test(beginning)) return [];
  const instant = new Date(millisOfInstant(reference));
  const written = writtenDates(beginning, instant);
  const parsed = GB.parse(beginning, { instant, timezone: 0 }).flatMap((result) => {
    const inside = written.filter(
      ({ start, end }) => start < result.index + result.text.length && end > result.index,
    );
    return namedDate(result).filter((date) => inside.every((other) => saysMore(date, other)));
  });
  return [...written.map(({ start: _start, end: _end, ...date }) => date), ...parsed];
}

/** How well an event's time fits the dates of a query, in weights: 0, 1 for the month, 2 for the day. */
export function dateFit(dates: readonly NamedDate[], eventTime: Instant | undefined): number {
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

/** Whether a date is another one than a written date that it was read from, and not the same read worse. */
function saysMore(date: NamedDate, written: WrittenDate): boolean {
  const { day = 0, lastDay = day } = written;
  return (
    date.month !== written.month ||
    (date.day !== undefined && (date.day < day || date.day > lastDay))
  );
}

function namedDate({ text, start }: ParsedResult): NamedDate[] {
  const month = start.get("month");
  if (month === null || ambiguous.test(text)) return [];
  if (start.isCertain("month"))
    return [{ year: certain(start, "year"), month, day: certain(start, "day") }];
  if (!start.isCertain("weekday") || !whichWeekday.test(text)) return [];
  return [{ year: start.get("year") ?? undefined, month, day: start.get("day") ?? undefined }];
}

function certain(components: ParsedResult["start"], part: "year" | "day"): number | undefined {
  return components.isCertain(part) ? (components.get(part) ?? undefined) : undefined;
}
