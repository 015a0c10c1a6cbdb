import type { Call } from "../ports/call.js";

/** A kind of records that are removed once they have outlived their use. */
export interface Prunable {
  /** What they are, in lower case with `_`, such as `skills`: for replies and the log. */
  readonly name: string;
  /**
   * Removes those of everybody that have outlived their use, and returns how many that were; with `dryRun` only counts them.
   * Works in steps and calls `throwIfEnded` between them: what was removed by then stays removed, and the next call goes on.
   */
  pruneAll(call: Call, dryRun: boolean): Promise<number>;
}
