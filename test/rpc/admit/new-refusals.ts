import { Refusals } from "../../../src/rpc/admit/refusals.js";

/** Creates refusals for tests: the clock stands still, and the shortest wait is a second. */
export function newRefusals(): Refusals {
  return new Refusals(1_000, () => 0);
}
