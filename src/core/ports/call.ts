import { anonymous, type Principal } from "../model/principal.js";
import type { Quota } from "../model/quota.js";

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
  /** The quota for the users that the call adds data to. Absent: no quota. */
  readonly quota?: Quota | undefined;
}

/**
 * A call that never ends early, may do everything and has no quota, for work that no client waits
 * for.
 */
export const endlessCall: Call = {
  throwIfEnded: () => undefined,
  signal: new AbortController().signal,
  principal: anonymous,
};
