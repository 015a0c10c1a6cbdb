/** What a run keeps under a key. */
export interface KeyValue {
  readonly value: string;
  /** Key in `keyPositions`: keys are listed in the order in which they were first written. */
  readonly position: string;
}
