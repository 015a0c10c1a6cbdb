import type { DayRange } from "../../../../src/core/text/times/day-ranges.js";

/**
 * Writes ranges as in ISO 8601: `2025-05-01/2025-05-31`, or `2025-05-01` for one day. An open end
 * is empty. A range of every year has no year: `05-01/05-31`.
 */
export function isoRanges(ranges: readonly DayRange[]): string[] {
  return ranges.map(({ days: { first, last }, isYearly }) => {
    const [from, to] = [first, last].map((day) => isoDay(day).slice(isYearly ? 5 : 0));
    return from === to ? `${from}` : `${from}/${to}`;
  });
}

function isoDay(day: number): string {
  return Number.isFinite(day) ? new Date(day * 86_400_000).toISOString().slice(0, 10) : "";
}
