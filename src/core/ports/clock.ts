/** The time of day. */
export interface Clock {
  /** Whole milliseconds since 1970. A server's clock never goes back; see `createSteadyClock`. */
  nowMs(): number;
}

/** Makes ids for new records. */
export interface IdSource {
  /** Returns a UUIDv7, greater than all earlier ids of this source with the same millisecond. */
  next(timeMs: number): string;
}
