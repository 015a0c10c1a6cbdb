import { type Allowance, noAllowance } from "../model/allowance.js";
import { anonymous, type Principal } from "../model/principal.js";

/**
 * The call that an operation serves: whether the client still waits for the answer, who the caller
 * is, and how much data the call may add.
 */
export interface Call {
  /**
   * Checks whether the call has ended. Cheap enough for every step of a loop.
   * @throws CANCELLED when the client cancelled the call
   * @throws DEADLINE_EXCEEDED when the deadline of the call has passed
   */
  throwIfEnded(): void;
  /** Aborts when the call ends. Created on first use. */
  readonly signal: AbortSignal;
  /** The caller. */
  readonly principal: Principal;
  /** How much the call may store. */
  readonly allowance: Allowance;
  /**
   * Notes that the call has read records of the store, or rows of an index. Absent: nobody counts
   * them.
   */
  noteRows?(rows: number): void;
}

/**
 * A call that never ends early, may do everything and may store any amount, for work that no client
 * waits for.
 */
export const endlessCall: Call = {
  throwIfEnded: () => undefined,
  signal: new AbortController().signal,
  principal: anonymous,
  allowance: noAllowance,
};
