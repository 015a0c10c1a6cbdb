/** A point in time as the API carries it: seconds since 1970-01-01T00:00:00Z and nanoseconds (0 to 999,999,999) after it. Kept whole, so that what a caller gives comes back unchanged. */
export interface Instant {
  readonly seconds: number;
  readonly nanos: number;
}

/** The instant of a clock reading in milliseconds. */
export function instantOfMillis(millis: number): Instant {
  const seconds = Math.floor(millis / 1000);
  return { seconds, nanos: (millis - seconds * 1000) * 1_000_000 };
}

/** Milliseconds since 1970, fraction included: for scores, where a microsecond does not matter. */
export function millisOfInstant(instant: Instant): number {
  return instant.seconds * 1000 + instant.nanos / 1_000_000;
}

/** Negative, zero or positive as `a` is before, at or after `b`. */
export function compareInstants(a: Instant, b: Instant): number {
  return a.seconds - b.seconds || a.nanos - b.nanos;
}
