import { expect, test } from "vitest";
import { findTimeZone, requireTimeZone } from "../../../src/core/model/time-zone.js";

function isoDayIn(zone: string, time: string): string {
  const day = findTimeZone(zone)?.dayOf(Date.parse(time)) ?? Number.NaN;
  return new Date(day * 86_400_000).toISOString().slice(0, 10);
}

test.each([
  ["Asia/Tokyo", "2025-11-26T14:59:59Z", "2025-11-26"],
  ["Asia/Tokyo", "2025-11-26T15:00:00Z", "2025-11-27"],
  ["america/los_angeles", "2025-11-27T07:59:59Z", "2025-11-26"],
  ["-08:00", "2025-11-27T08:00:00Z", "2025-11-27"],
  ["+0530", "2025-11-26T18:30:00Z", "2025-11-27"],
  ["UTC+14", "2025-11-26T10:00:00Z", "2025-11-27"],
  ["Z", "2025-11-26T23:59:59Z", "2025-11-26"],
  // A day with 23 hours begins at one offset and ends at another.
  ["Europe/Madrid", "2025-03-29T22:59:59Z", "2025-03-29"],
  ["Europe/Madrid", "2025-03-29T23:00:00Z", "2025-03-30"],
  ["Europe/Madrid", "2025-03-30T21:59:59Z", "2025-03-30"],
  ["Europe/Madrid", "2025-03-30T22:00:00Z", "2025-03-31"],
  // A day with 25 hours.
  ["Europe/Madrid", "2025-10-25T22:00:00Z", "2025-10-26"],
  ["Europe/Madrid", "2025-10-26T22:59:59Z", "2025-10-26"],
  ["Europe/Madrid", "2025-10-26T23:00:00Z", "2025-10-27"],
  // The clocks skipped midnight.
  ["America/Sao_Paulo", "2018-11-04T02:59:59Z", "2018-11-03"],
  ["America/Sao_Paulo", "2018-11-04T03:00:00Z", "2018-11-04"],
  // The date line moved: there was no 30 December 2011.
  ["Pacific/Apia", "2011-12-30T09:59:59Z", "2011-12-29"],
  ["Pacific/Apia", "2011-12-30T10:00:00Z", "2011-12-31"],
  ["Europe/Madrid", "0001-01-01T12:00:00Z", "0001-01-01"],
])("the day in %s at %s is %s", (zone, time, day) => {
  expect(isoDayIn(zone, time)).toBe(day);
});

test.each(["Mars/Olympus", "", "+15:00", "+05:99", "x".repeat(100), "local", "+", "5"])(
  "%j is no time zone, and the error says what is allowed",
  (name) => {
    expect(findTimeZone(name)).toBeUndefined();
    const find = () => requireTimeZone(name, "time_zone");
    expect(find).toThrowError(
      expect.objectContaining({ code: "INVALID_ARGUMENT", reason: "UNKNOWN_TIME_ZONE" }),
    );
    expect(find).toThrowError(
      "must be a name of the IANA time zone database, such as Europe/Madrid",
    );
  },
);
