import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { type Timestamp, timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { Skipped } from "./import-plan.js";

/** Whether a value of a file is an object. */
export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The text under a key, if there is one that is not empty. */
export function textOf(object: JsonObject, key: string): string | undefined {
  const value = object[key];
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The objects of the list under a key; none if there is no list. */
export function objectsOf(object: JsonObject, key: string): readonly JsonObject[] {
  const value = object[key];
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** The objects of the list under a key that is a part of the export: what else stands there is damage, and noted as skipped. */
export function partsOf(
  object: JsonObject,
  key: string,
  skipped: Skipped[],
): readonly JsonObject[] {
  const value = object[key] ?? [];
  if (!Array.isArray(value)) {
    skipped.push({ name: key, reason: "damaged: no list" });
    return [];
  }
  for (const [index, entry] of value.entries()) {
    if (!isObject(entry)) skipped.push({ name: `${key} ${index}`, reason: "damaged: no object" });
  }
  return value.filter(isObject);
}

/** The texts of the list under a key that may be tags, without what is longer than a tag may be. */
export function tagsOf(object: JsonObject, key: string): string[] {
  const value = object[key];
  if (!Array.isArray(value)) return [];
  const texts = value.filter(
    (text): text is string =>
      typeof text === "string" && text !== "" && Buffer.byteLength(text) <= 128,
  );
  return texts.slice(0, 32);
}

/** Milliseconds of an instant as Python and JavaScript write it; without an offset it is UTC. Undefined if it is none. */
export function instantMs(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const hasTime = /[T ]\d/.test(text);
  const hasOffset = /(Z|[+-]\d\d:?\d\d)$/i.test(text);
  const ms = Date.parse(hasTime && !hasOffset ? `${text}Z` : text);
  return Number.isNaN(ms) ? undefined : ms;
}

/** The instant under a key. */
export function timestampOf(object: JsonObject, key: string): Timestamp | undefined {
  const ms = instantMs(textOf(object, key));
  return ms === undefined ? undefined : timestampFromMs(ms);
}

/** The entries of an object under some keys, without those that are absent, null or empty lists. */
export function entriesOf(object: JsonObject, keys: readonly string[]): JsonObject {
  const entries = keys.flatMap((key): [string, JsonValue][] => {
    const value = object[key];
    return value === undefined || value === null || (Array.isArray(value) && value.length === 0)
      ? []
      : [[key, value]];
  });
  return Object.fromEntries(entries);
}
