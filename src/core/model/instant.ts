/**
 * A point in time: seconds since 1970-01-01T00:00:00Z and nanoseconds (0 to 999,999,999) after it.
 * Instants of callers are stored exactly and come back unchanged.
 */
export interface Instant {
  readonly seconds: number;
  readonly nanos: number;
}

/** Returns the instant of a clock reading in milliseconds. */
export function instantOfMillis(millis: number): Instant {
  const seconds = Math.floor(millis / 1000);
  return { seconds, nanos: (millis - seconds * 1000) * 1_000_000 };
}

/**
 * Returns milliseconds since 1970, fraction included. The result may be off by microseconds, which
 * do not matter for scores.
 */
export function millisOfInstant(instant: Instant): number {
  return instant.seconds * 1000 + instant.nanos / 1_000_000;
}

/** Returns a negative number, zero or a positive number as `a` is before, at or after `b`. */
export function compareInstants(a: Instant, b: Instant): number {
  return a.seconds - b.seconds || a.nanos - b.nanos;
}

/** Matches the day of a time, and the hour if there is one. */
const dayAndHour = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d))?/i;

/**
 * Whether the day and the hour of a time exist. Returns true for a text that does not start with
 * `YYYY-MM-DD`. `Date` cannot check this: it reads 30 February as a day in March, and 24:00 as the
 * next day.
 */
export function dayAndHourExist(time: string): boolean {
  const [, day, hour] = dayAndHour.exec(time) ?? [];
  if (day === undefined) return true;
  const ms = Date.parse(`${day}T00:00:00Z`);
  return hour !== "24" && !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day);
}
