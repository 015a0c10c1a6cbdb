import type { Scope } from "../../core/model/namespace.js";
import { holdsScope, type SlotRange, subtractRange } from "../../core/model/slot-range.js";

/** A range of one tenant whose writes are held, or which has moved. */
export interface HeldRange extends SlotRange {
  /** `undefined`: the data without a tenant. */
  readonly tenant: string | undefined;
  readonly holdId: string;
  /** The address that serves the range. Absent: a short hold. */
  readonly movedTo?: string;
  /** End of a short hold, in milliseconds of the clock; `Infinity` for a move. */
  readonly untilMs: number;
}

/** Returns the entry that applies to a scope at a time. */
export function entryOf(
  entries: readonly HeldRange[],
  scope: Scope,
  nowMs: number,
): HeldRange | undefined {
  return entries.find(
    (entry) => entry.tenant === scope.tenant && entry.untilMs > nowMs && holdsScope(entry, scope),
  );
}

/**
 * Returns the entries after removing a range of a tenant. An entry partly within the range keeps
 * its other part.
 */
export function without(
  entries: readonly HeldRange[],
  tenant: string | undefined,
  range: SlotRange,
): readonly HeldRange[] {
  return entries.flatMap((entry) =>
    entry.tenant === tenant
      ? subtractRange(entry, range).map((rest) => ({ ...entry, ...rest }))
      : [entry],
  );
}

/** Whether an entry is a move, and not a short hold. */
export function isMove({ movedTo }: HeldRange): boolean {
  return movedTo !== undefined;
}
