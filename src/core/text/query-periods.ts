import { type DaySpan, dayOf, daysOfMonth, monthOfDay } from "./day-span.js";
import { monthNames, type WrittenDate } from "./written-dates.js";

/** The day of a query. */
interface Today {
  /** Number of the day since 1970. */
  readonly day: number;
  /** 0 is Sunday. */
  readonly weekday: number;
  /** Number of the month, as `monthOfDay` returns it. */
  readonly month: number;
}

/** An expression that names a period, and the days of the period. */
interface PeriodExpression {
  /** Its repetitions are bounded, so matching takes time linear in the text. */
  readonly pattern: RegExp;
  /** Gets the groups of a match, in lower case. */
  readonly daysOf: (groups: Readonly<Record<string, string>>, today: Today) => readonly DaySpan[];
}

const weekdays = ["sun", "mon", "tues", "wednes", "thurs", "fri", "satur"];
const counts = ["", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
/** Number of years or weekends by which a word moves a period. */
const shifts: Readonly<Record<string, number>> = { last: -1, past: -1, previous: -1, next: 1 };
/** Number of days in a unit. */
const unitDays: Readonly<Record<string, number>> = { day: 1, week: 7 };
const which = String.raw`\b(?<which>last|past|previous|this|next)\s{1,3}`;

const expressions: readonly PeriodExpression[] = [
  {
    pattern: /\b(?:in|during|throughout|of|for|year)\s{1,3}(?<year>(?:19|20)\d{2})\b(?![-./:]\d)/gi,
    daysOf: ({ year = "" }) => [yearAt(12 * Number(year))],
  },
  {
    pattern: /^\W{0,9}(?<year>(?:19|20)\d{2})\W{0,9}$/gi,
    daysOf: ({ year = "" }) => [yearAt(12 * Number(year))],
  },
  {
    pattern: new RegExp(`${which}year\\b`, "gi"),
    daysOf: ({ which = "" }, { month }) => [yearAt(month + 12 * (shifts[which] ?? 0))],
  },
  {
    pattern: new RegExp(
      String.raw`\b(?:last|past|previous)\s{1,3}(?<count>${counts.slice(1).join("|")}|\d{1,2})` +
        String.raw`\s{1,3}(?<unit>day|week|month)s?\b`,
      "gi",
    ),
    daysOf: ({ count = "", unit = "" }, { day, month }) => {
      const number = counts.includes(count) ? counts.indexOf(count) : Number(count);
      const days = unitDays[unit];
      const first = days === undefined ? daysOfMonth(month - number).first : day - number * days;
      return [{ first, last: day }];
    },
  },
  {
    pattern: new RegExp(`${which}weekend\\b`, "gi"),
    daysOf: ({ which = "" }, { day, weekday }) => {
      const saturday = day - weekday + (weekday === 0 ? -1 : 6) + 7 * (shifts[which] ?? 0);
      return [{ first: saturday, last: saturday + 1 }];
    },
  },
  {
    // "On Mondays" names no day, and "on Monday, 3 May" is a written date.
    pattern: new RegExp(
      String.raw`\bon\s{1,3}(?<name>${weekdays.join("|")})day\b` +
        String.raw`(?!,?\s{1,3}(?:the\s{1,3})?(?:\d|(?:${monthNames})\b))`,
      "gi",
    ),
    // A question about the past means the last Monday. A question about plans means the next one.
    // So both Mondays count.
    daysOf: ({ name = "" }, { day, weekday }) => {
      const back = ((weekday - weekdays.indexOf(name) + 6) % 7) + 1;
      return [day - back, day - back + 7].map((named) => ({ first: named, last: named }));
    },
  },
  {
    pattern: /\bthis\s{1,3}(?:morning|afternoon|evening)\b/gi,
    daysOf: (_, { day }) => [{ first: day, last: day }],
  },
];

/** Matches every text in which an expression can match. */
const hint = /(?:19|20)\d{2}|year|last|past|previous|weekend|\bon\s|\bthis\s/i;

/**
 * Finds the periods that an English query names without the name of a month, such as years, "the
 * last two weeks", weekends and weekdays. Returns one date for each month of a period.
 *
 * @param reference The time that "last year" counts from, in UTC.
 */
export function findPeriods(query: string, reference: Date): WrittenDate[] {
  if (!hint.test(query)) return [];
  const day = dayOf(reference.getTime());
  const today = { day, weekday: reference.getUTCDay(), month: monthOfDay(day) };
  return expressions.flatMap(({ pattern, daysOf }) =>
    [...query.matchAll(pattern)].flatMap(({ 0: written, index, groups = {} }) =>
      daysOf(inLowerCase(groups), today)
        .flatMap(datesOf)
        .map((date) => ({ ...date, start: index, end: index + written.length })),
    ),
  );
}

/** Returns all days of the year that a month belongs to. `month` counts as `monthOfDay` does. */
function yearAt(month: number): DaySpan {
  const january = 12 * Math.floor(month / 12);
  return { first: daysOfMonth(january).first, last: daysOfMonth(january + 11).last };
}

/** Returns one date for each month of a span. */
function datesOf({ first, last }: DaySpan) {
  const start = monthOfDay(first);
  const months = monthOfDay(last) - start + 1;
  return Array.from({ length: months }, (_, at) => {
    const days = daysOfMonth(start + at);
    const position = { year: Math.floor((start + at) / 12), month: 1 + ((start + at) % 12) };
    if (first <= days.first && last >= days.last) return { ...position, day: undefined };
    return {
      ...position,
      day: Math.max(first, days.first) - days.first + 1,
      lastDay: Math.min(last, days.last) - days.first + 1,
    };
  });
}

function inLowerCase(groups: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const entries = Object.entries(groups);
  return Object.fromEntries(entries.map(([name, text = ""]) => [name, text.toLowerCase()]));
}
