import { timeUnits } from "./time-lexicon.js";
import { bit, nowhere, type TokenRow } from "./token-row.js";

/** A value that was read, and the position of the token after it. */
export interface Read<T> {
  readonly value: T;
  readonly next: number;
}

/** Days of a month, each alone or as the first of several. */
export type Days = readonly (readonly [first: number, last: number | undefined])[];

/** Maximum number of days of a month that a list names. */
const listedDaysMax = 8;

/** Reads the days and the names of months. */
export class MonthWords {
  constructor(
    private readonly row: TokenRow,
    /** Whether the language writes no spaces between words. */
    private readonly isJoined: boolean,
  ) {}

  /** Reads one or more days of a month. */
  days(at: number): Read<Days> | undefined {
    const { row } = this;
    const first = this.#dayNumber(at);
    if (first === undefined) return undefined;
    const days: [number, number | undefined][] = [[first.value, undefined]];
    let { next } = first;
    const opening = row.before(at, bit.fill | bit.month);
    /** The list before its first comma. Commas count only if "and" ends the list. */
    let beforeComma: Read<Days> | undefined;
    while (days.length < listedDaysMax) {
      const joint = row.find(next, bit.and | bit.to | bit.until);
      const isComma = Number.isNaN(joint) && row.at(next)?.isAfterComma === true;
      const start = isComma ? next : row.skip(joint + 1, bit.in);
      const other = this.#dayNumber(start);
      // "Between 3 May and 8 June": the second number belongs to another date.
      const isOwnDate =
        this.month(start) !== undefined ||
        (row.is(row.find(next, bit.month), bit.month) &&
          row.is(row.find(other?.next ?? nowhere, bit.month), bit.month));
      const last = days.at(-1);
      if (other === undefined || isOwnDate || last === undefined) break;
      if (isComma) beforeComma ??= { value: [...days], next };
      else if (row.is(joint, bit.and)) beforeComma = undefined;
      const isList = (isComma || row.is(joint, bit.and)) && !row.is(opening, bit.between);
      if (!isList && other.value < last[0] && row.is(opening, bit.between))
        days[days.length - 1] = [other.value, last[0]];
      else if (isList || other.value <= last[0]) days.push([other.value, undefined]);
      else last[1] = other.value;
      next = other.next;
    }
    return beforeComma ?? { value: days, next };
  }

  #dayNumber(at: number): Read<number> | undefined {
    const { row } = this;
    const ordinal = row.find(at, bit.ordinal);
    // "The third of May".
    const isOfMonth =
      row.is(ordinal + 1, bit.fill) && row.is(row.find(ordinal + 1, bit.month), bit.month);
    const found = isOfMonth ? ordinal : row.find(at, bit.ordinalDay);
    const value = row.value(found, "number") ?? row.value(found, "ordinal") ?? 0;
    if (value < 1 || value > 31) return undefined;
    return { value, next: this.isDayMark(found + 1) ? found + 2 : found + 1 };
  }

  /** Whether a token is the sign after a day in Chinese and Japanese: `日`. */
  isDayMark(at: number): boolean {
    return this.isJoined && this.#unit(at) === "day";
  }

  /** Reads the name of a month, or its number before `月`. */
  month(at: number): (Read<number> & { readonly isWeak: boolean }) | undefined {
    const { row } = this;
    const named = row.find(at, bit.month);
    const month = row.value(named, "month");
    if (month !== undefined)
      return { value: month, next: named + 1, isWeak: row.is(named, bit.weak) };
    if (!this.isJoined) return undefined;
    const number = row.find(at, bit.number);
    const value = row.value(number, "number") ?? 0;
    const mark = row.at(number + 1);
    // `个月` and `か月` are months of a span of time.
    const isMark =
      this.#unit(number + 1) === "month" && mark !== undefined && mark.end - mark.start === 1;
    if (!isMark || value < 1 || value > 12) return undefined;
    return { value, next: number + 2, isWeak: false };
  }

  #unit(at: number): (typeof timeUnits)[number] | undefined {
    const unit = this.row.value(at, "unit");
    return unit === undefined ? undefined : timeUnits[unit];
  }
}
