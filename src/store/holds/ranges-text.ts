import type { HeldRange } from "./held-ranges.js";

/** The JSON form of a hold or a move. */
interface StoredRange {
  readonly tenant?: string;
  readonly first: number;
  readonly last: number;
  readonly holdId: string;
  readonly movedTo?: string;
  readonly movedToStore?: string;
  readonly isHandingOver?: true;
  /** See `HeldRange.untilMs`. Absent: `Infinity`, which JSON cannot express. */
  readonly untilMs?: number;
}

/** Returns holds and moves as JSON. */
export function rangesText(ranges: readonly HeldRange[]): string {
  const stored: readonly StoredRange[] = ranges.map(
    ({ tenant, first, last, holdId, movedTo, movedToStore, isHandingOver, untilMs }) => ({
      ...(tenant === undefined ? {} : { tenant }),
      first,
      last,
      holdId,
      ...(movedTo === undefined ? {} : { movedTo }),
      ...(movedToStore === undefined ? {} : { movedToStore }),
      ...(isHandingOver === undefined ? {} : { isHandingOver }),
      ...(untilMs === Infinity ? {} : { untilMs }),
    }),
  );
  return `${JSON.stringify(stored)}\n`;
}

/** Reads what `rangesText` wrote. Throws if the text is not a JSON array. */
export function parseRanges(text: string): readonly HeldRange[] {
  return (JSON.parse(text) as readonly StoredRange[]).map(
    ({ tenant, untilMs = Infinity, ...range }) => ({ ...range, tenant, untilMs }),
  );
}
