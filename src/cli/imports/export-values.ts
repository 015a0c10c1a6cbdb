import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { type Timestamp, timestampFromMs } from "@bufbuild/protobuf/wkt";
import { dayAndHourExist } from "../../core/model/instant.js";
import { tagMaxBytes, tagsMax } from "../../core/model/limits.js";
import type { Skipped } from "./import-plan.js";

/** Returns whether a JSON value is an object. */
export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the text under a key; `undefined` when it is missing, empty or not a string. */
export function textOf(object: JsonObject, key: string): string | undefined {
  const value = object[key];
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Returns the objects of the list under a key; none when there is no list. */
export function objectsOf(object: JsonObject, key: string): readonly JsonObject[] {
  const value = object[key];
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/**
 * Returns the objects of the list under a key. Adds each damaged part to `skipped`: a value that is
 * not a list, or an entry that is not an object.
 */
export function partsOf(
  object: JsonObject,
  key: string,
  skipped: Skipped[],
): readonly JsonObject[] {
  const value = object[key] ?? [];
  if (!Array.isArray(value)) {
    skipped.push({ name: key, reason: "damaged: not a list" });
    return [];
  }
  for (const [index, entry] of value.entries()) {
    if (!isObject(entry))
      skipped.push({ name: `${key} ${index}`, reason: "damaged: not an object" });
  }
  return value.filter(isObject);
}

/** Notes that a field of a memory could not be read. */
export type OnUnread = (reason: string) => void;

/**
 * Returns a short text, such as an id or a name. A whole number becomes its digits. Reports any
 * other value.
 */
export function nameUnder(object: JsonObject, key: string, onUnread: OnUnread): string | undefined {
  const value = object[key];
  if (value === undefined || value === null || value === "") return undefined;
  if (typeof value === "string") return value;
  if (typeof value === "number" && Number.isInteger(value)) return String(value);
  onUnread(`${article(key)} that is no text`);
  return undefined;
}

/**
 * Returns tags: those of a list, or of a text with commas. Numbers become texts. At most `tagsMax`
 * tags; reports all that are left out.
 */
export function tagsUnder(object: JsonObject, key: string, onUnread: OnUnread): string[] {
  const value = object[key];
  if (value === undefined || value === null || value === "") return [];
  const list = typeof value === "string" ? value.split(",").map((tag) => tag.trim()) : value;
  if (!Array.isArray(list)) {
    onUnread(`${article(key)} that is no list`);
    return [];
  }
  const texts = list.map((tag) => (typeof tag === "number" ? String(tag) : tag));
  const given = texts.filter((tag) => tag !== "" && tag !== null);
  const tags = given
    .filter((tag) => typeof tag === "string" && Buffer.byteLength(tag) <= tagMaxBytes)
    .slice(0, tagsMax) as string[];
  if (tags.length < given.length)
    onUnread(
      `${key} that are no text of up to ${tagMaxBytes} bytes, or that follow the first ${tagsMax}`,
    );
  return tags;
}

/** Why a value is no instant, after "a created_at that is". */
export type TimeFault =
  | "no time"
  | "a date that countries read differently: write it as YYYY-MM-DD";

/** Reads a time: a text for `instantMs`, or a number of seconds or milliseconds since 1970. */
export function timeUnder(object: JsonObject, key: string): number | undefined | TimeFault {
  const value = object[key];
  if (value === undefined || value === null || value === "") return undefined;
  if (typeof value === "number") return epochMs(value) ?? "no time";
  return typeof value === "string" ? instantMs(value) : "no time";
}

/** Returns the instant under a key. Reports what is no time. */
export function timestampUnder(
  object: JsonObject,
  key: string,
  onUnread: OnUnread,
): Timestamp | undefined {
  const ms = timeUnder(object, key);
  if (typeof ms === "string") onUnread(`${article(key)} that is ${ms}`);
  return typeof ms === "number" ? timestampFromMs(ms) : undefined;
}

/** The years 1971 to 5138 in seconds; a greater number is in milliseconds. */
const secondsMin = 31_536_000;
const secondsMax = 100_000_000_000;

function epochMs(value: number): number | undefined {
  if (value < secondsMin || value > secondsMax * 1000) return undefined;
  return Math.round(value < secondsMax ? value * 1000 : value);
}

function article(key: string): string {
  return `${/^[aeio]/.test(key) ? "an" : "a"} ${key}`;
}

/** Matches a date in figures whose year comes first, an hour, and an offset. */
const yearFirst =
  /^(\d{4})([-/.])(\d\d)\2(\d\d)(?:[T ]+(\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?))? *(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)?$/i;

/** Matches a date with its month as a word, as mail and `Date.toString` of JavaScript write it. */
const withMonthName = /^[\d a-z,]*\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b/i;

/** Matches a date in figures whose year does not come first. */
const yearLast = /^\d{1,2}[-/. ]\d{1,2}[-/. ]\d{2,4}\b/;

/**
 * Parses a date and time as Python or JavaScript writes it, with the year first or the month as a
 * word. Without an offset it is UTC. Returns milliseconds since 1970.
 */
export function instantMs(text: string): number | TimeFault {
  const trimmed = text.trim();
  const [whole, year, , month, day, time = "00:00", offset = "Z"] = yearFirst.exec(trimmed) ?? [];
  if (whole !== undefined) {
    const zone = offset.replace(/^(utc|gmt)$/i, "Z").replace(/^([+-]\d\d)$/, "$1:00");
    const usual = `${year}-${month}-${day}T${time.replace(",", ".")}${zone}`;
    return dayAndHourExist(usual) ? parsedMs(usual) : "no time";
  }
  if (yearLast.test(trimmed))
    return "a date that countries read differently: write it as YYYY-MM-DD";
  if (!withMonthName.test(trimmed)) return "no time";
  const hasOffset = /(?:\b(?:UTC|GMT|Z)|[+-]\d\d:?\d\d)(?: *\([^)]*\))?$/i.test(trimmed);
  return parsedMs(hasOffset ? trimmed : `${trimmed} UTC`);
}

function parsedMs(text: string): number | "no time" {
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? "no time" : ms;
}

/**
 * Returns the entries of an object under some keys, without absent entries, nulls and empty lists.
 */
export function entriesOf(object: JsonObject, keys: readonly string[]): JsonObject {
  const entries = keys.flatMap((key): [string, JsonValue][] => {
    const value = object[key];
    return value === undefined || value === null || (Array.isArray(value) && value.length === 0)
      ? []
      : [[key, value]];
  });
  return Object.fromEntries(entries);
}
