import type { Filter } from "../filter/matcher.js";
import { invalidField } from "../model/errors.js";
import { dayAndHourExist, instantOfMillis } from "../model/instant.js";
import { startOfDayMs, type TimeZone } from "../model/time-zone.js";

/** Maximum length of a time that a model gives. */
export const timeMaxBytes = 64;

const dayMs = 86_400_000;

/**
 * Returns the range of times from `since` to `until`, which a model gives as days or as instants in
 * RFC 3339. The day of `until` is part of the range. Returns `undefined` if there is neither.
 *
 * @param zone the zone of the days
 * @throws INVALID_ARGUMENT (INVALID_FIELD) when one is neither a day nor an instant, or the range
 *   is empty
 */
export function spanOf(
  { since, until }: { readonly since?: string; readonly until?: string },
  zone: TimeZone,
): Filter["timeRange"] {
  const start = since === undefined ? undefined : boundOf("since", since, zone, 0);
  const end = until === undefined ? undefined : boundOf("until", until, zone, 1);
  if (start === undefined && end === undefined) return undefined;
  if (start !== undefined && end !== undefined && start >= end)
    throw invalidField("until", "must not be before since");
  return {
    ...(start !== undefined && { start: instantOfMillis(start) }),
    ...(end !== undefined && { end: instantOfMillis(end) }),
  };
}

/** Returns a time in milliseconds; for a day, its start, or that of the day `daysLater`. */
function boundOf(name: string, text: string, zone: TimeZone, daysLater: 0 | 1): number {
  const ms = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/i.test(text)
    ? Date.parse(text)
    : Number.NaN;
  if (Number.isNaN(ms) || !dayAndHourExist(text))
    throw invalidField(
      name,
      "must be a day such as 2026-03-08, or a time such as 2026-03-08T09:30:00+01:00",
    );
  return text.length > "2026-03-08".length
    ? ms
    : startOfDayMs(zone, Math.floor(ms / dayMs) + daysLater);
}
