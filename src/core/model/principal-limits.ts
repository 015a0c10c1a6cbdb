import type { Quota } from "./quota.js";

/** The limits of one principal. Absent: the limit of the server, if it has one. */
export interface PrincipalLimits {
  /** Maximum number of calls a second, on average. */
  readonly callsPerSecond?: number;
  /** Maximum number of calls in a burst. Default: `callsPerSecond`, at least 1. */
  readonly burst?: number;
  /** Maximum number of bytes of requests a second, on average. */
  readonly bytesPerSecond?: number;
  /** Quota of each user to whose data the principal adds. A call that would exceed it fails. */
  readonly quota?: Quota;
  /** Maximum bytes of everything that the principal has stored, in all users and runs. */
  readonly totalBytes?: number;
  /** Maximum bytes of all data of the principal's tenant. */
  readonly tenantBytes?: number;
}
