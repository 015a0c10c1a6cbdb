import { randomUUID } from "node:crypto";
import type { Scope } from "../../core/model/namespace.js";
import { intersection, overlap, type SlotRange } from "../../core/model/slot-range.js";
import type {
  Hold,
  MovedRange,
  MoveRoute,
  MoveTarget,
  WriteHolds,
} from "../../core/ports/holds.js";
import { entryOf, type HeldRange, without } from "./held-ranges.js";
import { notHeld, partMoved, tooManyRanges } from "./hold-errors.js";
import type { ReadableScopes } from "./readable-scopes.js";

/** Lifetime of a hold that is not renewed, in milliseconds. */
export const holdLifetimeMs = 30_000;

/**
 * Maximum number of ranges of one tenant that are held or have moved. Each use of a scope looks at
 * all of them, and each change writes all of them.
 */
export const rangesMax = 1_024;

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
  /** Returns the holds and moves as this server last read them, with holds that have ended. */
  known(): readonly HeldRange[];
  /** The scopes that calls may read although they are being handed over. */
  readonly readable: ReadableScopes;
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

  move(range: SlotRange, holdId: string, target: MoveTarget): Promise<Hold> {
    return this.#moveTo(range, holdId, movedTo(target));
  }

  handOver(range: SlotRange, holdId: string, target: MoveTarget): Promise<Hold> {
    return this.#moveTo(range, holdId, { ...movedTo(target), isHandingOver: true });
  }

  async #moveTo(
    range: SlotRange,
    holdId: string,
    target: Pick<HeldRange, "movedTo" | "movedToStore" | "isHandingOver">,
  ): Promise<Hold> {
    await this.ranges.change((ranges, nowMs) => {
      const { tenant, first, last } = this.#require(ranges, nowMs, range, holdId);
      return this.#with(ranges, { tenant, first, last, holdId, ...target, untilMs: Infinity });
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
    await this.ranges.change((ranges) =>
      this.#requireFew(without(ranges, this.tenant, range), ranges),
    );
  }

  async moves(): Promise<readonly MovedRange[]> {
    return this.#movesIn(await this.ranges.read());
  }

  hasEntries(): boolean {
    return this.ranges.known().length > 0;
  }

  routeOf(scope: Scope): MoveRoute | undefined {
    const entry = entryOf(this.ranges.known(), this.#own(scope), -Infinity);
    if (entry?.movedTo === undefined) return undefined;
    const { movedTo: address, movedToStore: storeId, isHandingOver = false } = entry;
    return { address, storeId, isHandingOver };
  }

  allowReads(scope: Scope): () => void {
    return this.ranges.readable.allow(this.#own(scope));
  }

  #own(scope: Scope): Scope {
    return this.tenant === undefined ? scope : { ...scope, tenant: this.tenant };
  }

  #movesIn(ranges: readonly HeldRange[]): readonly MovedRange[] {
    return ranges.flatMap(
      ({ tenant, first, last, movedTo: address, movedToStore: storeId, isHandingOver, holdId }) =>
        tenant === this.tenant && address !== undefined
          ? [{ first, last, address, storeId, ...(isHandingOver === true ? { holdId } : {}) }]
          : [],
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
    return this.#requireFew([...without(ranges, this.tenant, entry), entry], ranges);
  }

  /** @throws RESOURCE_EXHAUSTED (TOO_MANY_RANGES) when there are too many, and more than before */
  #requireFew(next: readonly HeldRange[], before: readonly HeldRange[]): readonly HeldRange[] {
    const count = next.filter(({ tenant }) => tenant === this.tenant).length;
    if (count > rangesMax && next.length > before.length) throw tooManyRanges(rangesMax);
    return next;
  }
}

function movedTo({ address, storeId }: MoveTarget): Pick<HeldRange, "movedTo" | "movedToStore"> {
  return { movedTo: address, ...(storeId === undefined ? {} : { movedToStore: storeId }) };
}
