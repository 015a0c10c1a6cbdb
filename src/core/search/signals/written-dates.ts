/** A time that a query names. */
export interface NamedDate {
  /** Counts only if it was named, or follows from a relative date. */
  readonly year: number | undefined;
  /** 1 to 12. */
  readonly month: number;
  /** Of the month; `undefined`: only the month was named. */
  readonly day: number | undefined;
}

/** A date as it is written in a text, at these positions. */
export interface WrittenDate extends NamedDate {
  readonly start: number;
  readonly end: number;
}

/** The first three letters of the English months, in their order. */
const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

const month =
  "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?";
const gap = String.raw`[\s-]{1,3}`;
const day = String.raw`\d{1,2}(?:st|nd|rd|th)?`;
const year = String.raw`(?<year>[12]\d{3})|(?<whichYear>last|this|next)\s{1,3}year`;

/** `7 July 2023`, `July 7th, 2023`, `8 May`, `May 2023`, `last May`, `May last year`. Repeats are bounded, so the time is linear in the text. */
const named = new RegExp(
  [
    String.raw`\b(?:(?:(?<dayBefore>${day})${gap}(?:of\s{1,3})?|(?<which>last|this|next)\s{1,3}))?`,
    String.raw`(?<month>${month})\b\.?`,
    String.raw`(?:\s{1,3}(?<dayAfter>${day})\b(?!:\d))?`,
    String.raw`(?:,?${gap}(?:of\s{1,3})?(?:${year})\b)?`,
  ].join(""),
  "gi",
);

/** `2023-07-07`, `2023-07`. */
const numbered = /\b(?<year>[12]\d{3})-(?<month>\d{1,2})(?:-(?<dayAfter>\d{1,2}))?\b(?!-)/g;

/**
 * The dates that are written out in a text, in English or as ISO 8601 has them. A month by itself is none.
 *
 * @param reference What "last May" counts from, in UTC.
 */
export function writtenDates(text: string, reference: Date): WrittenDate[] {
  return [...text.matchAll(named), ...text.matchAll(numbered)].flatMap((match) => dateOf(match, reference));
}

function dateOf({ 0: written, index, groups = {} }: RegExpExecArray, reference: Date): WrittenDate[] {
  const month = monthOf(groups["month"] ?? "");
  const dayText = groups["dayBefore"] ?? groups["dayAfter"];
  const day = dayText === undefined ? undefined : Number.parseInt(dayText, 10);
  const year = yearOf(groups, month, reference);
  // "this may" is rarely a month.
  const isNone = (day === undefined && year === undefined) || (groups["which"] === "this" && groups["month"] === "may");
  if (isNone || month < 1 || month > 12 || day === 0 || (day ?? 1) > 31) return [];
  return [{ year, month, day, start: index, end: index + written.length }];
}

function monthOf(written: string): number {
  const named = 1 + months.indexOf(written.slice(0, 3).toLowerCase());
  return named > 0 ? named : Number(written);
}

function yearOf(groups: Readonly<Record<string, string | undefined>>, month: number, reference: Date): number | undefined {
  if (groups["year"] !== undefined) return Number(groups["year"]);
  const thisYear = reference.getUTCFullYear();
  const whichYear = groups["whichYear"]?.toLowerCase();
  if (whichYear !== undefined) return thisYear + ({ last: -1, next: 1 }[whichYear] ?? 0);
  const which = groups["which"]?.toLowerCase();
  const thisMonth = reference.getUTCMonth() + 1;
  if (which === "last") return month < thisMonth ? thisYear : thisYear - 1;
  if (which === "next") return month > thisMonth ? thisYear : thisYear + 1;
  return which === "this" ? thisYear : undefined;
}
