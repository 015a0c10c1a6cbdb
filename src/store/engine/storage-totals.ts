import type { Allowance } from "../../core/model/allowance.js";
import { type QuotaViolation, VademecumError } from "../../core/model/errors.js";
import type { Scope } from "../../core/model/namespace.js";
import type { Reservation } from "../../core/ports/reservation.js";
import type { TenantTotals, Usage } from "../../core/ports/usage.js";
import { noUsage } from "../usage.js";
import { noStoredBytes, type StoredBytes } from "./stored-bytes.js";

/** Minor bytes, see `Reservation.take`, pass up to this many bytes above a limit. */
const slackBytes = 64 * 1024;

/** The name under which a total is kept. Without an account: the total of the tenant. */
function nameOf(tenant: string | undefined, account?: string): string {
  return JSON.stringify([tenant ?? "", account ?? null]);
}

/** What a scope adds to totals, apart from its namespaces. */
export interface ScopeTotals {
  readonly usage: Usage;
  readonly stored: StoredBytes;
}

export const noScopeTotals: ScopeTotals = { usage: noUsage, stored: noStoredBytes };

/** What totals gain. Negative numbers: what they lose. */
export interface TotalsGrowth extends Omit<TenantTotals, "bytes"> {
  /** Bytes by account. */
  readonly stored: StoredBytes;
}

/**
 * Returns the growth of the totals when a scope changes.
 *
 * @param namespaces by how many the scope has more namespaces that hold a record
 */
export function growthOfTotals(
  { kind }: Scope,
  before: ScopeTotals,
  after: ScopeTotals,
  namespaces: number,
): TotalsGrowth {
  const stored = new Map(after.stored);
  if (before.stored !== after.stored)
    for (const [account, bytes] of before.stored)
      stored.set(account, (stored.get(account) ?? 0) - bytes);
  else stored.clear();
  return {
    users: kind === "user" ? holds(after) - holds(before) : 0,
    namespaces,
    memories: after.usage.memories - before.usage.memories,
    stored,
  };
}

/** Returns 1 for a scope that `Store.ids` lists, else 0. */
function holds({ usage }: ScopeTotals): number {
  return usage.bytes > 0 ? 1 : 0;
}

/** What accounts and tenants have stored, in all scopes. */
export class StorageTotals implements TotalSource {
  readonly #bytes = new Map<string, number>();
  readonly #counts = new Map<string, Omit<TenantTotals, "bytes">>();

  add(tenant: string | undefined, growth: TotalsGrowth): void {
    let more = 0;
    for (const [account, grown] of growth.stored) {
      if (grown === 0) continue;
      more += grown;
      if (account !== "") this.#add(nameOf(tenant, account), grown);
    }
    this.#add(nameOf(tenant), more);
    const { users, namespaces, memories } = growth;
    if (users === 0 && namespaces === 0 && memories === 0) return;
    const known = this.tenant(tenant);
    this.#counts.set(tenant ?? "", {
      users: known.users + users,
      namespaces: known.namespaces + namespaces,
      memories: known.memories + memories,
    });
  }

  /** See `Store.totals`. */
  tenant(tenant: string | undefined): TenantTotals {
    const counts = this.#counts.get(tenant ?? "") ?? noCounts;
    return { ...counts, bytes: this.of(tenant) };
  }

  /** Returns the total of an account; without an account, of a tenant. */
  of(tenant: string | undefined, account?: string): number {
    return this.#bytes.get(nameOf(tenant, account)) ?? 0;
  }

  #add(name: string, bytes: number): void {
    this.#bytes.set(name, (this.#bytes.get(name) ?? 0) + bytes);
  }
}

const noCounts: Omit<TenantTotals, "bytes"> = { users: 0, namespaces: 0, memories: 0 };

/** The totals that reservations are compared with. */
export interface TotalSource {
  /** Returns the total of an account; without an account, of a tenant. */
  of(tenant: string | undefined, account?: string): number;
  /**
   * Reads the totals again if other servers may have changed them. Absent: there are none.
   *
   * @param isUrgent whether a total has reached its limit, so that it must be newer
   */
  refresh?(tenant: string | undefined, isUrgent: boolean): Promise<void>;
}

interface Limit {
  readonly account: string | undefined;
  readonly name: string;
  readonly maxBytes: number;
}

/** The reservations of all calls. */
export class Reservations {
  /** Reserved bytes by the name of their total. */
  readonly #reserved = new Map<string, number>();

  constructor(private readonly totals: TotalSource) {}

  /** See `Store.reserve`. */
  begin(
    { account, totalBytes, tenantBytes }: Allowance,
    tenant: string | undefined,
  ): Reservation | undefined {
    const limits: Limit[] = [];
    if (totalBytes !== undefined && account !== "")
      limits.push({ account, name: nameOf(tenant, account), maxBytes: totalBytes });
    if (tenantBytes !== undefined)
      limits.push({ account: undefined, name: nameOf(tenant), maxBytes: tenantBytes });
    if (limits.length === 0) return undefined;
    let own = 0;
    const reserve = (bytes: number): void => {
      for (const { name } of limits)
        this.#reserved.set(name, (this.#reserved.get(name) ?? 0) + bytes - own);
      own = bytes;
    };
    return {
      take: async (bytes, isMinor) => {
        reserve(0);
        if (bytes <= 0) return;
        const allowed = isMinor ? slackBytes : 0;
        await this.totals.refresh?.(tenant, false);
        let exceeded = this.#exceeded(limits, tenant, bytes - allowed);
        if (exceeded !== undefined && this.totals.refresh !== undefined) {
          await this.totals.refresh(tenant, true);
          exceeded = this.#exceeded(limits, tenant, bytes - allowed);
        }
        if (exceeded !== undefined) throw totalExceeded(exceeded.limit, tenant, exceeded.bytes);
        reserve(bytes);
      },
      release: () => reserve(0),
    };
  }

  /** Returns the first limit that further bytes would exceed, and the total with these bytes. */
  #exceeded(
    limits: readonly Limit[],
    tenant: string | undefined,
    more: number,
  ): { readonly limit: Limit; readonly bytes: number } | undefined {
    for (const limit of limits) {
      const { account, name, maxBytes } = limit;
      const bytes = this.totals.of(tenant, account) + (this.#reserved.get(name) ?? 0) + more;
      if (bytes > maxBytes) return { limit, bytes };
    }
    return undefined;
  }
}

function totalExceeded(
  { account, maxBytes }: Limit,
  tenant: string | undefined,
  wanted: number,
): VademecumError {
  const owner = account === undefined ? "the tenant" : "the principal";
  const description =
    `${owner} would hold ${wanted} bytes in all users and runs; ` +
    `quota_total_bytes is ${maxBytes}`;
  const violation: QuotaViolation = {
    subject: account === undefined ? `tenant:${tenant ?? ""}` : `principal:${account}`,
    description,
  };
  return new VademecumError(
    "RESOURCE_EXHAUSTED",
    "QUOTA_EXCEEDED",
    `${description}. Delete what is no longer needed, ` +
      "or ask the operator for a larger quota_total_bytes",
    { quotas: [violation], metadata: { quota: "total_bytes", limit: String(maxBytes) } },
  );
}
