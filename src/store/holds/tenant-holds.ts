import { randomUUID } from "node:crypto";
import { overlap, type SlotRange } from "../../core/model/slot-range.js";
import type { Clock } from "../../core/ports/clock.js";
import type { Hold, MovedRange, WriteHolds } from "../../core/ports/holds.js";
import { type HeldRange, without } from "./held-ranges.js";
import { moved, notHeld } from "./hold-errors.js";

/** Lifetime of a hold that is not renewed, in milliseconds. */
export const holdLifetimeMs = 30_000;

/** The dependencies of the holds of a tenant. */
export interface TenantHoldsParts {
  readonly tenant: string | undefined;
  /** The holds and moves of all tenants. */
  readonly ranges: {
    readonly all: readonly HeldRange[];
    replace(next: readonly HeldRange[]): Promise<void>;
  };
  readonly clock: Clock;
  /** Resolves when all updates that have begun are done. */
  readonly idle: () => Promise<void>;
}

/** The holds of one tenant. */
export class TenantHolds implements WriteHolds {
  constructor(private readonly parts: TenantHoldsParts) {}

  async hold({ first, last }: SlotRange): Promise<Hold> {
    const range = { first, last };
    const earlier = this.moves().find((it) => overlap(it, range));
    if (earlier !== undefined) throw moved(earlier.address);
    const { tenant } = this.parts;
    const hold = await this.#put({ tenant, ...range, holdId: randomUUID(), untilMs: this.#end() });
    await this.parts.idle();
    return hold;
  }

  async renew(range: SlotRange, holdId: string): Promise<Hold> {
    const entry = this.#require(range, holdId);
    return entry.movedTo === undefined
      ? this.#put({ ...entry, untilMs: this.#end() })
      : holdOf(entry);
  }

  async move(range: SlotRange, holdId: string, address: string): Promise<Hold> {
    const entry = this.#require(range, holdId);
    return this.#put({ ...entry, movedTo: address, untilMs: Infinity });
  }

  async release(range: SlotRange): Promise<void> {
    const { ranges, tenant } = this.parts;
    await ranges.replace(without(ranges.all, tenant, range));
  }

  moves(): readonly MovedRange[] {
    return this.parts.ranges.all.flatMap(({ tenant, first, last, movedTo: address }) =>
      tenant === this.parts.tenant && address !== undefined ? [{ first, last, address }] : [],
    );
  }

  #end(): number {
    return this.parts.clock.nowMs() + holdLifetimeMs;
  }

  #require({ first, last }: SlotRange, holdId: string): HeldRange {
    const { ranges, tenant, clock } = this.parts;
    const entry = ranges.all.find(
      (it) =>
        it.tenant === tenant &&
        it.holdId === holdId &&
        it.first === first &&
        it.last === last &&
        it.untilMs > clock.nowMs(),
    );
    if (entry === undefined) throw notHeld();
    return entry;
  }

  async #put(entry: HeldRange): Promise<Hold> {
    const { ranges, tenant } = this.parts;
    await ranges.replace([...without(ranges.all, tenant, entry), entry]);
    return holdOf(entry);
  }
}

function holdOf({ holdId, movedTo }: HeldRange): Hold {
  return { holdId, lifetimeMs: movedTo === undefined ? holdLifetimeMs : undefined };
}
