import type { Quota } from "./quota.js";

/** Limits of one principal. Absent: the limit of the server, if it has one. */
export interface PrincipalLimits {
  /** Calls a second, on average. */
  readonly callsPerSecond?: number;
  /** Calls that may come at once. Default: `callsPerSecond`, at least 1. */
  readonly burst?: number;
  /** Bytes of requests a second, on average. */
  readonly bytesPerSecond?: number;
  /** The most that any user may hold after a call of the principal that adds data. */
  readonly quota?: Quota;
}
