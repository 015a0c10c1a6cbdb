import { invalidField } from "./errors.js";

const dayMs = 86_400_000;
const minuteMs = 60_000;
/** Maximum offset from UTC, in minutes. */
const offsetMaxMinutes = 14 * 60;
/** Number of UTC days whose offsets one zone remembers. */
const rememberedDaysMax = 20_000;
/** Maximum length of the name of a zone, in UTF-16 units. */
const nameLengthMax = 64;
const offsetPattern = /^(?:UTC|GMT)?(?<sign>[+-])(?<hours>\d{1,2})(?::?(?<minutes>\d{2}))?$/i;

/** A time zone: what day it is there at any time. */
export interface TimeZone {
  /** The name in the IANA database, such as `Europe/Madrid`, or an offset, such as `+05:30`. */
  readonly name: string;
  /**
   * Returns the number of the day since 1970 on which a time falls in the zone.
   *
   * @param ms Milliseconds since 1970.
   */
  dayOf(ms: number): number;
}

/** The allowed names of zones, for error messages. */
export const timeZoneForm =
  "a name of the IANA time zone database, such as Europe/Madrid, or an offset from UTC of at most " +
  "14 hours, such as +05:30";

/** Coordinated Universal Time. */
export const utc: TimeZone = fixedZone("UTC", 0);

/** The zones of the IANA database in use, by their names in one spelling: a few hundred at most. */
const zones = new Map<string, TimeZone>();

/**
 * Returns the zone of a name in the IANA database or of an offset from UTC, such as `+05:30`.
 * Returns `undefined` if there is no such zone.
 */
export function findTimeZone(name: string): TimeZone | undefined {
  if (name.length > nameLengthMax) return undefined;
  if (/^(?:UTC|GMT|Z|Etc\/UTC)$/i.test(name)) return utc;
  const groups = offsetPattern.exec(name)?.groups;
  if (groups !== undefined) return offsetZone(groups);
  try {
    // `name` can have any case; the formatter knows the one spelling.
    const formatter = formatterOf(name);
    const { timeZone } = formatter.resolvedOptions();
    const zone = zones.get(timeZone) ?? new NamedZone(timeZone, formatter);
    zones.set(timeZone, zone);
    return zone;
  } catch {
    return undefined;
  }
}

/**
 * Returns the zone of a name.
 *
 * @param field The field of the request with the name.
 * @throws INVALID_ARGUMENT (UNKNOWN_TIME_ZONE) when there is no such zone.
 */
export function requireTimeZone(name: string, field: string): TimeZone {
  const zone = findTimeZone(name);
  if (zone !== undefined) return zone;
  throw invalidField(field, `must be ${timeZoneForm}`, "UNKNOWN_TIME_ZONE");
}

/** Returns the first millisecond since 1970 of a day in a zone. */
export function startOfDayMs(zone: TimeZone, day: number): number {
  // No zone is further from UTC than these bounds, and days come in their order.
  let [before, within] = [day * dayMs - 900 * minuteMs, day * dayMs + 900 * minuteMs];
  while (within - before > 1) {
    const middle = Math.floor((before + within) / 2);
    if (zone.dayOf(middle) < day) before = middle;
    else within = middle;
  }
  return within;
}

function offsetZone({ sign, hours, minutes = "0" }: Record<string, string>): TimeZone | undefined {
  const total = 60 * Number(hours) + Number(minutes);
  if (Number(minutes) >= 60 || total > offsetMaxMinutes) return undefined;
  const written = `${sign}${String(hours).padStart(2, "0")}:${String(minutes).padStart(2, "0")}`;
  return total === 0 ? utc : fixedZone(written, sign === "-" ? -total : total);
}

function fixedZone(name: string, offsetMinutes: number): TimeZone {
  return { name, dayOf: (ms) => Math.floor((ms + offsetMinutes * minuteMs) / dayMs) };
}

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat("en-US", {
    timeZone,
    calendar: "gregory",
    numberingSystem: "latn",
    hourCycle: "h23",
    era: "short",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
}

/** A zone of the IANA database, whose offset from UTC changes. */
class NamedZone implements TimeZone {
  /** By the number of a UTC day: the offset at its start, in milliseconds. */
  readonly #offsets = new Map<number, number>();

  constructor(
    readonly name: string,
    private readonly formatter: Intl.DateTimeFormat,
  ) {}

  dayOf(ms: number): number {
    const utcDay = Math.floor(ms / dayMs);
    const first = this.#offsetOfDay(utcDay);
    const next = this.#offsetOfDay(utcDay + 1);
    // On most days the offset does not change.
    const offset = first === next ? first : this.#offsetAt(ms);
    return Math.floor((ms + offset) / dayMs);
  }

  #offsetOfDay(utcDay: number): number {
    const known = this.#offsets.get(utcDay);
    if (known !== undefined) return known;
    if (this.#offsets.size >= rememberedDaysMax) this.#offsets.clear();
    const offset = this.#offsetAt(utcDay * dayMs);
    this.#offsets.set(utcDay, offset);
    return offset;
  }

  #offsetAt(ms: number): number {
    const parts: Partial<Record<string, number>> = {};
    for (const { type, value } of this.formatter.formatToParts(ms))
      parts[type] = type === "era" ? Number(value.startsWith("B")) : Number(value);
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0, era = 0 } = parts;
    const local = new Date(0);
    local.setUTCFullYear(era === 1 ? 1 - year : year, month - 1, day);
    local.setUTCHours(hour, minute, second);
    return local.getTime() - Math.floor(ms / 1000) * 1000;
  }
}
