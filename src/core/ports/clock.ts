/** The time of day. */
export interface Clock {
  /** Whole milliseconds since 1970. A server's clock never goes back; see `createSteadyClock`. */
  nowMs(): number;
}

/** Makes ids for new records. */
export interface IdSource {
  /** Returns a UUIDv7, greater than all earlier ones of this source within the same millisecond. */
  next(nowMs: number): string;
}
