import { GB, type ParsedResult } from "chrono-node/en";
import { type Instant, millisOfInstant } from "../../instant.js";

/** Added when a memory's event falls into a month that the query names, and once more when the day fits too. Measured by bench/locomo. */
export const dateWeight = 0.15;

/** A time that a query names. */
export interface NamedDate {
  /** Counts only if it was named, or follows from a relative date. */
  readonly year: number | undefined;
  /** 1 to 12. */
  readonly month: number;
  /** Of the month; `undefined`: only the month was named. */
  readonly day: number | undefined;
}

/** Month names that are other words too: they count only as names are written. */
const ambiguous = /^(?:march|may|mar|sun|sat|wed|mon|second|sec)$/;

/** Beginning of a query that is looked at: the parser's time grows with the square of the length, and 8 KiB took 6 s. */
const parsedLength = 512;

/** What cannot name a date is not parsed, which takes 40 times as long. */
const dateHint = /\d|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|day|week|month|year|ago|last|next|night/i;

/** The dates that the first 512 characters of a query name, relative ones counted from the reference time, all in UTC. */
export function datesNamed(query: string, reference: Instant): NamedDate[] {
  const beginning = query.slice(0, parsedLength);
  if (!dateHint.test(beginning)) return [];
  const instant = new Date(millisOfInstant(reference));
  return GB.parse(beginning, { instant, timezone: 0 }).flatMap(namedDate);
}

/** How well an event's time fits the dates of a query, in weights: 0, 1 for the month, 2 for the day. */
export function dateFit(dates: readonly NamedDate[], eventTime: Instant | undefined): number {
  if (eventTime === undefined || dates.length === 0) return 0;
  const event = new Date(millisOfInstant(eventTime));
  let fit = 0;
  for (const { year, month, day } of dates) {
    const sameMonth = event.getUTCMonth() + 1 === month && (year === undefined || event.getUTCFullYear() === year);
    if (sameMonth) fit = Math.max(fit, event.getUTCDate() === day ? 2 : 1);
  }
  return fit;
}

function namedDate({ text, start }: ParsedResult): NamedDate[] {
  if (!start.isCertain("month") || ambiguous.test(text)) return [];
  return [{ year: certain(start, "year"), month: start.get("month") ?? 0, day: certain(start, "day") }];
}

function certain(components: ParsedResult["start"], part: "year" | "day"): number | undefined {
  return components.isCertain(part) ? (components.get(part) ?? undefined) : undefined;
}
