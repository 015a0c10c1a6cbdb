/** Limits of one principal. Absent: the limit of the server, if it has one. */
export interface PrincipalLimits {
  /** Calls a second, on average. */
  readonly callsPerSecond?: number;
  /** Calls that may come at once. Default: `callsPerSecond`, at least 1. */
  readonly burst?: number;
  /** Bytes of requests a second, on average. */
  readonly bytesPerSecond?: number;
}
