import type { VademecumError } from "../model/errors.js";

/**
 * Says whether the clock may be believed so far that records are removed by their age. A wrong
 * clock that only dates records does little harm; records that it removes do not come back.
 */
export interface PruningGate {
  /** Returns the error of a removal by age now; `undefined`: records may be removed. */
  refusal(): VademecumError | undefined;
  /** Believes the machine's clock as it is now, because an operator says that it is right. */
  confirm(): void;
}
