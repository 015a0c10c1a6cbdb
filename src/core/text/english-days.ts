import { type DaySpan, dayOf, daysOfMonth, monthOfDay } from "./day-span.js";
import { findTextDates } from "./month-parts.js";
import { monthNames, monthOf, type WrittenDate } from "./written-dates.js";

/** The day on which a turn was said. */
interface Said {
  /** Number of the day since 1970. */
  readonly day: number;
  /** 0 is Sunday. */
  readonly weekday: number;
  /** Number of the month, as `monthOfDay` returns it. */
  readonly month: number;
}

/** An expression that names days, and the days that it names. */
interface DayExpression {
  /**
   * Matches text in lower case. Its repetitions are bounded, so matching takes time linear in the
   * text.
   */
  readonly pattern: RegExp;
  /** Returns the days that a match names, from its groups; `undefined` if it names none. */
  readonly daysOf: (groups: Readonly<Record<string, string>>, said: Said) => DaySpan | undefined;
}

const counts: ReadonlyMap<string, number> = new Map(
  "a one two three four five six seven eight nine ten"
    .split(" ")
    .map((word, at): [string, number] => [word, Math.max(1, at)])
    .concat([
      ["an", 1],
      ["couple of", 2],
      ["few", 3],
    ]),
);
const weekdays = ["sun", "mon", "tues", "wednes", "thurs", "fri", "satur"];
/** Number of weekends, months or years by which a word moves a time. */
const shifts: Readonly<Record<string, number>> = { last: -1, past: -1, this: 0, next: 1 };
/** Number of days added before and after the day, because "two weeks ago" is seldom exact. */
const weeksAgoSlack = 2;

const expressions: readonly DayExpression[] = [
  {
    pattern: new RegExp(
      String.raw`\b(?:a\s{1,3})?(?<count>${[...counts.keys()].join("|")}|\d{1,2})\s{1,3}` +
        String.raw`(?<unit>day|week|month|year)s?\s{1,3}ago\b`,
      "g",
    ),
    daysOf: ({ count = "", unit }, said) => {
      const number = counts.get(count) ?? Number(count);
      if (unit === "month") return daysOfMonth(said.month - number);
      if (unit === "year") return yearOf(said, -number);
      if (unit === "day") return around(said.day - number, 0);
      return around(said.day - 7 * number, weeksAgoSlack);
    },
  },
  {
    pattern: new RegExp(
      String.raw`\b(?<which>last|past|this|next|on)\s{1,3}(?<name>${weekdays.join("|")})day\b`,
      "g",
    ),
    daysOf: ({ which, name = "" }, { day, weekday }) => {
      const named = weekdays.indexOf(name);
      const isAhead = which === "this" || which === "next";
      const days = isAhead ? ((named - weekday + 6) % 7) + 1 : -(((weekday - named + 6) % 7) + 1);
      return around(day + days, 0);
    },
  },
  {
    pattern:
      /\b(?<word>yesterday|last\s{1,3}night|today|tonight|this\s{1,3}(?:morning|afternoon|evening)|tomorrow)\b/g,
    daysOf: ({ word = "" }, { day }) => {
      const days =
        word === "tomorrow" ? 1 : word === "yesterday" || word.startsWith("last") ? -1 : 0;
      return around(day + days, 0);
    },
  },
  {
    pattern: /\b(?<which>last|past|this|next)\s{1,3}(?<unit>weekend|month|year)\b/g,
    daysOf: ({ which = "", unit }, said) => {
      const shift = shifts[which] ?? 0;
      if (unit === "month") return daysOfMonth(said.month + shift);
      return unit === "year" ? yearOf(said, shift) : weekendOf(said, shift);
    },
  },
  {
    pattern: new RegExp(
      String.raw`\b(?:in|since|during)\s{1,3}(?<month>${monthNames})\b(?!\s{1,3}\d)`,
      "g",
    ),
    daysOf: ({ month = "" }, said) => daysOfMonth(latestMonth(monthOf(month), said)),
  },
];

/** Matches every text in lower case in which an expression can match. */
const expressionHint = new RegExp(
  String.raw`\b(?:ago|yesterday|today|tonight|tomorrow|night|morning|afternoon|evening|weekend|` +
    String.raw`month|year|(?:${weekdays.join("|")})day|${monthNames})\b`,
);
/** Matches every text in lower case in which a written date can match. */
const dateHint = new RegExp(String.raw`\d|\b(?:week|${monthNames})\b`);

/** Finds the days that an English text names, by date or relative to the day it was said on. */
export function findEnglishDays(text: string, saidAt: Date): readonly DaySpan[] {
  const lowerCase = text.toLowerCase();
  const hasExpression = expressionHint.test(lowerCase);
  const hasDate = dateHint.test(lowerCase);
  if (!hasExpression && !hasDate) return [];
  const day = dayOf(saidAt.getTime());
  const said = { day, weekday: saidAt.getUTCDay(), month: monthOfDay(day) };
  const written = hasDate ? findTextDates(lowerCase, saidAt) : [];
  const relative = hasExpression ? expressions : [];
  return [
    ...written.map((date) => daysOfDate(date, saidAt)),
    ...relative.flatMap(({ pattern, daysOf }) =>
      [...lowerCase.matchAll(pattern)].map(({ groups = {} }) => daysOf(withSpaces(groups), said)),
    ),
  ].filter((span) => span !== undefined);
}

/** Returns the days of a written date. A date without a year lies in the year of `saidAt`. */
function daysOfDate({ year, month, day, lastDay = day }: WrittenDate, saidAt: Date): DaySpan {
  const days = daysOfMonth(12 * (year ?? saidAt.getUTCFullYear()) + month - 1);
  if (day === undefined || lastDay === undefined) return days;
  return {
    first: Math.min(days.first + day - 1, days.last),
    last: Math.min(days.first + lastDay - 1, days.last),
  };
}

function around(day: number, slack: number): DaySpan {
  return { first: day - slack, last: day + slack };
}

function yearOf({ month }: Said, shift: number): DaySpan {
  const january = 12 * (Math.floor(month / 12) + shift);
  return { first: daysOfMonth(january).first, last: daysOfMonth(january + 11).last };
}

/**
 * Returns the Saturday and Sunday of a weekend. Shift 0 means the weekend that has begun or comes
 * next.
 */
function weekendOf({ day, weekday }: Said, shift: number): DaySpan {
  const saturday = weekday === 0 ? day - 1 : day + 6 - weekday;
  return { first: saturday + 7 * shift, last: saturday + 7 * shift + 1 };
}

/** Returns the latest month with this number, 1 to 12, that had begun when the turn was said. */
function latestMonth(month: number, said: Said): number {
  const back = ((said.month % 12) - (month - 1) + 12) % 12;
  return said.month - back;
}

/** Writes each run of white space in the groups as one space. */
function withSpaces(groups: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const entries = Object.entries(groups);
  return Object.fromEntries(
    entries.map(([name, text = ""]) => [name, text.replace(/\s{1,3}/g, " ")]),
  );
}
