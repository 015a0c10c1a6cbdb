import type { Call } from "../ports/call.js";

/** One kind of record with a retention rule, such as unused skills. */
export interface Prunable {
  /** Name in lower case with `_`, such as `skills`, for replies and the log. */
  readonly name: string;
  /**
   * Removes the outdated records of all users and returns their number. With `dryRun`, only counts
   * the records.
   *
   * Works in steps and calls `throwIfEnded` between them. Records removed before the call ends stay
   * removed, and the next call continues.
   */
  pruneAll(call: Call, dryRun: boolean): Promise<number>;
}
