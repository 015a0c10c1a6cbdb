import { identityOf, type Principal } from "./principal.js";
import type { Quota } from "./quota.js";

/** How much a caller may store, and the account under which its bytes count. */
export interface Allowance {
  /**
   * The account of the caller, see `storageAccountOf`. Empty: the bytes count for no account, only
   * for the tenant.
   */
  readonly account: string;
  /** The quota of each user and run that the caller adds data to. Absent: no quota. */
  readonly quota?: Quota | undefined;
  /** Maximum bytes of everything that the account has stored. Absent: no limit. */
  readonly totalBytes?: number | undefined;
  /** Maximum bytes of all data of the caller's tenant. Absent: no limit. */
  readonly tenantBytes?: number | undefined;
}

/** The allowance of work that no caller has asked for. */
export const noAllowance: Allowance = { account: "" };

/**
 * Returns the account under which the bytes that a principal stores count. Only principals of the
 * credentials file have one: tokens have no limits, and may have any number of subjects.
 */
export function storageAccountOf(principal: Principal): string {
  return /^(?:key|cert):/.test(principal.name) ? identityOf(principal) : "";
}
