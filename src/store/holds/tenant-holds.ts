import { randomUUID } from "node:crypto";
import { intersection, overlap, type SlotRange } from "../../core/model/slot-range.js";
import type { Hold, MovedRange, MoveTarget, WriteHolds } from "../../core/ports/holds.js";
import { type HeldRange, without } from "./held-ranges.js";
import { notHeld, partMoved } from "./hold-errors.js";

/** Lifetime of a hold that is not renewed, in milliseconds. */
export const holdLifetimeMs = 30_000;

/**
 * Returns the holds and moves that replace `ranges`. A hold has ended when `nowMs` is at least its
 * `untilMs`.
 */
export type RangeChange = (ranges: readonly HeldRange[], nowMs: number) => readonly HeldRange[];

/** The holds and moves of all tenants, on all servers that share the store. */
export interface HeldRanges {
  read(): Promise<readonly HeldRange[]>;
  /**
   * Replaces all holds and moves with the result of `change`, as one atomic step. Resolves when the
   * moves are durable. `change` may run more than once. If `change` throws, the error is rethrown
   * and nothing is changed.
   */
  change(change: RangeChange): Promise<void>;
  /** Resolves when all updates that had begun before the last change are done. */
  idle(): Promise<void>;
}

/** The holds of one tenant. */
export class TenantHolds implements WriteHolds {
  constructor(
    private readonly tenant: string | undefined,
    private readonly ranges: HeldRanges,
  ) {}

  async hold({ first, last }: SlotRange): Promise<Hold> {
    const range = { tenant: this.tenant, first, last, holdId: randomUUID() };
    await this.ranges.change((ranges, nowMs) => {
      const earlier = this.#movesIn(ranges).find((it) => overlap(it, range));
      if (earlier !== undefined) throw partMoved(earlier.address);
      return this.#with(ranges, { ...range, untilMs: nowMs + holdLifetimeMs });
    });
    await this.ranges.idle();
    return { holdId: range.holdId, lifetimeMs: holdLifetimeMs };
  }

  async renew(range: SlotRange, holdId: string): Promise<Hold> {
    let lifetimeMs: number | undefined;
    await this.ranges.change((ranges, nowMs) => {
      const entry = this.#require(ranges, nowMs, range, holdId);
      lifetimeMs = entry.movedTo === undefined ? holdLifetimeMs : undefined;
      return this.#with(ranges, { ...entry, untilMs: nowMs + (lifetimeMs ?? Infinity) });
    });
    return { holdId, lifetimeMs };
  }

  async move(range: SlotRange, holdId: string, target: MoveTarget): Promise<Hold> {
    await this.ranges.change((ranges, nowMs) => {
      const entry = this.#require(ranges, nowMs, range, holdId);
      return this.#with(ranges, { ...entry, ...movedTo(target), untilMs: Infinity });
    });
    return { holdId, lifetimeMs: undefined };
  }

  async changeAddress(range: SlotRange, storeId: string, address: string): Promise<void> {
    await this.ranges.change((ranges) => {
      const moves = ranges.filter(
        ({ tenant, movedToStore }) => tenant === this.tenant && movedToStore === storeId,
      );
      return moves.reduce((changed, move) => {
        const part = intersection(move, range);
        const entry = part && { ...move, ...part, movedTo: address };
        return entry === undefined ? changed : this.#with(changed, entry);
      }, ranges);
    });
  }

  async release(range: SlotRange): Promise<void> {
    await this.ranges.change((ranges) => without(ranges, this.tenant, range));
  }

  async moves(): Promise<readonly MovedRange[]> {
    return this.#movesIn(await this.ranges.read());
  }

  #movesIn(ranges: readonly HeldRange[]): readonly MovedRange[] {
    return ranges.flatMap(({ tenant, first, last, movedTo: address, movedToStore: storeId }) =>
      tenant === this.tenant && address !== undefined ? [{ first, last, address, storeId }] : [],
    );
  }

  #require(
    ranges: readonly HeldRange[],
    nowMs: number,
    { first, last }: SlotRange,
    holdId: string,
  ): HeldRange {
    const entry = ranges.find(
      (it) =>
        it.tenant === this.tenant &&
        it.holdId === holdId &&
        it.first === first &&
        it.last === last &&
        it.untilMs > nowMs,
    );
    if (entry === undefined) throw notHeld();
    return entry;
  }

  #with(ranges: readonly HeldRange[], entry: HeldRange): readonly HeldRange[] {
    return [...without(ranges, this.tenant, entry), entry];
  }
}

function movedTo({ address, storeId }: MoveTarget): Pick<HeldRange, "movedTo" | "movedToStore"> {
  return { movedTo: address, ...(storeId === undefined ? {} : { movedToStore: storeId }) };
}
