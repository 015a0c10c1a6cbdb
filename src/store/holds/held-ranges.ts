import type { Scope } from "../../core/model/namespace.js";
import { holdsScope, type SlotRange, subtractRange } from "../../core/model/slot-range.js";

/**
 * A range of slots of one tenant, and its state. Each user and each run has a slot, see `slotOf`.
 * While the range is held, writes of its users and runs are refused. Once the range has moved to
 * another server, all of their calls are refused.
 */
export interface HeldRange extends SlotRange {
  /** Name of the tenant. `undefined`: the data without a tenant. */
  readonly tenant: string | undefined;
  readonly holdId: string;
  /**
   * The address of the server to which the range has moved. Absent: the range has not moved, and
   * its writes are held.
   */
  readonly movedTo?: string;
  /** The id of the store of that server. Absent: not known, or the range has not moved. */
  readonly movedToStore?: string;
  /** Whether the range is being handed over, so that the new server may not serve it yet. */
  readonly isHandingOver?: true;
  /** The time at which the hold ends, in milliseconds of the clock; `Infinity` for a move. */
  readonly untilMs: number;
}

/** Returns the hold or move that applies to a scope at a time. */
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
 * Removes a range of a tenant from the holds and moves. An entry that lies only partly within the
 * range keeps the part outside of the range.
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

/** Whether an entry is a move, and not a hold. */
export function isMove({ movedTo }: HeldRange): boolean {
  return movedTo !== undefined;
}
