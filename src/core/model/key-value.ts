/** The value of a run's key. */
export interface KeyValue {
  readonly value: string;
  /** Starts at 1 and increases by 1 with each write of the key. */
  readonly version: number;
  /**
   * The place of this entry in a listing: the key of its record in the table `keyPositions`. A
   * listing has the entries in the order in which they were first written.
   */
  readonly position: string;
}

/** A key of a run with its value. */
export interface KeyEntry extends Omit<KeyValue, "position"> {
  readonly key: string;
}
