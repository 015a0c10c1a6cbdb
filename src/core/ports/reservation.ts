/**
 * Bytes that a call is about to store, held back from the totals of its account and its tenant, so
 * that calls at the same time do not exceed a limit together.
 */
export interface Reservation {
  /**
   * Reserves bytes instead of those that were reserved before.
   *
   * @param isMinor whether the bytes may exceed a limit a little: the reply to a deletion, or the
   *   new time and version of a changed record
   * @throws RESOURCE_EXHAUSTED (QUOTA_EXCEEDED) when the account or the tenant would hold more than
   *   its limit
   */
  take(bytes: number, isMinor: boolean): Promise<void>;
  /** Ends the reservation. The bytes that were committed meanwhile count by themselves. */
  release(): void;
}
