import { type Days, MonthWords, type Read } from "./month-words.js";
import { type Atom, offset, periodOf, strong } from "./time-atom.js";
import { joinedLanguages, timeUnits } from "./time-lexicon.js";
import type { TimeLanguage } from "./time-words.js";
import { bit, nowhere, type TokenRow } from "./token-row.js";
import type { DateTime, WrittenTime } from "./written-time.js";

/** Languages in which "ago" before a unit alone means one: "منذ شهر". */
const oneAfterAgo: ReadonlySet<TimeLanguage> = new Set(["arabic", "vietnamese", "indonesian"]);
/** What can stand before a weak word and support it. */
const supports =
  bit.in |
  bit.before |
  bit.after |
  bit.since |
  bit.until |
  bit.from |
  bit.to |
  bit.between |
  bit.and |
  bit.part;

/** Reads single times: dates, and times relative to the day of the text. */
export class TimeAtoms {
  readonly #isJoined: boolean;
  readonly #months: MonthWords;
  /** The atoms that begin at positions. Several rules ask for the same one. */
  readonly #known = new Map<number, Atom | undefined>();

  constructor(
    private readonly row: TokenRow,
    private readonly language: TimeLanguage,
  ) {
    this.#isJoined = joinedLanguages.has(language);
    this.#months = new MonthWords(row, this.#isJoined);
  }

  /**
   * Reads the time that begins at a position.
   *
   * @param isSupported Whether a word before it says that a time follows.
   */
  read(at: number, isSupported: boolean): Atom | undefined {
    if (!(at < this.row.length)) return undefined;
    if (!this.#known.has(at)) this.#known.set(at, this.#readAny(at));
    const atom = this.#known.get(at);
    const counts =
      atom?.isWeak !== true ||
      isSupported ||
      this.isSupported(at) ||
      atom.next - at === this.row.length;
    return counts ? atom : undefined;
  }

  /** Whether the word before a position supports a weak word. */
  isSupported(at: number): boolean {
    return (
      this.row.is(this.row.before(at, bit.fill & ~supports), supports) ||
      this.row.is(at - 1, supports)
    );
  }

  #readAny(at: number): Atom | undefined {
    return (
      this.#partOf(at) ??
      this.#period(at, false) ??
      this.#weekOfMonth(at) ??
      this.#figures(at) ??
      this.#counted(at) ??
      this.#dayOfMonth(at) ??
      this.#monthAndDay(at) ??
      this.#yearFirst(at) ??
      this.#weekday(at) ??
      this.#shifted(at) ??
      this.#dayShift(at) ??
      this.#year(at)
    );
  }

  #figures(at: number): Atom | undefined {
    const date = this.row.at(at)?.date;
    if (date === undefined) return undefined;
    const { months, yearWeek, year } = date;
    if ((months ?? yearWeek) === undefined || year !== undefined)
      return strong({ kind: "date", ...date }, at + 1);
    const dated = this.#yearAfter(at + 1);
    if (this.#isFiscal(at + 1)) return undefined;
    return strong({ kind: "date", ...date, ...dated?.value }, dated?.next ?? at + 1);
  }

  /**
   * Reads "third quarter of 2025", "first half of last year", "first half of May" and "week 12 of
   * 2025". Without a year, these are seldom times.
   *
   * @param hasYear Whether the year stands before it.
   */
  #period(at: number, hasYear: boolean): Atom | undefined {
    const { row } = this;
    const figure = this.#isJoined ? bit.number : bit.ordinalDay;
    const before = row.find(at, bit.ordinal | figure | bit.shift);
    const unitAfter = row.find(before + 1, bit.unit);
    const isBefore = row.is(unitAfter, bit.unit);
    const unitAt = isBefore ? unitAfter : row.find(at, bit.unit);
    const numberAt = isBefore ? before : row.find(unitAt + 1, bit.number);
    const next = (isBefore ? unitAt : numberAt) + 1;
    const isLast = (row.value(numberAt, "shift") ?? 0) < 0;
    if (!(next <= row.length) || (isLast && !row.is(next, bit.in | bit.fill))) return undefined;
    const number = row.value(numberAt, "ordinal") ?? row.value(numberAt, "number");
    const period = periodOf(row.value(unitAt, "unit"), isLast ? "last" : number);
    if (period === undefined || this.#isFiscal(next)) return undefined;
    const inMonth = period.months === 6 ? this.#halfOfMonth(next, period.month === 1) : undefined;
    if (inMonth !== undefined || hasYear)
      return inMonth ?? strong({ kind: "date", ...period }, next);
    const year = this.#yearAfter(next);
    return year && strong({ kind: "date", ...period, ...year.value }, year.next);
  }

  #halfOfMonth(at: number, isFirst: boolean): Atom | undefined {
    const whole = this.#monthAndDay(this.row.skip(at, bit.in));
    const [time] = whole?.times ?? [];
    if (whole === undefined || time?.kind !== "date" || time.day !== undefined) return undefined;
    const [day, lastDay] = isFirst ? [1, 15] : [16, 31];
    return strong({ ...time, day, lastDay }, whole.next);
  }

  /** Reads the year after a period: "of 2025", "2025", "of last year". */
  #yearAfter(at: number): Read<Pick<DateTime, "year" | "yearShift">> | undefined {
    const { times, next } = this.#withYear([], 1, at);
    const [{ year, yearShift } = {}] = times as readonly DateTime[];
    if (year !== undefined) return { value: { year }, next };
    return yearShift === undefined ? undefined : { value: { yearShift }, next };
  }

  /** Whether a fiscal year follows. Nobody here knows when it begins. */
  #isFiscal(at: number): boolean {
    return this.row.is(this.row.skip(at, bit.in | bit.fill), bit.not);
  }

  /** Reads "the end of May", "early last year" and "the end of next week". */
  #partOf(at: number): Atom | undefined {
    const partAt = this.row.find(at, bit.part);
    const part = this.row.value(partAt, "part");
    if (part === undefined) return undefined;
    const start = this.row.skip(partAt + (this.row.isDash(partAt + 1) ? 2 : 1), bit.in);
    const whole =
      this.#period(start, false) ??
      this.#monthAndDay(start) ??
      this.#yearFirst(start) ??
      this.#shifted(start) ??
      this.#year(start);
    const [time] = whole?.times ?? [];
    if (whole === undefined || time === undefined) return undefined;
    if (time.kind === "date" && time.day === undefined)
      return strong({ ...time, part }, whole.next);
    const isLong = time.kind === "offset" && time.unit !== "day" && time.weekday === undefined;
    return isLong ? strong({ ...time, part }, whole.next) : undefined;
  }

  /** Reads "the first week of June". */
  #weekOfMonth(at: number): Atom | undefined {
    const { row } = this;
    const first = row.find(at, bit.ordinal | bit.ordinalDay | bit.shift);
    const number = row.value(first, "ordinal") ?? row.value(first, "number");
    const isLast = (row.value(first, "shift") ?? 0) < 0;
    const unit = row.find(first + 1, bit.unit);
    if (this.#unit(unit) !== "week" || (!isLast && (number === undefined || number > 4)))
      return undefined;
    const whole = this.#monthAndDay(row.skip(unit + 1, bit.in));
    const [time] = whole?.times ?? [];
    if (whole === undefined || time?.kind !== "date" || time.day !== undefined) return undefined;
    return strong({ ...time, week: isLast ? 5 : (number ?? 1) }, whole.next);
  }

  /** Reads "two weeks ago", "in two weeks", "the last two weeks". */
  #counted(at: number): Atom | undefined {
    const { row } = this;
    const opening = row.find(at, bit.shift | bit.ago | bit.ahead);
    const number = row.find(Number.isNaN(opening) ? at : opening + 1, bit.number);
    if (Number.isNaN(number)) return this.#agoOne(at, opening);
    // "In the 3rd quarter" counts no quarters.
    if (row.value(number, "ordinalDay") === 2) return undefined;
    const inner = row.find(number + 1, bit.shift);
    const isInner = row.is(row.find(inner + 1, bit.unit), bit.unit);
    const unitAt = row.find(isInner ? inner + 1 : number + 1, bit.unit);
    const unit = this.#unit(unitAt);
    if (unit === undefined) return undefined;
    const count = row.value(number, "number") ?? 0;
    const closing = row.find(unitAt + 1, bit.ago | bit.ahead | bit.shift);
    const before = row.value(isInner ? inner : opening, "shift");
    if ((before ?? 0) === 0) {
      const opensAhead = row.is(opening, bit.ahead) && !row.is(opening, bit.ago);
      const end = row.is(closing, bit.ago | bit.ahead) ? closing + 1 : unitAt + 1;
      if (row.is(closing, bit.ago) && !opensAhead) return strong(offset(unit, -count), end);
      if (row.is(opening, bit.ago)) return strong(offset(unit, -count), end);
      if (row.is(closing, bit.ahead) || row.is(opening, bit.ahead))
        return strong(offset(unit, count), end);
    }
    const shift = before ?? row.value(closing, "shift") ?? 0;
    if (shift === 0) return undefined;
    const [from, to] = shift < 0 ? [-count, 0] : [0, count];
    return strong(
      { kind: "offset", unit, from, to },
      before === undefined ? closing + 1 : unitAt + 1,
    );
  }

  /** Reads "неделю назад" and "منذ شهر". */
  #agoOne(at: number, opening: number): Atom | undefined {
    const { row } = this;
    if (oneAfterAgo.has(this.language) && row.is(opening, bit.ago | bit.ahead)) {
      const unit = row.find(opening + 1, bit.unit);
      const name = this.#unit(unit);
      if (name !== undefined)
        return strong(offset(name, row.is(opening, bit.ago) ? -1 : 1), unit + 1);
    }
    const unit = row.find(at, bit.unit);
    const closing = row.find(unit + 1, bit.ago);
    const name = this.#unit(unit);
    const isAgo = row.is(closing, bit.ago) && !row.is(closing, bit.shift) && !this.#isJoined;
    return isAgo && name !== undefined ? strong(offset(name, -1), closing + 1) : undefined;
  }

  /** Reads "3 May 2023", "11-15 August", "11 and 15 August". */
  #dayOfMonth(at: number): Atom | undefined {
    const days = this.#months.days(at);
    if (days === undefined) return undefined;
    const monthAt = this.row.find(
      this.row.isDash(days.next) ? days.next + 1 : days.next,
      bit.month,
    );
    const month = this.row.value(monthAt, "month");
    return month === undefined ? undefined : this.#withYear(days.value, month, monthAt + 1);
  }

  /** Reads "May", "May 3rd, 2023", "last May", "May last year", "5月3日". */
  #monthAndDay(at: number): Atom | undefined {
    const { row } = this;
    const shiftAt = row.find(at, bit.shift);
    const shift = row.value(shiftAt, "shift");
    const named = this.#months.month(shift === undefined ? at : shiftAt + 1);
    if (named === undefined) return undefined;
    const { value: month, next, isWeak } = named;
    if (shift !== undefined) {
      // In "this may", "may" is rarely a month.
      if (shift === 0 && isWeak && row.at(next - 1)?.isCapitalized !== true) return undefined;
      return strong({ kind: "date", month, monthShift: Math.sign(shift) }, next);
    }
    const days = this.#months.days(next);
    const isHour =
      days !== undefined && row.is(days.next, bit.hours) && !this.#months.isDayMark(days.next);
    if (days !== undefined && !isHour) return this.#withYear(days.value, month, days.next);
    const after = row.find(next, bit.shift);
    const shiftAfter = row.value(after, "shift");
    const isOwn = row.is(row.find(after + 1, bit.unit | bit.number | bit.weekday), ~0);
    if (shiftAfter !== undefined && !isOwn)
      return strong({ kind: "date", month, monthShift: Math.sign(shiftAfter) }, after + 1);
    const dated = this.#withYear([], month, next);
    return { ...dated, isWeak: isWeak && dated.next === next };
  }

  /** Reads "2025年5月3日" and "last year in May". */
  #yearFirst(at: number): Atom | undefined {
    const { row } = this;
    const yearAt = row.find(at, bit.year);
    const shifted = Number.isNaN(yearAt) ? this.#shiftedYear(at) : undefined;
    const start = shifted?.next ?? this.#skipYearMark(yearAt + 1);
    const rest = this.#monthAndDay(start) ?? this.#period(start, true);
    const [time] = rest?.times ?? [];
    if (rest === undefined || time?.kind !== "date" || time.year !== undefined) return undefined;
    const year =
      shifted === undefined ? { year: this.#yearAt(yearAt) } : { yearShift: shifted.value };
    return strong({ ...time, ...year }, rest.next);
  }

  #year(at: number): Atom | undefined {
    const yearAt = this.row.find(at, bit.year);
    if (Number.isNaN(yearAt)) return undefined;
    const next = this.#skipYearMark(yearAt + 1);
    const isShort = (this.row.value(yearAt, "year") ?? 0) < 0;
    const times = [{ kind: "date", year: this.#yearAt(yearAt) } as const];
    return { times, isWeak: next === yearAt + 1 && !isShort, next };
  }

  /** Reads "last Friday", "Friday", "Friday, 3 May", "Friday last week". */
  #weekday(at: number): Atom | undefined {
    const { row } = this;
    const shiftAt = row.find(at, bit.shift);
    const shiftBefore = row.value(shiftAt, "shift");
    const weekdayAt = row.find(shiftBefore === undefined ? at : shiftAt + 1, bit.weekday);
    const weekday = row.value(weekdayAt, "weekday");
    if (weekday === undefined) return undefined;
    const next = weekdayAt + 1;
    const rest = row.skip(next, bit.in);
    if (shiftBefore === undefined || row.is(next, bit.in)) {
      const date = this.#figures(rest) ?? this.#dayOfMonth(rest) ?? this.#monthAndDay(rest);
      const [time] = date?.times ?? [];
      if (time?.kind === "date" && time.day !== undefined) return date;
    }
    const week = shiftBefore === undefined ? this.#shifted(rest) : undefined;
    const [inWeek] = week?.times ?? [];
    if (week !== undefined && inWeek?.kind === "offset" && inWeek.unit === "week")
      return strong({ ...inWeek, weekday }, week.next);
    const after = shiftBefore === undefined ? row.find(next, bit.shift) : nowhere;
    const shift = shiftBefore ?? row.value(after, "shift");
    if (shift === undefined) {
      const times = [{ kind: "weekday", weekday } as const];
      return { times, isWeak: row.is(weekdayAt, bit.weak), next };
    }
    const time: WrittenTime = this.#isJoined
      ? { kind: "offset", unit: "week", from: shift, to: shift, weekday }
      : { kind: "weekday", weekday, shift: shift < 0 ? -1 : 1 };
    return strong(time, Number.isNaN(after) ? next : after + 1);
  }

  /** Reads "last week", "la semaine dernière", "先週の金曜日". */
  #shifted(at: number): Atom | undefined {
    const { row } = this;
    const before = row.find(at, bit.shift);
    const unitAt = row.find(Number.isNaN(before) ? at : before + 1, bit.unit);
    const unit = this.#unit(unitAt);
    const after = row.find(unitAt + 1, bit.shift);
    const first = row.value(before, "shift");
    // In "ce mois dernier", the second word says more.
    const isAfter = first === undefined || (first === 0 && row.is(after, bit.shift));
    const shift = isAfter ? row.value(after, "shift") : first;
    if (unit === undefined || shift === undefined) return undefined;
    const next = isAfter ? after + 1 : unitAt + 1;
    // "The last day" and "the next day" are relative to another time.
    if (unit === "day" && shift !== 0) return undefined;
    const time = { kind: "offset", unit, from: shift, to: shift } as const;
    const weekdayAt = unit === "week" ? row.find(row.skip(next, bit.in), bit.weekday) : nowhere;
    const weekday = row.value(weekdayAt, "weekday");
    return weekday === undefined ? strong(time, next) : strong({ ...time, weekday }, weekdayAt + 1);
  }

  #dayShift(at: number): Atom | undefined {
    const found = this.row.find(at, bit.dayShift);
    const shift = this.row.value(found, "dayShift");
    if (shift === undefined) return undefined;
    return { times: [offset("day", shift)], isWeak: this.row.is(found, bit.weak), next: found + 1 };
  }

  /** Adds the year that follows a date, if one does. */
  #withYear(days: Days, month: number, at: number): Atom {
    const { row } = this;
    const direct = row.find(at, bit.year);
    const isApart = Number.isNaN(direct) && (row.isDash(at) || row.is(at, bit.in));
    const yearAt = isApart ? row.find(at + 1, bit.year) : direct;
    const year = row.is(yearAt, bit.year);
    const shifted = year ? undefined : this.#shiftedYear(row.skip(at, bit.in));
    const named = {
      ...(year && { year: this.#yearAt(yearAt) }),
      ...(shifted && { yearShift: shifted.value }),
    };
    const times = (days.length === 0 ? [[]] : days).map(
      ([day, lastDay]): DateTime => ({
        kind: "date",
        ...named,
        month,
        ...(day !== undefined && { day }),
        ...(lastDay !== undefined && { lastDay }),
      }),
    );
    const next = year ? this.#skipYearMark(yearAt + 1) : (shifted?.next ?? at);
    return { times, isWeak: false, next };
  }

  /** Reads "last year". */
  #shiftedYear(at: number): Read<number> | undefined {
    const read = this.#shifted(at);
    const [time] = read?.times ?? [];
    const isYear = time?.kind === "offset" && time.unit === "year";
    return read !== undefined && isYear ? { value: time.from, next: read.next } : undefined;
  }

  /** Returns a year. Two digits are a year from 1950 to 2049. */
  #yearAt(at: number): number {
    const value = this.row.value(at, "year") ?? 0;
    if (value > 0) return value;
    const digits = -1 - value;
    return digits < 50 ? 2000 + digits : 1900 + digits;
  }

  /** Skips the word "year" after a year: `年`, "года". */
  #skipYearMark(at: number): number {
    const isMark =
      this.#unit(at) === "year" && !this.row.is(this.row.find(at + 1, bit.ago), bit.ago);
    return isMark ? at + 1 : at;
  }

  #unit(at: number): (typeof timeUnits)[number] | undefined {
    const unit = this.row.value(at, "unit");
    return unit === undefined ? undefined : timeUnits[unit];
  }
}
