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

/** Returns the valid tags in the list under a key, at most the first `tagsMax`. */
export function tagsOf(object: JsonObject, key: string): string[] {
  const value = object[key];
  if (!Array.isArray(value)) return [];
  const texts = value.filter(
    (text): text is string =>
      typeof text === "string" && text !== "" && Buffer.byteLength(text) <= tagMaxBytes,
  );
  return texts.slice(0, tagsMax);
}

/**
 * Parses a date and time as Python or JavaScript writes it. Without an offset it is UTC. Returns
 * milliseconds since 1970, or `undefined` for other texts and for a time that does not exist.
 */
export function instantMs(text: string | undefined): number | undefined {
  if (text === undefined || !dayAndHourExist(text)) return undefined;
  const hasTime = /[T ]\d/.test(text);
  const hasOffset = /(Z|[+-]\d\d:?\d\d)$/i.test(text);
  const ms = Date.parse(hasTime && !hasOffset ? `${text}Z` : text);
  return Number.isNaN(ms) ? undefined : ms;
}

/** Returns the instant under a key. */
export function timestampOf(object: JsonObject, key: string): Timestamp | undefined {
  const ms = instantMs(textOf(object, key));
  return ms === undefined ? undefined : timestampFromMs(ms);
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
