/** The value of a run's key. */
export interface KeyValue {
  readonly value: string;
  /** Key in `keyPositions`. Keys are listed in the order in which they were first written. */
  readonly position: string;
}
