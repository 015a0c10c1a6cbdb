import type { TimeUnit } from "./time-lexicon.js";

/**
 * A day, week, month or year as a text writes it: absolute fields, or an offset from the day on
 * which the text was said. It needs no time zone.
 */
export type WrittenTime =
  | DateTime
  | {
      readonly kind: "offset";
      readonly unit: TimeUnit;
      /** Number of units after the day of the text; negative: before. */
      readonly from: number;
      /** At least `from`. */
      readonly to: number;
      /** Whether the text counts the units: "one week ago" is not "last week". */
      readonly isCounted?: boolean;
      /** See `DateTime.part`. */
      readonly part?: number;
      /** 1 is Monday: this day of the week that the offset gives. */
      readonly weekday?: number;
    }
  | {
      readonly kind: "weekday";
      /** 1 is Monday. */
      readonly weekday: number;
      /** -1: the last one, 1: the next one. Absent: either of them. */
      readonly shift?: number;
    }
  | {
      /** Days, weeks, months or years before or after another time. */
      readonly kind: "beside";
      readonly base: WrittenTime;
      readonly unit: TimeUnit;
      /** Negative: before. */
      readonly count: number;
      /** Whether all days between count too: "the week before 3 May". */
      readonly isSpan: boolean;
      /** 1 is Monday: the nearest such day before or after the other time. `count` is its sign. */
      readonly weekday?: number;
    };

/** A date. Absent fields are not written. */
export interface DateTime {
  readonly kind: "date";
  readonly year?: number;
  /** Number of years after the year of the text. */
  readonly yearShift?: number;
  /** -1: the last month with this name, 0: this year's, 1: the next one. */
  readonly monthShift?: number;
  /** 1 to 12. */
  readonly month?: number;
  /** 1 to 31. */
  readonly day?: number;
  readonly lastDay?: number;
  /** 0, 1 or 2: the beginning, the middle or the end of the month or year. */
  readonly part?: number;
  /** The week of the month, from 1; 5: the last one. */
  readonly week?: number;
  /** Whether the date names the whole week of the day. */
  readonly isWeek?: boolean;
  /** Whether the date names the weekend at or after the day. */
  readonly isWeekend?: boolean;
  /** Number of months from `month` on, of a quarter or a half. Default 1. */
  readonly months?: number;
  /** Number of years from `year` on, of a decade. Default 1. */
  readonly years?: number;
  /** 1 to 53: the week of the year, as ISO 8601 counts. */
  readonly yearWeek?: number;
}

/** How the times of an expression limit the days that it names. */
export type TimeRelation = "at" | "before" | "after" | "since" | "until" | "between";

/** An expression of a text that names days. */
export interface TimeExpression {
  readonly relation: TimeRelation;
  readonly time: WrittenTime;
  /** The last time of a range; only for `between`. */
  readonly last?: WrittenTime;
}

/** A date or a period in figures, without the kind. */
export type WrittenDate = Pick<
  DateTime,
  "year" | "month" | "day" | "months" | "years" | "yearWeek"
>;
