import type { JsonValue } from "@bufbuild/protobuf";
import { dayAndHourExist } from "../../core/model/instant.js";
import { actualValue } from "./json-values.js";

const timePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;

/** Returns what is wrong with a `google.protobuf.Timestamp` in JSON; `undefined` if nothing is. */
export function timeFault(value: JsonValue): string | undefined {
  const example = "such as 2026-03-01T12:00:00Z";
  if (typeof value !== "string" || !timePattern.test(value))
    return `must be a time with date, hour, minute, second and zone, ${example}, ${actualValue(value)}`;
  const ms = Date.parse(value);
  if (Number.isNaN(ms) || !dayAndHourExist(value))
    return `must be a time that exists, ${example}, ${actualValue(value)}`;
  if (ms < firstMs || ms > lastMs)
    return `must be within 0001-01-01T00:00:00Z and 9999-12-31T23:59:59Z, ${actualValue(value)}`;
  return undefined;
}

const durationPattern = /^-?\d{1,12}(?:\.\d{1,9})?s$/;

/** Most seconds of a `google.protobuf.Duration`: about 10,000 years. */
const durationSecondsMax = 315_576_000_000;

/** Returns what is wrong with a `google.protobuf.Duration` in JSON; `undefined` if nothing is. */
export function durationFault(value: JsonValue): string | undefined {
  if (
    typeof value === "string" &&
    durationPattern.test(value) &&
    Math.abs(Number.parseFloat(value)) <= durationSecondsMax
  )
    return undefined;
  return `must be a number of seconds with the unit s, such as "1.5s", ${actualValue(value)}`;
}

const firstMs = Date.parse("0001-01-01T00:00:00Z");
const lastMs = Date.parse("9999-12-31T23:59:59.999Z");
