/** The time of day. */
export interface Clock {
  /** Whole milliseconds since 1970. May jump either way. */
  nowMs(): number;
}

/** Makes ids for new records. */
export interface IdSource {
  /**
   * Returns a UUIDv7. It is greater than all ids that this source made before within the same
   * millisecond.
   */
  next(nowMs: number): string;
}
