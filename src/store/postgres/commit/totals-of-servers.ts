import type { TenantTotals } from "../../../core/ports/usage.js";
import { StorageTotals, type TotalSource, type TotalsGrowth } from "../../engine/storage-totals.js";

/** Age after which totals are read again, in milliseconds: other servers may have changed them. */
const maxAgeMs = 5_000;
/** The same once a limit is reached: other servers may have deleted data. */
const urgentAgeMs = 500;
/** A reading rests for at least this many times its own length. */
const restFactor = 20;

/** The totals of one tenant. */
interface Reading {
  /** What was read, and what this server has committed since the reading began. */
  readonly totals: StorageTotals;
  /** -Infinity: something has changed that the totals do not know. */
  readMs: number;
  readonly tookMs: number;
}

/**
 * The totals of tenants that several servers write to. Reads the sums of all scopes, and adds what
 * this server commits. A commit during a reading may count twice until the next one.
 */
export class TotalsOfServers implements TotalSource {
  readonly #readings = new Map<string, Reading>();
  /** Readings that have begun. */
  readonly #pending = new Map<string, { totals: StorageTotals; done: Promise<void> }>();

  /**
   * @param read returns all that a tenant holds; `""` is data without a tenant
   * @param nowMs a clock that never goes back
   */
  constructor(
    private readonly read: (tenant: string) => Promise<TotalsGrowth>,
    private readonly nowMs: () => number = () => performance.now(),
  ) {}

  add(tenant: string | undefined, growth: TotalsGrowth): void {
    const name = tenant ?? "";
    this.#readings.get(name)?.totals.add(tenant, growth);
    this.#pending.get(name)?.totals.add(tenant, growth);
  }

  /** Has the totals of a tenant read again before their next use. */
  forget(tenant: string | undefined): void {
    const reading = this.#readings.get(tenant ?? "");
    if (reading !== undefined) reading.readMs = Number.NEGATIVE_INFINITY;
  }

  /** See `Store.totals`. */
  async tenant(tenant: string | undefined): Promise<TenantTotals> {
    await this.refresh(tenant, false);
    const { totals } = this.#readings.get(tenant ?? "") ?? { totals: new StorageTotals() };
    return totals.tenant(tenant);
  }

  of(tenant: string | undefined, account?: string): number {
    return this.#readings.get(tenant ?? "")?.totals.of(tenant, account) ?? 0;
  }

  async refresh(tenant: string | undefined, isUrgent: boolean): Promise<void> {
    const name = tenant ?? "";
    const known = this.#readings.get(name);
    if (known !== undefined) {
      const restMs = Math.max(isUrgent ? urgentAgeMs : maxAgeMs, restFactor * known.tookMs);
      if (this.nowMs() - known.readMs < restMs) return;
    }
    const pending = this.#pending.get(name) ?? this.#begin(tenant);
    await pending.done;
  }

  #begin(tenant: string | undefined): { totals: StorageTotals; done: Promise<void> } {
    const name = tenant ?? "";
    const totals = new StorageTotals();
    const beginMs = this.nowMs();
    const done = this.read(name)
      .then((growth) => {
        totals.add(tenant, growth);
        const readMs = this.nowMs();
        this.#readings.set(name, { totals, readMs, tookMs: readMs - beginMs });
      })
      .finally(() => this.#pending.delete(name));
    const pending = { totals, done };
    this.#pending.set(name, pending);
    return pending;
  }
}
