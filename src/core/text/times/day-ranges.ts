import { type DaySpan, dayOf, daysOfMonth, monthOfDay, overlap, startOfDay } from "../day-span.js";
import {
  daysBack,
  daysOfYearWeek,
  isoWeekday,
  monthsInQuarter,
  monthsInYear,
  moveDay,
  partOfMonth,
  partOfMonths,
  partOfYear,
  yearOfDay,
} from "./calendar-days.js";
import type { DateTime, TimeExpression, TimeRelation, WrittenTime } from "./written-time.js";

/** Days that a query names. */
export interface DayRange {
  /** Numbers of days since 1970; infinite at an open end. At least `first` to `last`. */
  readonly days: DaySpan;
  /**
   * Whether the days count in every year, because the text names none. `days` then lie in the years
   * 2000 and 2001.
   */
  readonly isYearly: boolean;
  /** Whether the range names days, and not whole months or years or an open end. */
  readonly isExact: boolean;
}

/** A yearly range lies in this year and the next one. It is a leap year. */
const yearlyBase = 2000;
/** A longer range is not exact. */
const exactDaysMax = 45;
/** Number of days added before and after the day, because "two weeks ago" is seldom exact. */
const weeksAgoSlack = 2;
/** A date without a year after a relation lies at most this many days ahead. */
const aheadDaysMax = 183;

/**
 * Returns the days that the expressions of a query name. Of one range that is open at its end and
 * another that is open at its beginning, the days in both count: "after 3 May and before 9 May".
 *
 * @param today The day of the query, in its time zone.
 */
export function rangesOf(
  expressions: readonly TimeExpression[],
  today: number,
): readonly DayRange[] {
  const ranges = expressions.flatMap((expression) => rangesOfExpression(expression, today));
  const lower = ranges.filter(({ days }) => days.last === Number.POSITIVE_INFINITY);
  const upper = ranges.filter(({ days }) => days.first === Number.NEGATIVE_INFINITY);
  const [after, before] = [lower[0], upper[0]];
  if (lower.length !== 1 || upper.length !== 1 || after === undefined || before === undefined)
    return ranges;
  const days = { first: after.days.first, last: before.days.last };
  if (days.first > days.last) return ranges;
  const others = ranges.filter((range) => range !== after && range !== before);
  return [rangeOfDays(days, false), ...others];
}

/**
 * Returns the days that a memory names. A relation does not matter: "until Friday" names Friday.
 *
 * @param said The day on which it was said, in the time zone of the caller.
 */
export function mentionedDays(
  expressions: readonly TimeExpression[],
  said: number,
): readonly DaySpan[] {
  return expressions.map(({ relation, time, last }) => {
    const isAhead = relation === "until" || relation === "before";
    const first = mentionOf(time, said, isAhead);
    const end = last === undefined ? first : mentionOf(last, said, true);
    return { first: first.first, last: Math.max(first.last, end.last) };
  });
}

/** Returns how well a day fits a range: 0 not at all, 1 a month or an open range, 2 the day. */
export function fitOfDay(range: DayRange, day: number): number {
  if (includesDay(range, day)) return range.isExact ? 2 : 1;
  if (!range.isExact) return 0;
  return includesDay({ ...range, days: withWholeMonths(range.days) }, day) ? 1 : 0;
}

/** Whether a day lies in a range. */
export function includesDay({ days, isYearly }: DayRange, day: number): boolean {
  if (!isYearly) return days.first <= day && day <= days.last;
  const date = startOfDay(day);
  const inBase = dayOf(Date.UTC(yearlyBase, date.getUTCMonth(), date.getUTCDate()));
  const inNext = dayOf(Date.UTC(yearlyBase + 1, date.getUTCMonth(), date.getUTCDate()));
  return [inBase, inNext].some((one) => days.first <= one && one <= days.last);
}

/** Returns how well days that a memory names fit a range, as `fitOfDay` does. */
export function fitOfSpan(range: DayRange, span: DaySpan, isLong: boolean): number {
  const near = range.isYearly ? yearlyNear(range, span) : [range.days];
  let fit = 0;
  for (const days of near) {
    if (overlap(days, span)) fit = Math.max(fit, range.isExact && !isLong ? 2 : 1);
    else if (range.isExact && overlap(withWholeMonths(days), span)) fit = Math.max(fit, 1);
  }
  return fit;
}

/**
 * Whether the time of a memory includes a day of a query's dates. A day of the week and a date
 * without a year count in every week and year.
 *
 * @param said The day on which the memory was said.
 */
export function allowsTime(
  dates: readonly DayRange[],
  expression: TimeExpression,
  said: number,
): boolean {
  const { time } = expression;
  if (time.kind === "weekday" && time.shift === undefined && expression.last === undefined)
    return dates.some(({ days, isYearly }) => isYearly || hasWeekday(days, time.weekday));
  const ranges = rangesOfExpression(expression, said);
  return ranges.some((range) => dates.some((date) => haveDayInCommon(range, date)));
}

function haveDayInCommon(a: DayRange, b: DayRange): boolean {
  if (a.isYearly === b.isYearly && overlap(a.days, b.days)) return true;
  if (!a.isYearly && !b.isYearly) return false;
  const [yearly, other] = a.isYearly ? [a, b] : [b, a];
  const isOpen = !Number.isFinite(other.days.first + other.days.last);
  return isOpen || yearlyNear(yearly, other.days).some((days) => overlap(days, other.days));
}

function hasWeekday({ first, last }: DaySpan, weekday: number): boolean {
  if (last - first >= 6) return true;
  return first + ((weekday - isoWeekday(first) + 7) % 7) <= last;
}

/** Returns the days of a yearly range in the years of a span. */
function yearlyNear({ days }: DayRange, span: DaySpan): DaySpan[] {
  const length = days.last - days.first;
  const start = startOfDay(days.first);
  const years = [span.first, span.last].map((day) => Math.floor(monthOfDay(day) / monthsInYear));
  return [...new Set([...years, ...years.map((year) => year - 1)])].map((year) => {
    const first = dayOf(Date.UTC(year, start.getUTCMonth(), start.getUTCDate()));
    return { first, last: first + length };
  });
}

function withWholeMonths({ first, last }: DaySpan): DaySpan {
  return { first: daysOfMonth(monthOfDay(first)).first, last: daysOfMonth(monthOfDay(last)).last };
}

function rangesOfExpression({ relation, time, last }: TimeExpression, today: number): DayRange[] {
  if (relation === "between" && last !== undefined) return betweenRanges(time, last, today);
  if (relation === "at") return plainRanges(time, today);
  const { first, last: end } = relatedDays(time, today, relation);
  const days = {
    before: { first: Number.NEGATIVE_INFINITY, last: first - 1 },
    until: { first: Number.NEGATIVE_INFINITY, last: end },
    since: { first, last: Number.POSITIVE_INFINITY },
    after: { first: end + 1, last: Number.POSITIVE_INFINITY },
  }[relation as "before"];
  return [{ days, isYearly: false, isExact: false }];
}

function plainRanges(time: WrittenTime, today: number): DayRange[] {
  if (time.kind === "date" && isYearless(time)) {
    // The days of a week differ from year to year.
    if (time.yearWeek !== undefined)
      return [rangeOfDays(relatedDays(time, today, "before"), false)];
    const days = daysOfDate(time, yearlyBase);
    return days === undefined ? [] : [rangeOfDays(days, true)];
  }
  if (time.kind === "weekday" && time.shift === undefined) {
    // A question about the past means the last Monday. A question about plans means the next one.
    const ago = today - daysBack(today, time.weekday);
    return [ago, ago + 7].map((day) => rangeOfDays({ first: day, last: day }, false));
  }
  return [rangeOfDays(daysOf(time, today), false)];
}

/** Returns the range between two times. A range that ends before it begins is turned round. */
function betweenRanges(from: WrittenTime, to: WrittenTime, today: number): DayRange[] {
  if (from.kind === "date" && to.kind === "date") {
    const [named, other] = [from, to].map(isYearless);
    if (named === true && other === true) {
      const first = daysOfDate(from, yearlyBase);
      const last = daysOfDate(to, yearlyBase);
      if (first === undefined || last === undefined) return [];
      if (first.first <= last.last) return [rangeOfDays(spanOf(first, last), true)];
      const wrapped = {
        first: first.first,
        last: daysOfDate(to, yearlyBase + 1)?.last ?? last.last,
      };
      // "20 December to 10 January" is around the new year, "20 to 10 March" is turned round.
      const isShort = wrapped.last - wrapped.first <= aheadDaysMax;
      return [rangeOfDays(isShort ? wrapped : spanOf(first, last), true)];
    }
    if (named === true || other === true) {
      const later =
        (from.month ?? 1) * 31 + (from.day ?? 1) > (to.month ?? 12) * 31 + (to.day ?? 31);
      // "9 to 5 April 2025" is turned round, "9 December to 5 April 2025" is around the new year.
      const isTurned =
        later && from.day !== undefined && to.day !== undefined && !isShort(from, to);
      const year =
        yearOf(named === true ? to : from, today) +
        (named === true ? -1 : 1) * Number(later && !isTurned);
      const dated = { ...(named === true ? from : to), year };
      return betweenRanges(named === true ? dated : from, named === true ? to : dated, today);
    }
  }
  const first = relatedDays(from, today, "since");
  const last = relatedDays(to, first.first, "until");
  const end = to.kind === "weekday" || to.kind === "date" ? last : relatedDays(to, today, "until");
  return [rangeOfDays(spanOf(first, end), false)];
}

/** Whether two dates are at most half a year apart around the new year. */
function isShort(from: DateTime, to: DateTime): boolean {
  const first = daysOfDate(from, yearlyBase);
  const last = daysOfDate(to, yearlyBase + 1);
  return first !== undefined && last !== undefined && last.last - first.first <= aheadDaysMax;
}

/** Returns the days of two times and between them, whichever is first. */
function spanOf(one: DaySpan, other: DaySpan): DaySpan {
  return { first: Math.min(one.first, other.first), last: Math.max(one.last, other.last) };
}

function rangeOfDays(days: DaySpan, isYearly: boolean): DayRange {
  const whole = withWholeMonths(days);
  const isWholeMonth = whole.first === days.first && whole.last === days.last;
  return { days, isYearly, isExact: !isWholeMonth && days.last - days.first < exactDaysMax };
}

/** Returns the days of a time after a relation, which has to choose a year. */
function relatedDays(time: WrittenTime, today: number, relation: TimeRelation): DaySpan {
  if (time.kind === "weekday" && time.shift === undefined) {
    const ago = today - daysBack(today, time.weekday);
    const day = relation === "since" || relation === "after" ? ago : ago + 7;
    return { first: day, last: day };
  }
  if (time.kind !== "date" || !isYearless(time)) return daysOf(time, today);
  const thisYear = yearOfDay(today);
  const inYear = (year: number) => daysOfDate(time, year) ?? { first: today, last: today };
  const days = inYear(thisYear);
  if (relation === "since") return days.first > today ? inYear(thisYear - 1) : days;
  if (days.first - today > aheadDaysMax) return inYear(thisYear - 1);
  return days;
}

/** Returns the days that one time of a memory names. */
function mentionOf(time: WrittenTime, said: number, isAhead: boolean): DaySpan {
  if (time.kind === "weekday" && time.shift === undefined) {
    const ago = said - daysBack(said, time.weekday);
    const day = isAhead ? ago + 7 : ago;
    return { first: day, last: day };
  }
  if (time.kind === "date" && isYearless(time)) {
    const month = monthOfDay(said);
    const back = time.day === undefined && !isAhead && (time.month ?? 1) - 1 > month % monthsInYear;
    const days = daysOfDate(time, yearOfDay(said) - Number(back));
    return days ?? { first: said, last: said };
  }
  return daysOf(time, said);
}

/** Returns the days of a time that needs no choice. */
function daysOf(time: WrittenTime, today: number): DaySpan {
  switch (time.kind) {
    case "date":
      return daysOfDate(time, yearOf(time, today)) ?? { first: today, last: today };
    case "weekday": {
      const back = daysBack(today, time.weekday);
      const day = (time.shift ?? -1) < 0 ? today - back : today - back + (back === 7 ? 14 : 7);
      return { first: day, last: day };
    }
    case "beside": {
      const base = mentionBase(time.base, today);
      const { unit, count, isSpan } = time;
      const edge = count < 0 ? base.first : base.last;
      if (time.weekday !== undefined) {
        const back = edge - daysBack(edge, time.weekday);
        const ahead = back + (isoWeekday(edge) === time.weekday ? 14 : 7);
        const day = count < 0 ? back : ahead;
        return { first: day, last: day };
      }
      if (unit === "weekend") {
        const saturday = count < 0 ? edge - daysBack(edge, 6) : edge - daysBack(edge, 6) + 7;
        return { first: saturday, last: saturday + 1 };
      }
      const moved = moveDay(edge, unit, count);
      if (!isSpan) return { first: moved, last: moved };
      return count < 0 ? { first: moved, last: edge - 1 } : { first: edge + 1, last: moved };
    }
    case "offset":
      return daysOfOffset(time, today);
  }
}

function mentionBase(time: WrittenTime, today: number): DaySpan {
  return relatedDays(time, today, "before");
}

function daysOfOffset(time: Extract<WrittenTime, { kind: "offset" }>, today: number): DaySpan {
  const { unit, from, to, part, weekday, isCounted = false } = time;
  const month = monthOfDay(today);
  switch (unit) {
    case "day":
      return { first: today + from, last: today + to };
    case "week": {
      const monday = today - isoWeekday(today) + 1;
      if (weekday !== undefined) {
        const day = monday + 7 * from + weekday - 1;
        return { first: day, last: day };
      }
      if (isCounted)
        return { first: today + 7 * from - weeksAgoSlack, last: today + 7 * from + weeksAgoSlack };
      if (from !== to) return { first: today + 7 * from, last: today + 7 * to };
      return { first: monday + 7 * from, last: monday + 7 * from + 6 };
    }
    case "weekend": {
      const saturday = today - isoWeekday(today) + 6;
      return { first: saturday + 7 * from, last: saturday + 7 * to + 1 };
    }
    case "month": {
      if (from === to) return partOfMonth(month + from, part);
      return from < 0
        ? { first: daysOfMonth(month + from).first, last: today }
        : { first: today, last: daysOfMonth(month + to).last };
    }
    case "quarter": {
      const quarter = month - (month % monthsInQuarter);
      const start = (shift: number) => quarter + monthsInQuarter * shift;
      const days = {
        first: daysOfMonth(start(from)).first,
        last: daysOfMonth(start(to + 1) - 1).last,
      };
      if (from === to) return partOfMonths(start(from), monthsInQuarter, part);
      return from < 0 ? { ...days, last: today } : { ...days, first: today };
    }
    case "year": {
      const year = Math.floor(month / monthsInYear);
      if (from === to) return partOfYear(year + from, part);
      return from < 0
        ? { first: daysOfMonth(monthsInYear * (year + from)).first, last: today }
        : { first: today, last: partOfYear(year + to, undefined).last };
    }
  }
}

function isYearless({ year, yearShift, monthShift }: DateTime): boolean {
  return year === undefined && yearShift === undefined && monthShift === undefined;
}

function yearOf({ year, yearShift, monthShift, month = 1 }: DateTime, today: number): number {
  const thisYear = yearOfDay(today);
  if (year !== undefined) return year;
  if (yearShift !== undefined) return thisYear + yearShift;
  const thisMonth = (monthOfDay(today) % monthsInYear) + 1;
  if (monthShift === undefined || monthShift === 0) return thisYear;
  if (monthShift < 0) return month < thisMonth ? thisYear : thisYear - 1;
  return month > thisMonth ? thisYear : thisYear + 1;
}

/** Returns the days of a date in a year; `undefined` if the month has no such day at all. */
function daysOfDate(date: DateTime, year: number): DaySpan | undefined {
  const { month, day, lastDay = day, part, week, isWeek = false, isWeekend = false } = date;
  const { months = 1, years = 1, yearWeek } = date;
  if (yearWeek !== undefined) return daysOfYearWeek(year, yearWeek);
  if (month === undefined) return partOfMonths(monthsInYear * year, monthsInYear * years, part);
  const number = monthsInYear * year + month - 1;
  const days = daysOfMonth(number);
  if (week !== undefined)
    return week > 4
      ? { first: days.last - 6, last: days.last }
      : { first: days.first + 7 * (week - 1), last: days.first + 7 * week - 1 };
  if (months > 1) return partOfMonths(number, months, part);
  if (day === undefined || lastDay === undefined) return partOfMonth(number, part);
  const first = Math.min(days.first + day - 1, days.last);
  if (isWeek) {
    const monday = first - isoWeekday(first) + 1;
    return { first: monday, last: monday + 6 };
  }
  if (isWeekend) {
    const saturday = first - isoWeekday(first) + 6;
    return { first: saturday, last: saturday + 1 };
  }
  return { first, last: Math.min(days.first + lastDay - 1, days.last) };
}
