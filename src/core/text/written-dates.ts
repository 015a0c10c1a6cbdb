/** A month, or one day or several days of a month, that a query names. */
export interface QueryDate {
  /** `undefined` if the query neither names a year nor gives a relative date. */
  readonly year: number | undefined;
  /** 1 to 12. */
  readonly month: number;
  /** The first day, 1 to 31. `undefined`: the whole month. */
  readonly day: number | undefined;
  /** The last day. Absent: `day` is the only day. */
  readonly lastDay?: number;
}

/** A date written in a text, from `start` up to but not including `end` (UTF-16 units). */
export interface WrittenDate extends QueryDate {
  readonly start: number;
  readonly end: number;
}

/** The first three letters of the English months, January first. */
const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** A part of a regular expression that matches the English months, whole or abbreviated. */
export const monthNames =
  "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|" +
  "aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?";
/** A part of a regular expression that matches what lies between the parts of a date. */
export const gap = String.raw`[\s-]{1,3}`;
const day = String.raw`\d{1,2}(?:st|nd|rd|th)?`;
const connective = "-|–|,|to|and|or|until|till|through";
/** A part of a regular expression that matches a year, in the groups that `yearOf` reads. */
export const yearPattern =
  String.raw`(?<year>[12]\d{3})|['’](?<shortYear>\d{2})|` +
  String.raw`(?<whichYear>last|this|next)\s{1,3}year`;

/**
 * Returns a part of a regular expression that matches one or two days of a month, such as `7`,
 * `7th`, `11-15` or `11 and the 15th`.
 *
 * @param where Whether the days stand before or after the month. Becomes a part of the group names.
 */
function days(where: "Before" | "After"): string {
  return (
    String.raw`(?<day${where}>${day})(?:\s{0,3}(?<connective${where}>${connective})\s{0,3}` +
    String.raw`(?:the\s{1,3})?(?<last${where}>${day})\b(?!:\d))?`
  );
}

/**
 * Matches `7 July 2023`, `July 7th, 2023`, `8 May '23`, `11-15 August`, `May 2023`, `last May` and
 * `May last year`. Every repetition is bounded, so matching takes time linear in the text.
 */
const dateWithMonthName = new RegExp(
  [
    String.raw`\b(?:(?:${days("Before")}${gap}(?:of\s{1,3})?|(?<which>last|this|next)\s{1,3}))?`,
    String.raw`(?<month>${monthNames})\b\.?`,
    String.raw`(?:\s{1,3}(?:the\s{1,3})?${days("After")}\b(?!:\d))?`,
    String.raw`(?:,?${gap}(?:of\s{1,3})?(?:${yearPattern})\b)?`,
  ].join(""),
  "gi",
);

/** Matches `2023-07-07` and `2023-07`. */
const isoDate = /\b(?<year>[12]\d{3})-(?<month>\d{1,2})(?:-(?<dayAfter>\d{1,2}))?\b(?!-)/g;

/** Matches `last week`, but not `last weekend`. */
const week = /\b(?<which>last|past|this|next)\s{1,3}week\b/gi;

/** Matches the words before the first date of a span. */
const beforeSpan = /\b(?:between|from)\s{1,3}(?:the\s{1,3})?$/i;

/** Matches the words between the two dates of a span. */
const insideSpan = /^\s{0,3}(?:-|–|to|until|till|through)\s{0,3}(?:the\s{1,3})?$/i;
/** Matches the words between the two dates of a span after `between`. */
const insideBetween = /^\s{1,3}and\s{1,3}(?:the\s{1,3})?$/i;

/** Maximum number of days in a month. */
const daysMax = 31;

/** Maximum number of months of a span. Of a longer span, only the first and the last date count. */
const spanMonthsMax = 12;

/**
 * Finds the dates written in full in a text, in English or in the form of ISO 8601, and weeks such
 * as `last week`. The name of a month alone does not count. A span such as `between 28 July and
 * 3 August` yields one date for each month, and so does a week.
 *
 * @param reference The time that `last May` counts from, in UTC.
 */
export function findWrittenDates(text: string, reference: Date): WrittenDate[] {
  const dates = [...text.matchAll(dateWithMonthName), ...text.matchAll(isoDate)]
    .flatMap((match) => datesOf(match, text, reference))
    .toSorted((a, b) => a.start - b.start);
  return [
    ...joinSpans(dates, text),
    ...[...text.matchAll(week)].flatMap((match) => weekOf(match, reference)),
  ];
}

function datesOf(
  { 0: written, index, groups = {} }: RegExpExecArray,
  text: string,
  reference: Date,
): WrittenDate[] {
  const month = monthOf(groups["month"] ?? "");
  const year = yearOf(groups, month, reference);
  const [first, last] = [
    groups["dayBefore"] ?? groups["dayAfter"],
    groups["lastBefore"] ?? groups["lastAfter"],
  ].map(dayOf);
  // In "this may", "may" is rarely a month.
  const isNoDate =
    (first === undefined && year === undefined) ||
    (groups["which"] === "this" && groups["month"] === "may");
  if (isNoDate || month < 1 || month > 12 || !isDay(first) || !isDay(last)) return [];
  const date = { year, month, day: first, start: index, end: index + written.length };
  if (first === undefined || last === undefined) return [date];
  const connective = (groups["connectiveBefore"] ?? groups["connectiveAfter"] ?? "").toLowerCase();
  const isList =
    connective === "," ||
    connective === "or" ||
    (connective === "and" && !/\bbetween\s/i.test(text.slice(0, index).slice(-12)));
  if (isList || last <= first) return [date, { ...date, day: last }];
  return [{ ...date, lastDay: last }];
}

function dayOf(written: string | undefined): number | undefined {
  return written === undefined ? undefined : Number.parseInt(written, 10);
}

function isDay(day: number | undefined): boolean {
  return day === undefined || (day > 0 && day <= daysMax);
}

/** Replaces the first and last date of a span by the dates of the whole span. */
function joinSpans(dates: readonly WrittenDate[], text: string): WrittenDate[] {
  const result: WrittenDate[] = [];
  for (let i = 0; i < dates.length; i++) {
    const date = dates[i] as WrittenDate;
    const next = dates[i + 1];
    const span = next !== undefined && isSpan(date, next, text) ? spanOf(date, next) : [];
    if (span.length > 0) i += 1;
    result.push(...(span.length > 0 ? span : [date]));
  }
  return result;
}

function isSpan(first: WrittenDate, last: WrittenDate, text: string): boolean {
  if (
    first.day === undefined ||
    last.day === undefined ||
    first.lastDay !== undefined ||
    last.lastDay !== undefined
  )
    return false;
  const inside = text.slice(first.end, last.start);
  return (
    insideSpan.test(inside) ||
    (insideBetween.test(inside) && beforeSpan.test(text.slice(0, first.start).slice(-20)))
  );
}

/**
 * Returns one date for each month of a span; none if the span ends before it begins, or is too
 * long. If only the last date names a year, the first date lies in the same year. But if the first
 * month comes after the last month, the first date lies in the year before.
 */
function spanOf(first: WrittenDate, last: WrittenDate): WrittenDate[] {
  const yearsBetween =
    first.year === undefined || last.year === undefined
      ? Number(last.month < first.month)
      : last.year - first.year;
  const months = 12 * yearsBetween + last.month - first.month;
  const endYear = last.year ?? (first.year === undefined ? undefined : first.year + yearsBetween);
  const position = { start: first.start, end: last.end };
  if (months < 0 || months > spanMonthsMax || (months === 0 && (last.day ?? 0) < (first.day ?? 0)))
    return [];
  return Array.from({ length: months + 1 }, (_, i) => ({
    ...position,
    year:
      endYear === undefined
        ? undefined
        : endYear - yearsBetween + Math.floor((first.month - 1 + i) / 12),
    month: 1 + ((first.month - 1 + i) % 12),
    day: i === 0 ? first.day : 1,
    lastDay: i === months ? (last.day ?? daysMax) : daysMax,
  }));
}

/** Returns the days of a week, Monday to Sunday (ISO 8601). */
function weekOf(
  { 0: written, index, groups = {} }: RegExpExecArray,
  reference: Date,
): WrittenDate[] {
  const weeks = { this: 0, next: 1 }[groups["which"]?.toLowerCase() ?? ""] ?? -1;
  const monday = reference.getUTCDate() - ((reference.getUTCDay() + 6) % 7) + 7 * weeks;
  const [first, last] = [monday, monday + 6].map((date) => {
    const day = new Date(Date.UTC(reference.getUTCFullYear(), reference.getUTCMonth(), date));
    const position = { start: index, end: index + written.length };
    return {
      year: day.getUTCFullYear(),
      month: day.getUTCMonth() + 1,
      day: day.getUTCDate(),
      ...position,
    };
  }) as [WrittenDate, WrittenDate];
  return spanOf(first, last);
}

/** Returns the month of a name or number, 1 to 12 if there is such a month. */
export function monthOf(written: string): number {
  const month = 1 + months.indexOf(written.slice(0, 3).toLowerCase());
  return month > 0 ? month : Number(written);
}

/** Returns the year of a match of `yearPattern`; `undefined` if the match names none. */
export function yearOf(
  groups: Readonly<Record<string, string | undefined>>,
  month: number,
  reference: Date,
): number | undefined {
  const thisYear = reference.getUTCFullYear();
  if (groups["year"] !== undefined) return Number(groups["year"]);
  if (groups["shortYear"] !== undefined) return yearOfShort(Number(groups["shortYear"]), thisYear);
  const whichYear = groups["whichYear"]?.toLowerCase();
  if (whichYear !== undefined) return thisYear + ({ last: -1, next: 1 }[whichYear] ?? 0);
  const which = groups["which"]?.toLowerCase();
  const thisMonth = reference.getUTCMonth() + 1;
  if (which === "last") return month < thisMonth ? thisYear : thisYear - 1;
  if (which === "next") return month > thisMonth ? thisYear : thisYear + 1;
  return which === "this" ? thisYear : undefined;
}

/** Returns the nearest year with these last two digits, at most 50 years ahead. */
function yearOfShort(digits: number, thisYear: number): number {
  const inCentury = Math.floor(thisYear / 100) * 100 + digits;
  if (inCentury > thisYear + 50) return inCentury - 100;
  return inCentury <= thisYear - 50 ? inCentury + 100 : inCentury;
}
