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
 * Returns milliseconds since 1970, fraction included. For scores, where microseconds do not matter.
 */
export function millisOfInstant(instant: Instant): number {
  return instant.seconds * 1000 + instant.nanos / 1_000_000;
}

/** Returns a negative number, zero or a positive number as `a` is before, at or after `b`. */
export function compareInstants(a: Instant, b: Instant): number {
  return a.seconds - b.seconds || a.nanos - b.nanos;
}

/**
 * Whether a day exists, given as `YYYY-MM-DD`. `Date` reads 30 February as a day in March, so it
 * cannot tell.
 */
export function dayExists(day: string): boolean {
  const ms = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day);
}
