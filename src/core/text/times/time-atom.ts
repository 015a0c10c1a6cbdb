import { halfUnit, timeUnits } from "./time-lexicon.js";
import type { DateTime, WrittenTime } from "./written-time.js";

/** One time of a text; several if the text lists days. */
export interface Atom {
  readonly times: readonly WrittenTime[];
  /** Whether it counts only beside other words of a time. */
  readonly isWeak: boolean;
  /** The position of the token after it. */
  readonly next: number;
}

/** Returns the months or the week of a year that a unit and a number name. */
export function periodOf(
  unit: number | undefined,
  number: number | "last" | undefined,
): Pick<DateTime, "month" | "months" | "week" | "yearWeek"> | undefined {
  const name = unit === halfUnit ? "half" : timeUnits[unit ?? Number.NaN];
  const count = { quarter: 4, half: 2, week: 53 }[name as "quarter"] as number | undefined;
  if (count === undefined || number === undefined) return undefined;
  if (name === "week") return number === "last" ? { month: 12, week: 5 } : weekOf(number);
  const at = number === "last" ? count : number;
  const months = 12 / count;
  return at >= 1 && at <= count ? { month: months * (at - 1) + 1, months } : undefined;
}

function weekOf(number: number): { readonly yearWeek: number } | undefined {
  return number >= 1 && number <= 53 ? { yearWeek: number } : undefined;
}

/** Returns the atom of one time that needs no support. */
export function strong(time: WrittenTime, next: number): Atom {
  return { times: [time], isWeak: false, next };
}

/** Returns a number of units after the day of the text; negative: before. */
export function offset(unit: (typeof timeUnits)[number], count: number): WrittenTime {
  return { kind: "offset", unit, from: count, to: count, isCounted: true };
}
