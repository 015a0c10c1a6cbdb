import type { Principal } from "../../core/model/principal.js";
import type { EndingCall } from "./call-end.js";
import { PrincipalCounts } from "./principal-counts.js";
import type { Refusals } from "./refusals.js";
import type { TrafficLimits } from "./traffic-limits.js";

/** A call that asks for a slot: the right to be in flight. */
export interface SlotCall extends EndingCall {
  readonly principal: Principal;
}

/**
 * Limits the calls in flight: each of them has one of `calls` slots. Further calls wait for a slot
 * in order of arrival. `waitingCalls` limits the number of waiting calls. `callsPerPrincipal`
 * limits the calls of each principal, in flight or waiting.
 *
 * A stream gives its slot back while it waits for its client, and later takes a slot again. It is
 * then never refused: only its first slot is subject to `waitingCalls` and `callsPerPrincipal`.
 */
export class CallSlots {
  readonly #limits: Pick<TrafficLimits, "calls" | "waitingCalls" | "callsPerPrincipal">;
  readonly #refusals: Refusals;
  /** A function for each waiting call, which starts the call; in order of arrival. */
  readonly #waiters = new Set<() => void>();
  /** Number of calls of each principal, in flight or waiting. */
  readonly #counts = new PrincipalCounts();
  #inFlight = 0;

  constructor(
    limits: Pick<TrafficLimits, "calls" | "waitingCalls" | "callsPerPrincipal">,
    refusals: Refusals,
  ) {
    this.#limits = limits;
    this.#refusals = refusals;
  }

  /**
   * Takes a slot. Returns a promise only if the call has to wait.
   *
   * @param hasBegun whether the call has had a slot before; if so, the call is never refused
   * @throws RESOURCE_EXHAUSTED (OVERLOADED) when too many calls wait, or when the principal has too
   *   many calls in flight or waiting
   * @throws the error of the ended call, as a rejection, when the call ends while it waits
   */
  take(call: SlotCall, hasBegun: boolean): Promise<void> | undefined {
    const { calls, waitingCalls, callsPerPrincipal } = this.#limits;
    const { principal } = call;
    if (!hasBegun && this.#counts.of(principal) >= callsPerPrincipal) {
      const what = `${callsPerPrincipal} calls with your credentials are in progress`;
      throw this.#refusals.refusalOfCaller(what);
    }
    if (this.#inFlight >= calls) {
      if (hasBegun || this.#waiters.size < waitingCalls) return this.#wait(call);
      const what = `the server works on ${calls} calls, and ${waitingCalls} more wait`;
      throw this.#refusals.refusalOf(what);
    }
    this.#counts.change(principal, 1);
    this.#inFlight++;
    return undefined;
  }

  /** Gives the slot of a call back. */
  release(call: SlotCall): void {
    this.#inFlight--;
    this.#counts.change(call.principal, -1);
    const [start] = this.#waiters;
    start?.();
  }

  #wait(call: SlotCall): Promise<void> {
    this.#counts.change(call.principal, 1);
    return new Promise((resolve, reject) => {
      const start = (): void => {
        stopListening();
        this.#waiters.delete(start);
        this.#inFlight++;
        resolve();
      };
      const stopListening = call.onEnd((reason) => {
        this.#waiters.delete(start);
        this.#counts.change(call.principal, -1);
        reject(reason);
      });
      this.#waiters.add(start);
    });
  }
}

/** The slot of one call, which the call can give back while it waits for its client. */
export class CallSlot {
  readonly #slots: CallSlots | undefined;
  readonly #call: SlotCall;
  #hasBegun = false;
  #isTaken = false;

  /**
   * @param slots `undefined` for a call that needs no slot: it never waits, and no limit counts it
   */
  constructor(slots: CallSlots | undefined, call: SlotCall) {
    this.#slots = slots;
    this.#call = call;
  }

  /**
   * Takes the slot, for the first time or again. Returns a promise only if the call has to wait.
   *
   * @throws RESOURCE_EXHAUSTED (OVERLOADED) as `CallSlots.take`, but only the first time
   * @throws the error of the ended call, as a rejection, when the call ends while it waits
   */
  take(): Promise<void> | undefined {
    const wait = this.#slots?.take(this.#call, this.#hasBegun);
    if (wait !== undefined) return wait.then(() => this.#begin());
    this.#begin();
    return undefined;
  }

  /** Gives the slot back. Does nothing if it is not taken. */
  release(): void {
    if (!this.#isTaken) return;
    this.#isTaken = false;
    this.#slots?.release(this.#call);
  }

  #begin(): void {
    this.#hasBegun = true;
    this.#isTaken = true;
  }
}
