/** Milliseconds of a day. */
const dayMs = 86_400_000;

/** Days in UTC, as numbers of days since 1970. `last` is at least `first`. */
export interface DaySpan {
  readonly first: number;
  readonly last: number;
}

/** Returns a day, by its number since 1970, as `YYYY-MM-DD`. */
export function isoDay(day: number): string {
  return startOfDay(day).toISOString().slice(0, "YYYY-MM-DD".length);
}

/** Returns the number of the day of a time, in milliseconds since 1970. */
export function dayOf(ms: number): number {
  return Math.floor(ms / dayMs);
}

/** Returns the UTC midnight at which a day begins. */
export function startOfDay(day: number): Date {
  return new Date(day * dayMs);
}

/** Returns the month of a day, counted from January of the year 0. */
export function monthOfDay(day: number): number {
  const date = startOfDay(day);
  return 12 * date.getUTCFullYear() + date.getUTCMonth();
}

/**
 * Returns the days of a month.
 *
 * @param month Counted from January of the year 0, as `monthOfDay` counts.
 */
export function daysOfMonth(month: number): DaySpan {
  const [year, monthOfYear] = [Math.floor(month / 12), month % 12];
  return {
    first: dayOf(Date.UTC(year, monthOfYear, 1)),
    last: dayOf(Date.UTC(year, monthOfYear + 1, 0)),
  };
}

/** Whether two spans have a day in common. */
export function overlap(a: DaySpan, b: DaySpan): boolean {
  return a.first <= b.last && b.first <= a.last;
}
