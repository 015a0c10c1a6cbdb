/** The value of a run's key. */
export interface KeyValue {
  readonly value: string;
  /**
   * The place of this entry in a listing: the key of its record in the table `keyPositions`. A
   * listing has the entries in the order in which they were first written.
   */
  readonly position: string;
}
