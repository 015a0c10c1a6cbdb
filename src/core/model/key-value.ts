/** The value of a run's key. */
export interface KeyValue {
  readonly value: string;
  /**
   * Key of the entry in the table `keyPositions`. Keys are listed in the order in which they were
   * first written.
   */
  readonly position: string;
}
